/** Changeset: all writes of a turn, one change a file, each against the hash of what it was made from; plain data. */
import type { Digest } from '../../ports/device';
import { type ChangesetRecord, changesetRecord } from '../../session/change-entry';
import { applyHunks, type Hunk, hunksOf } from './diff';

/** A tool call that made or remade a change. */
export interface StagedCall {
  readonly id: string;
  readonly tool: string;
  /** SHA-256 of the arguments. */
  readonly arguments: string;
}

export interface BaseVersion {
  /** SHA-256 of the text without byte order mark, or of the bytes of a file that is not text. */
  readonly hash: string;
  /** Null for a file that is not text. */
  readonly text: string | null;
}

export interface FileChange {
  readonly id: string;
  /** Where the file is; null for one that does not exist yet. */
  readonly from: string | null;
  /** Where it will be; null for one that is deleted. */
  readonly to: string | null;
  /** Null for a file that does not exist yet. */
  readonly base: BaseVersion | null;
  /** The text it will have; null when its content stays as it is. */
  readonly text: string | null;
  readonly calls: readonly StagedCall[];
  /** What third party's text was in the conversation when it was made; null when none was. */
  readonly taint: string | null;
}

export interface Changeset {
  readonly id: string;
  readonly changes: readonly FileChange[];
}

/** What a change does, in the order in which it is carried out. */
export type Step = 'create' | 'edit' | 'move' | 'delete';

export function stepsOf({ from, to, base, text }: FileChange): Step[] {
  if (from === null) return to === null ? [] : ['create'];
  if (to === null) return ['delete'];
  const steps: Step[] = [];
  if (text !== null && text !== base?.text) steps.push('edit');
  if (to !== from) steps.push('move');
  return steps;
}

/** The path that names a change for people: where the file is, or will be. */
export function pathOf({ from, to }: FileChange): string {
  return from ?? to ?? '';
}

/** The text before, for a comparison; empty for a new file. */
export function textBefore({ base }: FileChange): string {
  return base?.text ?? '';
}

/** The text after; empty for a deleted one. */
export function textAfter(change: FileChange): string {
  return change.to === null ? '' : (change.text ?? change.base?.text ?? '');
}

export function hunksOfChange(change: FileChange): Hunk[] {
  return change.to === null ? [] : hunksOf(textBefore(change), textAfter(change));
}

/** What the user decided about one change; what is not accepted is rejected. */
export interface ChangeDecision {
  /** Indexes of hunks; a new file and a deletion are accepted as a whole. */
  readonly hunks: 'all' | 'none' | readonly number[];
  /** Whether the file goes to its new place. */
  readonly move: boolean;
  /** Told to the model with what was rejected. */
  readonly reason?: string;
}

export const acceptAll: ChangeDecision = { hunks: 'all', move: true };
export const rejectAll: ChangeDecision = { hunks: 'none', move: false };

export interface Rejection {
  readonly change: FileChange;
  /** Null when all of it was rejected. */
  readonly hunks: readonly Hunk[] | null;
  readonly move: boolean;
  readonly reason: string;
}

export interface ReviewedChangeset {
  readonly accepted: Changeset;
  readonly rejected: readonly Rejection[];
}

/** The changes as the user accepted them, with what follows of their texts worked out anew. */
export function reviewChangeset(
  changeset: Changeset,
  decide: (change: FileChange) => ChangeDecision,
): ReviewedChangeset {
  const accepted: FileChange[] = [];
  const rejected: Rejection[] = [];
  for (const change of changeset.changes) {
    const decision = decide(change);
    const kept = reduceChange(change, decision);
    if (kept !== null) accepted.push(kept);
    const rejection = rejectionOf(change, decision, kept);
    if (rejection !== null) rejected.push(rejection);
  }
  return { accepted: { ...changeset, changes: accepted }, rejected };
}

/** Null when nothing of it is left. */
function reduceChange(change: FileChange, { hunks, move }: ChangeDecision): FileChange | null {
  const steps = stepsOf(change);
  if (steps.includes('create') || steps.includes('delete')) return hunks === 'all' ? change : null;
  const before = textBefore(change);
  const all = hunksOfChange(change);
  const isAccepted = ({ index }: Hunk): boolean => hunks === 'all' || (hunks !== 'none' && hunks.includes(index));
  const text = !steps.includes('edit') ? null : hunks === 'all' ? change.text : applyHunks(before, all, isAccepted);
  const reduced = {
    ...change,
    text: text === before ? null : text,
    to: steps.includes('move') && !move ? change.from : change.to,
  };
  return stepsOf(reduced).length === 0 ? null : reduced;
}

function rejectionOf(
  change: FileChange,
  { hunks, move, reason = '' }: ChangeDecision,
  kept: FileChange | null,
): Rejection | null {
  const steps = stepsOf(change);
  const moveRejected = steps.includes('move') && !move;
  if (kept === null) return { change, hunks: null, move: moveRejected, reason };
  if (!steps.includes('edit')) return moveRejected ? { change, hunks: [], move: true, reason } : null;
  const left = hunksOfChange(change).filter(
    ({ index }) => hunks !== 'all' && (hunks === 'none' || !hunks.includes(index)),
  );
  return left.length > 0 || moveRejected ? { change, hunks: left, move: moveRejected, reason } : null;
}

/** The change with a text that the user wrote in place of the proposed one. */
export function withText(change: FileChange, text: string): FileChange {
  return { ...change, text: text === change.base?.text ? null : text };
}

/** What is left of a change once its text is on disk: the move. */
export function withoutText(change: FileChange, digest: Digest): FileChange {
  const { base, text } = change;
  return base === null || text === null ? change : { ...change, base: { hash: digest(text), text }, text: null };
}

/** Names what a person or a hook approved: another path, text or argument gives another token (rules 6.2). */
export function approvalToken(change: FileChange, digest: Digest): string {
  const after = change.to === null ? 'deleted' : change.text === null ? 'kept' : digest(change.text);
  const parts = [change.from, change.to, change.base?.hash ?? null, after, change.calls];
  return digest(JSON.stringify(parts));
}

export type ApprovalTokens = ReadonlyMap<string, string>;

export function approve(changeset: Changeset, digest: Digest): ApprovalTokens {
  return new Map(changeset.changes.map((change) => [change.id, approvalToken(change, digest)]));
}

// The form in which a changeset is kept in the log: texts as the pieces in which they differ, checked when read back.

export function packChangeset({ id, changes }: Changeset): ChangesetRecord {
  return {
    id,
    changes: changes.map(({ text, ...change }) => ({
      ...change,
      base: change.base === null ? null : { ...change.base },
      calls: change.calls.map((call) => ({ ...call })),
      edits:
        text === null
          ? null
          : hunksOf(change.base?.text ?? '', text).map(({ start, end, added }) => ({ start, end, text: added })),
    })),
  };
}

/** Null for what is no changeset, or one whose base texts are not what their hashes say. */
export function unpackChangeset(record: unknown, digest: Digest): Changeset | null {
  const read = changesetRecord().safeParse(record);
  if (!read.success) return null;
  const { id, changes } = read.data;
  const sound = changes.every(({ base }) => base === null || base.text === null || digest(base.text) === base.hash);
  return sound ? { id, changes: changes.map(unpackChange) } : null;
}

function unpackChange({ edits, ...change }: ChangesetRecord['changes'][number]): FileChange {
  const before = change.base?.text ?? '';
  let at = 0;
  let text = '';
  for (const edit of edits ?? []) {
    text += before.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return { ...change, text: edits === null ? null : text + before.slice(at) };
}
