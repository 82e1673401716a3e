/** Changeset: all writes of a turn as plain data, one change per file, each with the hash of its base version. */
import type { Digest } from '../../ports/device';
import { type ChangesetRecord, changesetRecord } from '../../session/change-entry';
import { applyHunks, type Hunk, hunksOf } from './diff';

/** A tool call that created or revised a change. */
export interface StagedCall {
  readonly id: string;
  readonly tool: string;
  /** SHA-256 of the arguments. */
  readonly arguments: string;
}

interface BaseVersion {
  /** SHA-256 of the text without byte order mark, or of the bytes of a file that is not text. */
  readonly hash: string;
  /** Null for a file that is not text. */
  readonly text: string | null;
  /** When the file was last changed, in milliseconds since the epoch. */
  readonly modified?: number | undefined;
}

export interface FileChange {
  readonly id: string;
  /** The current path; null for a file that does not exist yet. */
  readonly from: string | null;
  /** The path afterwards; null for a deletion. */
  readonly to: string | null;
  /** Null for a file that does not exist yet. */
  readonly base: BaseVersion | null;
  /** The text afterwards; null if the content does not change. */
  readonly text: string | null;
  readonly calls: readonly StagedCall[];
  /** The source of the untrusted text in the chat when the change was made; null for none. */
  readonly taint: string | null;
  /** The path at which the change was proposed, if the note has been moved since. */
  readonly movedFrom?: string | undefined;
  /** The changeset in which it was proposed, if another device proposed it and it waits with those of another one. */
  readonly changeset?: string | undefined;
}

export interface Changeset {
  readonly id: string;
  readonly changes: readonly FileChange[];
}

/** What a change does, in the order in which it is applied. */
export type Step = 'create' | 'edit' | 'move' | 'delete';

export function stepsOf({ from, to, base, text }: FileChange): Step[] {
  if (from === null) return to === null ? [] : ['create'];
  if (to === null) return ['delete'];
  const steps: Step[] = [];
  if (text !== null && text !== base?.text) steps.push('edit');
  if (to !== from) steps.push('move');
  return steps;
}

/** Returns the path shown for a change: the current one, or that of the new file. */
export function pathOf({ from, to }: FileChange): string {
  return from ?? to ?? '';
}

/** Returns the text before the change; empty for a new file. */
export function textBefore({ base }: FileChange): string {
  return base?.text ?? '';
}

/** Returns the text after the change; empty for a deleted file. */
export function textAfter(change: FileChange): string {
  return change.to === null ? '' : (change.text ?? change.base?.text ?? '');
}

export function hunksOfChange(change: FileChange): Hunk[] {
  return change.to === null ? [] : hunksOf(textBefore(change), textAfter(change));
}

/** The user's decision on one change; everything not accepted is rejected. */
export interface ChangeDecision {
  /** Indexes of the accepted hunks; a new file or a deletion is accepted only as a whole. */
  readonly hunks: 'all' | 'none' | readonly number[];
  /** Whether the move is accepted. */
  readonly move: boolean;
  /** Sent to the model along with the rejected parts. */
  readonly reason?: string;
}

export const acceptAll: ChangeDecision = { hunks: 'all', move: true };
export const rejectAll: ChangeDecision = { hunks: 'none', move: false };

export interface Rejection {
  readonly change: FileChange;
  /** The rejected hunks; null if the whole change was rejected. */
  readonly hunks: readonly Hunk[] | null;
  readonly move: boolean;
  readonly reason: string;
}

export interface ReviewedChangeset {
  readonly accepted: Changeset;
  readonly rejected: readonly Rejection[];
}

/** Splits a changeset into the accepted changes, with their texts recomputed, and the rejections. */
export function reviewChangeset(
  changeset: Changeset,
  decide: (change: FileChange) => ChangeDecision,
): ReviewedChangeset {
  const accepted: FileChange[] = [];
  const rejected: Rejection[] = [];
  for (const change of changeset.changes) {
    const decision = decide(change);
    const reduced = reduceChange(change, decision);
    if (reduced !== null) accepted.push(reduced);
    const rejection = rejectionOf(change, decision, reduced);
    if (rejection !== null) rejected.push(rejection);
  }
  return { accepted: { ...changeset, changes: accepted }, rejected };
}

/** Returns the accepted part of a change, which is the change itself if that is all of it; null if nothing remains. */
function reduceChange(change: FileChange, { hunks, move }: ChangeDecision): FileChange | null {
  const steps = stepsOf(change);
  if (steps.includes('create') || steps.includes('delete')) return hunks === 'all' ? change : null;
  const before = textBefore(change);
  const all = hunksOfChange(change);
  const isAccepted = ({ index }: Hunk): boolean => hunks === 'all' || (hunks !== 'none' && hunks.includes(index));
  const edited = !steps.includes('edit') ? null : hunks === 'all' ? change.text : applyHunks(before, all, isAccepted);
  const text = edited === before ? null : edited;
  const to = steps.includes('move') && !move ? change.from : change.to;
  const reduced = text === change.text && to === change.to ? change : { ...change, text, to };
  return stepsOf(reduced).length === 0 ? null : reduced;
}

function rejectionOf(
  change: FileChange,
  { hunks, move, reason = '' }: ChangeDecision,
  reduced: FileChange | null,
): Rejection | null {
  const steps = stepsOf(change);
  const moveRejected = steps.includes('move') && !move;
  if (reduced === null) return { change, hunks: null, move: moveRejected, reason };
  if (!steps.includes('edit')) return moveRejected ? { change, hunks: [], move: true, reason } : null;
  const left = hunksOfChange(change).filter(
    ({ index }) => hunks !== 'all' && (hunks === 'none' || !hunks.includes(index)),
  );
  return left.length > 0 || moveRejected ? { change, hunks: left, move: moveRejected, reason } : null;
}

/** Returns the change with the user's own text instead of the proposed one. */
export function withText(change: FileChange, text: string): FileChange {
  return { ...change, text: text === change.base?.text ? null : text };
}

/** Returns what remains of a change after its text was written: the move. */
export function withoutText(change: FileChange, digest: Digest): FileChange {
  const { base, text } = change;
  return base === null || text === null ? change : { ...change, base: { hash: digest(text), text }, text: null };
}

/** Returns the digest of an approved change; any other path, text, or argument gives another token (rules 6.2). */
export function approvalToken(change: FileChange, digest: Digest): string {
  const after = change.to === null ? 'deleted' : change.text === null ? 'kept' : digest(change.text);
  const parts = [change.from, change.to, change.base?.hash ?? null, after, change.calls];
  return digest(JSON.stringify(parts));
}

export type ApprovalTokens = ReadonlyMap<string, string>;

export function approve(changeset: Changeset, digest: Digest): ApprovalTokens {
  return new Map(changeset.changes.map((change) => [change.id, approvalToken(change, digest)]));
}

// The stored form of a changeset: new texts are stored as edits to the base text, which is verified when read back.

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

/** Parses a stored changeset; returns null if it is malformed or a base text does not match its hash. */
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
