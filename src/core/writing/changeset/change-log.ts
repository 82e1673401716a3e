/** Folds the log of a chat into the changes that wait for review and those already settled. */
import type { Digest } from '../../ports/device';
import type { Failure } from '../../ports/failure';
import type {
  AppliedRecord,
  ChangeEntryBody,
  ChangesetRecord,
  SettledEntryBody,
  StagedEntryBody,
  UndoneEntryBody,
} from '../../session/change-entry';
import type { SessionEntry } from '../../session/entry';
import { type Changeset, type FileChange, unpackChangeset } from './changeset';

/** The latest operation of one write of a change, and whether it is undone. */
interface OperationTip {
  /** The last operation in a chain of undos and redos, which is the next one to undo. */
  readonly operation: string;
  readonly undone: boolean;
}

export interface SettledChange extends Omit<AppliedRecord, 'change' | 'operations'> {
  readonly change: FileChange;
  readonly tips: readonly OperationTip[];
  /** Why the last attempt to undo or redo it failed. */
  readonly failure: Failure | null;
}

/** A changeset that was settled at least in part. */
export interface SettledChanges {
  readonly id: string;
  readonly by: SettledEntryBody['by'];
  readonly applied: readonly SettledChange[];
  readonly rejected: readonly FileChange[];
  readonly reason: string;
}

export interface FoldedChanges {
  readonly pending: Changeset | null;
  /** Why waiting changes could not be applied, by change id. */
  readonly failures: ReadonlyMap<string, Failure>;
  readonly settled: readonly SettledChanges[];
  /**
   * Changes that were settled or taken back, by id, each with what was proposed last: its text, and null for the move that
   * was left of it. All folds of one log add to the same, so that an entry costs no more at the end of a long one.
   */
  readonly done: Map<string, Set<string | null>>;
}

export function foldChanges(entries: readonly SessionEntry[], digest: Digest): FoldedChanges {
  return entries.reduce<FoldedChanges>(
    (folded, entry) => (isChangeEntry(entry) ? addChangeEntry(folded, entry, digest) : folded),
    { pending: null, failures: new Map(), settled: [], done: new Map() },
  );
}

export function addChangeEntry(folded: FoldedChanges, entry: ChangeEntryBody, digest: Digest): FoldedChanges {
  switch (entry.kind) {
    case 'changes-staged':
      return stage(folded, entry, digest);
    case 'changes-settled':
      return settle(folded, entry, digest);
    case 'changes-undone':
      return {
        ...folded,
        settled: folded.settled.map((each) => (each.id === entry.changeset ? flip(each, entry) : each)),
      };
  }
}

/** Forgets why a change could not be applied. */
export function withoutFailure(folded: FoldedChanges, change: string): FoldedChanges {
  return { ...folded, failures: new Map([...folded.failures].filter(([id]) => id !== change)) };
}

function isChangeEntry(entry: SessionEntry): entry is SessionEntry & ChangeEntryBody {
  return entry.kind === 'changes-staged' || entry.kind === 'changes-settled' || entry.kind === 'changes-undone';
}

/** Devices that propose changes at the same time do so in several changesets: all of them wait as one, the newest. */
function stage(folded: FoldedChanges, entry: StagedEntryBody, digest: Digest): FoldedChanges {
  const id = entry.changeset;
  const pending = (folded.pending?.changes ?? []).map((change) => placed(change, ownerOf(change, folded.pending), id));
  const known = new Set(pending.map((change) => change.id));
  const { done } = folded;
  const fresh = unpack(id, entry.changes, digest).filter(
    (change) => known.has(change.id) || !isOnlyFollowed(change, done),
  );
  finish(done, entry.dropped, pending);
  for (const change of fresh) done.delete(change.id);
  const removed = new Set([...entry.dropped, ...fresh.map((change) => change.id)]);
  const places = new Map(fresh.map((change) => [change.id, change]));
  const updated = pending.flatMap((change) => places.get(change.id) ?? (removed.has(change.id) ? [] : [change]));
  const changes = [...updated, ...fresh.filter((change) => !known.has(change.id))];
  return { ...folded, pending: changes.length === 0 ? null : { id, changes } };
}

