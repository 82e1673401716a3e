/** For any sequence of goal events, locked decisions stay, undo restores the previous goal, and merged logs agree. */
import * as fc from 'fast-check';
import { advanceGoals, foldGoals } from '../../src/core/goals/fold-goals';
import { type GoalState, noGoalState, type RecordedGoalEvent } from '../../src/core/goals/goal-state';
import type { Shard } from '../../src/core/ports/device';
import type { EntryHeader, SessionEntry } from '../../src/core/session/entry';
import type { GoalEvent, GoalOrigin } from '../../src/core/session/goal-entry';
import { encodeEntry } from '../../src/core/session/log-format';
import { expectSame } from 'obsidian-workbench/testing/expect-same';
import { digest } from '../support/memory-ports';
import { seed } from './hostile-text';
import { mergeShards } from '../support/merge-shards';

const size = 24;
/** Ids of events are their places, so that events of all kinds speak of one another. */
const id = fc.integer({ min: 0, max: size }).map((number) => `e${number}`);
const description = fc.constantFrom('One', 'one.', 'Two', 'Three', '');
const status = fc.constantFrom('pending' as const, 'in-progress' as const, 'completed' as const);
const type = <Type extends string>(name: Type) => fc.constant(name);
const plain: fc.Arbitrary<GoalEvent> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: type('created'), description, priority: fc.constant('high' as const) }) },
  { weight: 3, arbitrary: fc.record({ type: type('checkpoint-created'), goal: id, description, status }) },
  fc.record({ type: type('paused'), goal: id }),
  fc.record({ type: type('resumed'), goal: id }),
  fc.record({ type: type('dismissed'), goal: id }),
  fc.record({ type: type('pinned'), goal: id, pinned: fc.boolean() }),
  fc.record({ type: type('completed'), goal: id, summary: description }),
  fc.record({ type: type('edited'), goal: id, target: id, description }),
  fc.record({ type: type('checkpoint-updated'), goal: id, checkpoint: id, status }),
  {
    weight: 6,
    arbitrary: fc.record({
      type: type('decision-recorded'),
      goal: id,
      description,
      rationale: description,
      locked: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: type('decision-locked'), goal: id, decision: id }) },
  fc.record({
    type: type('artifact-recorded'),
    goal: id,
    artifact: fc.record({
      type: fc.constant('note' as const),
      path: fc.constantFrom('A.md', 'F/A.md', ''),
      action: fc.constantFrom('created' as const, 'modified' as const),
    }),
  }),
  fc.record({ type: type('artifact-renamed'), from: fc.constantFrom('A.md', 'F'), to: fc.constantFrom('B.md', 'G') }),
  fc.record({ type: type('next-set'), goal: id, description }),
);
const toggle: fc.Arbitrary<GoalEvent> = fc.oneof(
  fc.record({ type: type('undone'), event: id }),
  fc.record({ type: type('redone'), event: id }),
);
/** Most speak of the first goal, so that something happens. */
const event = fc
  .tuple(fc.oneof({ weight: 5, arbitrary: plain }, { weight: 2, arbitrary: toggle }), fc.integer({ min: 0, max: 3 }))
  .map(([made, chance]): GoalEvent => ('goal' in made && chance > 0 ? { ...made, goal: 'e0' } : made));
const origin = fc.constantFrom<GoalOrigin>('user', 'model-marker', 'model-tool', 'vault');
const first: RecordedGoalEvent = {
  id: 'e0',
  time: 0,
  origin: 'user',
  event: { type: 'created', description: 'First', priority: 'high' },
};
const sequence = fc
  .array(fc.tuple(event, origin), { maxLength: size })
  .map((events): RecordedGoalEvent[] => [
    first,
    ...events.map(([made, by], index) => ({ id: `e${index + 1}`, time: index, origin: by, event: made })),
  ]);

const asSeen = ({ list, front }: GoalState): string => JSON.stringify({ list, front });

