/**
 * Two devices that propose and settle changes in one chat without seeing each other: in any order of their entries,
 * what nobody settled still waits, what was applied counts once, and nothing counts as rejected that nobody rejected.
 */
import * as fc from 'fast-check';
import type { EntryBody, SessionEntry } from '../../src/core/session/entry';
import { encodeEntry } from '../../src/core/session/log-format';
import { type ApplyReport, settledEntry } from '../../src/core/writing/apply/apply-changeset';
import { type FoldedChanges, foldChanges } from '../../src/core/writing/changeset/change-log';
import {
  acceptAll,
  type FileChange,
  packChangeset,
  rejectAll,
  reviewChangeset,
} from '../../src/core/writing/changeset/changeset';
import { entry, user } from '../support/entries';
import { digest } from '../support/memory-ports';
import { mergeShards } from '../support/merge-shards';
import { seed } from './hostile-text';

type Fate = 'accept' | 'reject' | 'wait' | 'fail';
type Act =
  | { readonly type: 'propose'; readonly device: number; readonly turn: boolean }
  | { readonly type: 'drop'; readonly device: number; readonly index: number }
  | { readonly type: 'settle'; readonly device: number; readonly fates: readonly Fate[] }
  | { readonly type: 'sync' };

const device = fc.nat({ max: 1 });
const fates = fc.array(fc.constantFrom<Fate>('accept', 'reject', 'wait', 'fail'), { minLength: 1, maxLength: 4 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('propose' as const), device, turn: fc.boolean() }) },
  fc.record({ type: fc.constant('drop' as const), device, index: fc.nat({ max: 3 }) }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('settle' as const), device, fates }) },
  fc.record({ type: fc.constant('sync' as const) }),
);

const refused = { kind: 'refused', words: 'No.', remedy: '' } as const;

/** A device with the entries that it knows; its reviews go through the code that writes them. */
class Device {
  known = new Map<string, SessionEntry>();
  readonly fates = new Map<string, Set<'applied' | 'rejected' | 'dropped'>>();
  readonly proposed: string[] = [];
  private count = 0;

  constructor(
    readonly name: string,
    private readonly isOld: boolean,
  ) {}

  get folded(): FoldedChanges {
    return foldMerged([...this.known.values()]);
  }

  propose(isInTurn: boolean): void {
    const turn = isInTurn ? this.add(user('Go.')).id : undefined;
    const id = `${this.name}-change${(this.count += 1)}`;
    const change: FileChange = { id, from: null, to: `${id}.md`, base: null, text: 'New.\n', calls: [], taint: null };
    this.stage([change], [], turn);
    this.proposed.push(id);
  }

  drop(index: number): void {
    const change = this.folded.pending?.changes[index];
    if (change === undefined) return;
    this.stage([], [change.id]);
    this.mark(change.id, 'dropped');
  }

  settle(given: readonly Fate[]): void {
    const { pending } = this.folded;
    if (pending === null) return;
    const fate = new Map(pending.changes.map(({ id }, index) => [id, given[index % given.length]]));
    const is = (wanted: Fate) => (change: FileChange) => fate.get(change.id) === wanted;
    const due = { ...pending, changes: pending.changes.filter((change) => !is('wait')(change)) };
    const reviewed = reviewChangeset(due, (change) => (is('reject')(change) ? rejectAll : acceptAll));
    const waiting = pending.changes.filter(is('wait'));
    const plain = { merged: false, altered: false, rewritten: [], found: false };
    const report: ApplyReport = {
      applied: pending.changes
        .filter(is('accept'))
        .map((change) => ({ change, operations: [`${this.name}-${change.id}`], ...plain })),
      failed: pending.changes.filter(is('fail')).map((change) => ({ change, failure: refused, operations: [] })),
    };
    const settled = settledEntry({ ...reviewed, waiting, by: 'user', reason: '' }, new Map(), report);
    const { rejected: _, ...older } = settled;
    this.add(this.isOld ? older : settled);
    for (const change of pending.changes.filter(is('accept'))) this.mark(change.id, 'applied');
    for (const change of pending.changes.filter(is('reject'))) this.mark(change.id, 'rejected');
  }

  private stage(changes: readonly FileChange[], dropped: readonly string[], turn?: string): void {
    const id = this.folded.pending?.id ?? `${this.name}-set${(this.count += 1)}`;
    this.add({ kind: 'changes-staged', changeset: id, changes: packChangeset({ id, changes }).changes, dropped }, turn);
  }

  private mark(id: string, fate: 'applied' | 'rejected' | 'dropped'): void {
    this.fates.set(id, (this.fates.get(id) ?? new Set()).add(fate));
  }

  private add(body: EntryBody, turn?: string): SessionEntry {
    const lamport = Math.max(0, ...[...this.known.values()].map((each) => each.lamport)) + 1;
    const id = `${this.name}-${this.known.size}`;
    const made = entry(body, { id, writer: this.name, session: 's', lamport, ...(turn !== undefined && { turn }) });
    this.known.set(made.id, made);
    return made;
  }
}

function foldMerged(entries: readonly SessionEntry[]): FoldedChanges {
  const text = entries.map((each) => encodeEntry(each, digest)).join('');
  return foldChanges(mergeShards([{ name: 'all', text }], digest).entries, digest);
}

function run(acts: readonly Act[], isOld: boolean): readonly Device[] {
  const devices = [new Device('a', isOld), new Device('b', isOld)];
  for (const each of [...acts, { type: 'sync' as const }]) {
    if (each.type === 'sync') {
      const all = devices.flatMap(({ known }) => [...known]);
      for (const one of devices) one.known = new Map(all);
    } else if (each.type === 'propose') devices[each.device]!.propose(each.turn);
    else if (each.type === 'drop') devices[each.device]!.drop(each.index);
    else devices[each.device]!.settle(each.fates);
  }
  return devices;
}

it('loses no proposal of two devices, and no outcome of their reviews', () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 2, maxLength: 14 }), (acts) => {
      const devices = run(acts, false);
      const { pending, settled } = devices[0]!.folded;
      const fatesOf = (id: string): Set<string> => new Set(devices.flatMap(({ fates }) => [...(fates.get(id) ?? [])]));
      const ids = devices.flatMap(({ proposed }) => proposed);
      const waits = pending?.changes.map(({ id }) => id) ?? [];
      expect([...waits].sort()).toEqual(ids.filter((id) => fatesOf(id).size === 0).sort());
      const applied = settled.flatMap((each) => each.applied.map(({ change }) => change.id));
      expect([...applied].sort()).toEqual(ids.filter((id) => fatesOf(id).has('applied')).sort());
      const rejected = settled.flatMap((each) => each.rejected.map(({ id }) => id));
      expect(new Set(rejected).size).toBe(rejected.length);
      for (const id of rejected) expect([...fatesOf(id)]).toEqual(expect.arrayContaining(['rejected']));
      for (const id of rejected) expect(applied).not.toContain(id);
    }),
    { seed, numRuns: 300 },
  );
});

it('reads older entries, which do not name what was rejected, as the ones of a device alone', () => {
  const alone = fc
    .array(act, { minLength: 2, maxLength: 14 })
    .map((acts) => acts.map((each) => ({ ...each, device: 0 })));
  fc.assert(
    fc.property(alone, (acts) => {
      const [older, newer] = [run(acts, true)[0]!.folded, run(acts, false)[0]!.folded];
      expect(older).toEqual(newer);
    }),
    { seed, numRuns: 300 },
  );
});