/**
 * Whether a change only followed its note on a device that had not heard that it was settled, or taken back, on another.
 * With another text, it is proposed again.
 */
function isOnlyFollowed({ id, from, text, movedFrom }: FileChange, done: FoldedChanges['done']): boolean {
  return movedFrom !== undefined && from !== null && done.get(id)?.has(text) === true;
}

/** Adds changes that no longer wait. Of those that were done before, the text of that time counts as well. */
function finish(done: FoldedChanges['done'], ids: Iterable<string>, proposed: readonly FileChange[]): void {
  const texts = new Map(proposed.map(({ id, text }) => [id, text]));
  for (const id of ids) {
    const text = texts.get(id);
    const known = done.get(id);
    if (known === undefined) done.set(id, new Set([text ?? null]));
    else if (text !== undefined) known.add(text);
  }
}

/** Returns the change as one of a pending changeset, with the name of the one that it was proposed in. */
function placed({ changeset: _, ...change }: FileChange, owner: string, pending: string): FileChange {
  return owner === pending ? change : { ...change, changeset: owner };
}

function ownerOf({ changeset }: FileChange, within: { readonly id: string } | null): string {
  return changeset ?? within?.id ?? '';
}

/**
 * Two devices may settle the same changes, and the log then has both entries: what was applied counts once, and waits no
 * more. An entry says nothing about changes that its device did not have.
 */
function settle(folded: FoldedChanges, entry: SettledEntryBody, digest: Digest): FoldedChanges {
  const own = { id: entry.changeset };
  const applied = new Map(unpack(own.id, entry.applied, digest).map((change) => [change.id, change]));
  const waiting = new Map(unpack(own.id, entry.waiting, digest).map((change) => [change.id, change]));
  const pending = folded.pending?.changes ?? [];
  const isOut = rejectedBy(entry, folded.pending);
  const rejected = pending.filter(({ id }) => !applied.has(id) && !waiting.has(id)).filter(isOut);
  const done: SettledChange[] = entry.results.flatMap(({ change: id, operations, ...rest }) => {
    const change = applied.get(id);
    const tips = operations.map((operation) => ({ operation, undone: false }));
    return change === undefined ? [] : [{ ...rest, change, tips, failure: null }];
  });
  const owners = [
    ...done.map(({ change }) => ownerOf(change, own)),
    ...rejected.map((change) => ownerOf(change, folded.pending)),
  ];
  const ids = [...new Set(owners)].filter((id) => id !== own.id);
  const next = [...ids, own.id].map((id): SettledChanges => {
    const before = folded.settled.find((each) => each.id === id);
    const out = before?.rejected.filter((change) => !applied.has(change.id)) ?? [];
    return {
      id,
      by: entry.by,
      applied: joinApplied(
        before?.applied ?? [],
        done.filter(({ change }) => ownerOf(change, own) === id),
      ),
      rejected: [...out, ...rejected.filter((change) => ownerOf(change, folded.pending) === id)],
      reason: entry.reason === '' ? (before?.reason ?? '') : entry.reason,
    };
  });
  const settled = [...folded.settled.filter(({ id }) => id !== own.id && !ids.includes(id)), ...next];
  const waits = waitOn(folded, { entry, waiting, rejected });
  finish(folded.done, [...applied.keys(), ...rejected.map(({ id }) => id)], [...applied.values(), ...pending]);
  return { ...folded, ...waits, settled };
}

/** An older entry does not name what was rejected: it is all of its changeset that was neither applied nor waits. */
function rejectedBy(
  { changeset, rejected }: SettledEntryBody,
  pending: FoldedChanges['pending'],
): (change: FileChange) => boolean {
  if (rejected === undefined) return (change) => ownerOf(change, pending) === changeset;
  const named = new Set(rejected);
  return ({ id }) => named.has(id);
}