describe('goals', () => {
  it('R115 a locked decision changes by nothing but the end of its own lock or of its goal', () => {
    let locked = 0;
    fc.assert(
      fc.property(sequence, (records) => {
        let state = noGoalState;
        for (const record of records) {
          const before = state;
          state = advanceGoals(before, record);
          const target = 'event' in record.event ? record.event.event : null;
          for (const goal of before.list) {
            const now = state.list.find((each) => each.id === goal.id);
            if (now === undefined) {
              expectSame(target, goal.id);
              continue;
            }
            for (const decision of goal.decisions) {
              if (!decision.locked || decision.lockedBy === target) continue;
              locked += 1;
              expect(now.decisions).toContainEqual(
                expect.objectContaining({ ...decision, lockedBy: expect.any(String) }),
              );
            }
          }
        }
      }),
      { numRuns: 3_000, seed },
    );
    expect(locked).toBeGreaterThan(1_000);
  });

  it('K18 undo restores what was before, and redo what was after', () => {
    let undone = 0;
    fc.assert(
      fc.property(sequence, (records) => {
        const before = records.slice(0, -1).reduce(advanceGoals, noGoalState);
        const last = records.at(-1) as RecordedGoalEvent;
        const after = advanceGoals(before, last);
        if (after === before || 'event' in last.event) return;
        const toggled = (kind: 'undone' | 'redone'): RecordedGoalEvent => ({
          ...last,
          id: kind,
          event: { type: kind, event: last.id },
        });
        const restored = advanceGoals(after, toggled('undone'));
        expectSame(asSeen(restored), asSeen(before));
        expectSame(asSeen(advanceGoals(restored, toggled('redone'))), asSeen(after));
        undone += 1;
      }),
      { numRuns: 3_000, seed },
    );
    expect(undone).toBeGreaterThan(500);
  });

  it('R112 there is at most one goal under way, and it is the one in front', () => {
    fc.assert(
      fc.property(sequence, (records) => {
        const { list, front } = records.reduce(advanceGoals, noGoalState);
        const active = list.filter((goal) => goal.status === 'active');
        expect(active.length).toBeLessThan(2);
        for (const goal of active) expectSame([goal.id, goal.dismissed], [front, false]);
      }),
      { numRuns: 3_000, seed },
    );
  });

  it('R112 S5 any split of the entries over shards, in any order, folds to the same goals', () => {
    const header = fc.record({ lamport: fc.integer({ min: 0, max: 12 }), writer: fc.constantFrom('w1', 'w2') });
    const entries = fc
      .array(fc.tuple(event, origin, header, fc.integer({ min: 0, max: 2 })), { maxLength: size })
      .map((all) =>
        all.map(([made, by, { lamport, writer }, shard], index) => {
          const head: EntryHeader = { id: `e${index}`, conversation: 'c1', writer, session: 's', lamport, time: index };
          return { shard, entry: { ...head, kind: 'goal', event: made, origin: by } as SessionEntry };
        }),
      );
    fc.assert(
      fc.property(entries, fc.array(fc.nat(), { maxLength: size }), (all, swaps) => {
        const inOne: Shard = { name: 'one', text: all.map(({ entry }) => encodeEntry(entry, digest)).join('') };
        const shuffled = [...all];
        swaps.forEach((swap, index) => {
          if (shuffled.length === 0) return;
          const [a, b] = [swap % shuffled.length, index % shuffled.length];
          [shuffled[a], shuffled[b]] = [shuffled[b] as (typeof all)[0], shuffled[a] as (typeof all)[0]];
        });
        const inThree = [2, 0, 1].map((shard): Shard => {
          const own = shuffled.filter((each) => each.shard === shard);
          return { name: `s${shard}`, text: own.map(({ entry }) => encodeEntry(entry, digest)).join('') };
        });
        const fold = (shards: readonly Shard[]): string => asSeen(foldGoals(mergeShards(shards, digest).entries));
        expectSame(fold(inThree), fold([inOne]));
      }),
      { numRuns: 500, seed },
    );
  });
});
