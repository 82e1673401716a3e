/** Folds the log of a chat into the changes that wait for review and those already settled. */
import type { Digest } from '../../ports/device';
import type { Failure } from '../../ports/failure';
import type {
  AppliedRecord,
  ChangeEntryBody,
  ChangesetRecord,
  SettledEntryBody,
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
}

export function foldChanges(entries: readonly SessionEntry[], digest: Digest): FoldedChanges {
  return entries.reduce<FoldedChanges>(
    (folded, entry) => (isChangeEntry(entry) ? addChangeEntry(folded, entry, digest) : folded),
    { pending: null, failures: new Map(), settled: [] },
  );
}

export function addChangeEntry(folded: FoldedChanges, entry: ChangeEntryBody, digest: Digest): FoldedChanges {
  switch (entry.kind) {
    case 'changes-staged': {
      const pending = folded.pending?.id === entry.changeset ? folded.pending.changes : [];
      const fresh = unpack(entry.changeset, entry.changes, digest);
      const removed = new Set([...entry.dropped, ...fresh.map(({ id }) => id)]);
      const places = new Map(fresh.map((change) => [change.id, change]));
      const updated = pending.flatMap((change) => places.get(change.id) ?? (removed.has(change.id) ? [] : [change]));
      const known = new Set(pending.map(({ id }) => id));
      const changes = [...updated, ...fresh.filter(({ id }) => !known.has(id))];
      return { ...folded, pending: changes.length === 0 ? null : { id: entry.changeset, changes } };
    }
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

/**
 * Two devices may settle the same changes, and the log then has both entries: what was applied counts once. The later
 * entry says nothing about other changes that wait by then.
 */
function settle(folded: FoldedChanges, entry: SettledEntryBody, digest: Digest): FoldedChanges {
  const applied = new Map(unpack(entry.changeset, entry.applied, digest).map((change) => [change.id, change]));
  const waiting = unpack(entry.changeset, entry.waiting, digest);
  const left = new Set([...applied.keys(), ...waiting.map(({ id }) => id)]);
  const isLate = folded.pending !== null && folded.pending.id !== entry.changeset;
  const rejected = isLate ? [] : (folded.pending?.changes ?? []).filter(({ id }) => !left.has(id));
  const before = folded.settled.find(({ id }) => id === entry.changeset);
  const done: SettledChange[] = entry.results.flatMap(({ change: id, operations, ...rest }) => {
    const change = applied.get(id);
    const tips = operations.map((operation) => ({ operation, undone: false }));
    return change === undefined ? [] : [{ ...rest, change, tips, failure: null }];
  });
  const next: SettledChanges = {
    id: entry.changeset,
    by: entry.by,
    applied: joinApplied(before?.applied ?? [], done),
    rejected: [...(before?.rejected ?? []), ...rejected],
    reason: entry.reason === '' ? (before?.reason ?? '') : entry.reason,
  };
  const settled = [...folded.settled.filter(({ id }) => id !== entry.changeset), next];
  if (isLate) return { ...folded, settled };
  return {
    pending: waiting.length === 0 ? null : { id: entry.changeset, changes: waiting },
    failures: new Map(entry.failed.map(({ change, failure }) => [change, failure])),
    settled,
  };
}

/** Adds what was applied, each part of a change once; of two the one that can be undone counts. */
function joinApplied(before: readonly SettledChange[], added: readonly SettledChange[]): readonly SettledChange[] {
  const partOf = ({ change: { id, from, to } }: SettledChange): string => JSON.stringify([id, from, to]);
  const all = new Map(before.map((each) => [partOf(each), each]));
  for (const each of added) {
    const known = all.get(partOf(each));
    if (known === undefined || (known.tips.length === 0 && each.tips.length > 0)) all.set(partOf(each), each);
  }
  return [...all.values()];
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