interface SettledNow {
  readonly entry: SettledEntryBody;
  readonly waiting: ReadonlyMap<string, FileChange>;
  readonly rejected: readonly FileChange[];
}

/** Returns what waits after a review, and why what it could not apply still does. */
function waitOn(
  { pending, failures, done }: FoldedChanges,
  { entry, waiting, rejected }: SettledNow,
): Pick<FoldedChanges, 'pending' | 'failures'> {
  const own = { id: entry.changeset };
  const { id, changes: before } = pending ?? { ...own, changes: [] };
  const known = new Set(before.map((change) => change.id));
  const out = new Set([...entry.applied.map((change) => change.id), ...rejected.map((change) => change.id)]);
  // What waited on this device may have been settled or taken back on another. An entry about a review proposes nothing.
  const others = [...waiting.values()].filter((change) => !known.has(change.id) && !done.has(change.id));
  const changes = [...before, ...others].flatMap((change) => {
    const left = waiting.get(change.id);
    if (left === undefined) return out.has(change.id) ? [] : change;
    return placed(left, ownerOf(left, own), id);
  });
  const waits = new Set(changes.map((change) => change.id));
  const kept = [...failures].filter(([change]) => waits.has(change) && !waiting.has(change));
  const failed = entry.failed.flatMap(({ change, failure }) => (waits.has(change) ? [[change, failure] as const] : []));
  return { pending: changes.length === 0 ? null : { id, changes }, failures: new Map([...kept, ...failed]) };
}

/** Adds what was applied, each part of a change once; of two the one that can be undone counts. */
function joinApplied(before: readonly SettledChange[], added: readonly SettledChange[]): readonly SettledChange[] {
  const partOf = ({ change: { id, from, to } }: SettledChange): string => JSON.stringify([id, from, to]);
  const all = new Map(before.map((each) => [partOf(each), each]));
  for (const each of added) {
    const known = all.get(partOf(each));
    if (known === undefined || (known.tips.length === 0 && each.tips.length > 0)) all.set(partOf(each), each);
  }
  return withoutParts([...all.values()]);
}

/** Leaves out an edit that was settled alone, as while the move of its note was under way, and once more with the move. */
function withoutParts(applied: readonly SettledChange[]): readonly SettledChange[] {
  const most = new Map<string, number>();
  for (const { tips } of applied) {
    for (const { operation } of tips) most.set(operation, Math.max(most.get(operation) ?? 0, tips.length));
  }
  const isPart = ({ tips }: SettledChange): boolean =>
    tips.length > 0 && tips.every(({ operation }) => (most.get(operation) ?? 0) > tips.length);
  return applied.filter((each) => !isPart(each));
}

/** Replaces each undone operation with the one that reversed it and flips its state; records why others failed. */
function flip(settled: SettledChanges, { pairs, failed }: UndoneEntryBody): SettledChanges {
  const by = new Map(pairs.map((pair) => [pair.operation, pair.by]));
  const refused = new Map(failed.map(({ operation, failure }) => [operation, failure]));
  return {
    ...settled,
    applied: settled.applied.map((change) => ({
      ...change,
      tips: change.tips.map((tip) => {
        const next = by.get(tip.operation);
        return next === undefined ? tip : { operation: next, undone: !tip.undone };
      }),
      failure: change.tips.flatMap(({ operation }) => refused.get(operation) ?? []).at(0) ?? null,
    })),
  };
}

/** Unpacks changes, omitting those whose texts do not match their hashes, so that damaged text is never applied. */
function unpack(id: string, changes: ChangesetRecord['changes'], digest: Digest): readonly FileChange[] {
  return changes.flatMap((change) => unpackChangeset({ id, changes: [change] }, digest)?.changes ?? []);
}
