import { foldGoals } from '../../../../src/core/goals/fold-goals';
import { GoalManager } from '../../../../src/core/goals/goal-manager';
import { automaticChanges, eventsOfRenames } from '../../../../src/core/goals/goal-request';
import { frontGoal, maxItems, type StoredGoal } from '../../../../src/core/goals/goal-state';
import type { Outcome } from '../../../../src/core/ports/failure';
import { SessionLog } from '../../../../src/core/session/session-log';
import { user } from '../../../support/entries';
import { type GoalBench, goalBench } from '../../../support/goals';
import { logPorts, memoryStore } from '../../../support/memory-ports';

/** The value of something that must go well. */
function value<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(outcome.failure.words);
  return outcome.value;
}

const kindOf = (outcome: Outcome<unknown>): string => (outcome.ok ? 'ok' : outcome.failure.kind);

let bench: GoalBench;
let goals: GoalManager;
beforeEach(() => {
  bench = goalBench();
  ({ goals } = bench);
});

const set = async (text = 'Launch the boat'): Promise<StoredGoal> => value(await goals.createGoal(text, 'high'));
const goalNow = (id: string): StoredGoal => goals.getGoalHistory().find((goal) => goal.id === id) as StoredGoal;

describe('goals', () => {
  it('R113 R122 a goal has id, description, priority, status, time, and lists that start empty', async () => {
    const goal = await set();
    expect(goal).toMatchObject({
      id: bench.entries[0]?.id,
      description: 'Launch the boat',
      priority: 'high',
      status: 'active',
      createdAt: bench.entries[0]?.time,
      checkpoints: [],
      decisions: [],
      artifacts: [],
    });
    expect(goals.getActiveGoal()).toBe(goal);
    expect(value(await goals.createGoal('Another')).priority).toBe('medium');
  });

  it('R122 a new goal pauses the old one; pausing and resuming move what is active', async () => {
    const old = await set('Old');
    const fresh = await set('New');
    expect([goalNow(old.id).status, goalNow(fresh.id).status]).toEqual(['paused', 'active']);
    expect(goals.getActiveGoal()?.id).toBe(fresh.id);
    value(await goals.pauseGoal(fresh.id));
    expect(goals.getActiveGoal()).toBeNull();
    value(await goals.resumeGoal(old.id));
    expect(goals.getActiveGoal()?.id).toBe(old.id);
    value(await goals.resumeGoal(fresh.id));
    expect([goalNow(old.id).status, goalNow(fresh.id).status]).toEqual(['paused', 'active']);
  });

  it('R122 R113 completing keeps summary and time', async () => {
    const { id } = await set();
    value(await goals.completeGoal(id, 'She floats.'));
    expect(goalNow(id)).toMatchObject({ status: 'completed', summary: 'She floats.', completedAt: expect.any(Number) });
    value(await goals.resumeGoal(id));
    expect(goalNow(id).completedAt).toBeUndefined();
  });

  it('R114 R123 checkpoints keep description, status, metadata and summary; completed ones bear a time', async () => {
    const { id } = await set();
    const first = value(await goals.createCheckpoint(id, 'List  the faults', { page: 3 }, 'Six faults'));
    const second = value(await goals.createCheckpoint(id, 'Order bolts'));
    expect(first).toMatchObject({
      description: 'List the faults',
      status: 'pending',
      metadata: { page: 3 },
      summary: 'Six faults',
    });
    value(await goals.updateCheckpoint(id, second.id, 'in-progress'));
    value(await goals.updateCheckpoint(id, first.id, 'completed'));
    expect(goalNow(id).checkpoints.map(({ status }) => status)).toEqual(['completed', 'in-progress']);
    expect(goalNow(id).checkpoints[0]?.completedAt).toEqual(expect.any(Number));
    value(await goals.updateCheckpoint(id, first.id, 'pending'));
    expect(goalNow(id).checkpoints[0]?.completedAt).toBeUndefined();
  });

  it('R123 the same checkpoint is not made twice', async () => {
    const { id } = await set();
    const first = value(await goals.createCheckpoint(id, 'Order bolts'));
    expect(value(await goals.createCheckpoint(id, 'order  Bolts.')).id).toBe(first.id);
    expect(goalNow(id).checkpoints).toHaveLength(1);
  });

  it('R115 R124 a locked decision refuses new words, a new reason and removal, whoever asks', async () => {
    const { id } = await set();
    const decision = value(await goals.recordDecision(id, 'Bronze bolts', 'no rust'));
    value(await goals.edit(id, decision.id, 'Bronze bolts only'));
    value(await goals.recordDecision(id, 'Bronze bolts only', 'no rust at all'));
    expect(goalNow(id).decisions).toMatchObject([{ description: 'Bronze bolts only', rationale: 'no rust at all' }]);
    value(await goals.lockDecision(id, decision.id));
    const locked = goalNow(id).decisions;
    expect(locked).toMatchObject([{ locked: true }]);
    expect(kindOf(await goals.edit(id, decision.id, 'Steel'))).toBe('refused');
    expect(kindOf(await goals.recordDecision(id, 'Bronze bolts only', 'cheaper'))).toBe('refused');
    expect(kindOf(await goals.undo(decision.id))).toBe('refused');
    const request = { action: 'decision', description: 'Bronze bolts only', rationale: 'x', locked: false } as const;
    expect(kindOf(await goals.request(request))).toBe('refused');
    expect(goalNow(id).decisions).toEqual(locked);
  });

  it('R115 K18 only taking back the lock itself unlocks', async () => {
    const { id } = await set();
    const decision = value(await goals.recordDecision(id, 'Bronze bolts', ''));
    value(await goals.lockDecision(id, decision.id));
    value(await goals.undo(bench.entries.at(-1)?.id ?? ''));
    expect(goalNow(id).decisions[0]?.locked).toBe(false);
    expect(kindOf(await goals.undo(decision.id))).toBe('ok');
    expect(goalNow(id).decisions).toEqual([]);
  });

  it('R116 R125 records artifacts by path; what was made and changed counts as made', async () => {
    const { id } = await set();
    value(await goals.recordArtifact(id, 'note', 'Projects/Bolts.md', 'created'));
    value(await goals.recordArtifact(id, 'note', 'Projects/Bolts.md', 'modified'));
    value(await goals.recordArtifact(id, 'canvas', 'Plan.canvas', 'created'));
    value(await goals.recordArtifact(id, 'canvas', 'Plan.canvas', 'deleted'));
    expect(goalNow(id).artifacts).toEqual([
      { type: 'note', path: 'Projects/Bolts.md', action: 'created' },
      { type: 'canvas', path: 'Plan.canvas', action: 'deleted' },
    ]);
    expect(kindOf(await goals.recordArtifact(id, 'note', '../outside.md', 'created'))).toBe('invalid-input');
  });

  it('R116 artifacts follow renamed files and folders', async () => {
    const { id } = await set();
    value(await goals.recordArtifact(id, 'note', 'Projects/Boat/Bolts.md', 'created'));
    const renames = [
      { from: 'Other.md', to: 'Else.md' },
      { from: 'Projects/Boat', to: 'Projects/Heron' },
      { from: 'Projects/Heron/Bolts.md', to: 'Projects/Heron/Nuts.md' },
    ];
    const events = eventsOfRenames(goals.state, renames);
    expect(events).toHaveLength(2);
    for (const event of events) value(await goals.act(event, { origin: 'vault' }));
    expect(goalNow(id).artifacts[0]?.path).toBe('Projects/Heron/Nuts.md');
    expect(eventsOfRenames(goals.state, [{ from: 'Projects/Her', to: 'X' }])).toEqual([]);
  });

  it('R126 tells progress and history', async () => {
    const { id } = await set();
    const first = value(await goals.createCheckpoint(id, 'One'));
    for (const text of ['Two', 'Three']) value(await goals.createCheckpoint(id, text));
    value(await goals.updateCheckpoint(id, first.id, 'completed'));
    expect(value(goals.getGoalProgress(id))).toEqual({ completed: 1, total: 3, percentage: 33 });
    const fresh = await set('Next goal');
    expect(goals.getGoalHistory().map((goal) => goal.id)).toEqual([id, fresh.id]);
  });

  it('R262 the next step is replaced by each new one, and gone once all is done', async () => {
    const { id } = await set();
    const only = value(await goals.createCheckpoint(id, 'One'));
    value(await goals.setNext(id, 'Ring the yard'));
    value(await goals.setNext(id, 'Write to the yard'));
    expect(goalNow(id).next).toBe('Write to the yard');
    value(await goals.updateCheckpoint(id, only.id, 'completed'));
    expect(goalNow(id).next).toBeUndefined();
  });

  it('R117 the goal is done when all its checkpoints are, and stays until a new goal or dismissal (K18)', async () => {
    const { id } = await set();
    const checkpoints = [
      value(await goals.createCheckpoint(id, 'One')),
      value(await goals.createCheckpoint(id, 'Two')),
    ];
    value(await goals.updateCheckpoint(id, checkpoints[0]?.id ?? '', 'completed'));
    expect(goalNow(id).status).toBe('active');
    value(await goals.updateCheckpoint(id, checkpoints[1]?.id ?? '', 'completed'));
    expect(goalNow(id).status).toBe('completed');
    expect(goals.getActiveGoal()?.id).toBe(id);
    const fresh = await set('New task');
    expect(goals.getActiveGoal()?.id).toBe(fresh.id);
    value(await goals.completeGoal(fresh.id, ''));
    value(await goals.dismiss(fresh.id));
    expect(goals.getActiveGoal()).toBeNull();
    expect(goals.getGoalHistory()).toHaveLength(2);
  });

  it('K18 the user edits, pins and dismisses; a pinned goal is neither replaced nor ended by the model', async () => {
    const { id } = await set();
    value(await goals.edit(id, id, 'Launch both boats', 'low'));
    expect(goalNow(id)).toMatchObject({ description: 'Launch both boats', priority: 'low' });
    value(await goals.pin(id));
    expect(kindOf(await goals.request({ action: 'goal', description: 'Mine' }))).toBe('refused');
    expect(kindOf(await goals.request({ action: 'complete', summary: '' }))).toBe('refused');
    expect(kindOf(await goals.request({ action: 'next', description: 'Ring' }))).toBe('ok');
    value(await goals.pin(id, false));
    value(await goals.request({ action: 'goal', description: 'Mine' }));
    expect(goals.getActiveGoal()?.description).toBe('Mine');
  });

  it('K18 every change by the model is listed in words and can be taken back, and put back', async () => {
    const { id } = await set();
    await bench.add(user('Go on'));
    value(await goals.request({ action: 'goal', description: 'Paint the boat' }, { origin: 'model-marker' }));
    value(await goals.request({ action: 'checkpoint', description: 'Buy paint', status: 'completed' }));
    const listed = automaticChanges(goals.state);
    expect(listed.map(({ text }) => text)).toEqual(['Finished “Buy paint”', 'Set the goal “Paint the boat”']);
    expect(listed.every(({ recent, undone }) => recent && !undone)).toBe(true);
    value(await goals.undo(listed[1]?.id ?? ''));
    expect(goals.getActiveGoal()?.id).toBe(id);
    expect(automaticChanges(goals.state)[1]?.undone).toBe(true);
    expect(kindOf(await goals.undo('nothing'))).toBe('not-found');
    value(await goals.redo(listed[1]?.id ?? ''));
    expect(goals.getActiveGoal()).toMatchObject({
      description: 'Paint the boat',
      checkpoints: [{ status: 'completed' }],
    });
    await bench.add(user('Again'));
    expect(automaticChanges(goals.state).some(({ recent }) => recent)).toBe(false);
  });

  it('refuses what is not there as a failure in words, and stores nothing for it', async () => {
    const { id } = await set();
    const before = bench.entries.length;
    const asked = [
      goals.pauseGoal('x'),
      goals.completeGoal('x', ''),
      goals.createCheckpoint('x', 'One'),
      goals.updateCheckpoint(id, 'x', 'completed'),
      goals.recordDecision('x', 'One', ''),
      goals.lockDecision(id, 'x'),
      goals.recordArtifact('x', 'note', 'A.md', 'created'),
      goals.setNext('x', 'One'),
      goals.edit(id, 'x', 'One'),
      goals.undo('x'),
      Promise.resolve(goals.getGoalProgress('x')),
    ];
    for (const outcome of await Promise.all(asked)) expect(kindOf(outcome)).toBe('not-found');
    expect(kindOf(await goals.createGoal('  '))).toBe('invalid-input');
    value(await goals.completeGoal(id, ''));
    expect(kindOf(await goals.createCheckpoint(id, 'Late'))).toBe('refused');
    expect(bench.entries).toHaveLength(before + 1);
  });

  it('holds no more than a prompt can bear', async () => {
    const { id } = await set('x'.repeat(1_000));
    expect(goalNow(id).description).toHaveLength(300);
    for (let index = 0; index < maxItems; index += 1) value(await goals.createCheckpoint(id, `Step ${index}`));
    expect(kindOf(await goals.createCheckpoint(id, 'One more'))).toBe('limit');
  });

  it('judges changes asked for at once one after the other', async () => {
    const { id } = await set();
    const twice = await Promise.all([goals.createCheckpoint(id, 'One'), goals.createCheckpoint(id, 'One')]);
    expect(twice.map(kindOf)).toEqual(['ok', 'ok']);
    expect(goalNow(id).checkpoints).toHaveLength(1);
    // The second was judged after the first was written, so that it left no entry.
    expect(bench.entries).toHaveLength(2);
  });

  it('F5 a change that the disk refuses does not hold', async () => {
    bench.store.fault = () => 'lost';
    expect(kindOf(await goals.createGoal('Launch'))).toBe('storage');
    expect(goals.getActiveGoal()).toBeNull();
  });
});

describe('stored goals', () => {
  it('R112 live in entries outside the history and are there again after a reopening', async () => {
    const { id } = await set();
    value(await goals.setNext(id, 'Ring'));
    expect(bench.entries.map(({ kind }) => kind)).toEqual(['goal', 'goal']);
    const again = value(await SessionLog.open('c1', logPorts(bench.store, { session: 's2' })));
    expect(foldGoals(again.entries)).toEqual(goals.state);
  });

  it('K18 a damaged line costs that change alone, and the log says that one is missing', async () => {
    const { id } = await set();
    value(await goals.setNext(id, 'Ring'));
    value(await goals.setNext(id, 'Write'));
    const lines = bench.store.linesOf('c1');
    const damaged = [...lines.slice(0, -1), (lines.at(-1) ?? '').replace('Write', 'Wrong')].join('\n');
    const store = memoryStore(new Map([['c1', new Map([['a', `${damaged}\n`]])]]));
    const log = value(await SessionLog.open('c1', logPorts(store)));
    expect(log.damaged).toBe(1);
    expect(frontGoal(foldGoals(log.entries))?.next).toBe('Ring');
  });

  it('an event of another shape counts as one of a newer version and changes nothing', async () => {
    await set();
    const odd = { kind: 'goal', event: { type: 'created', description: 7 }, origin: 'user' } as never;
    await bench.add(odd);
    await bench.add({ kind: 'goal', event: { type: 'exploded' }, origin: 'user' } as never);
    const again = value(await SessionLog.open('c1', logPorts(bench.store, { session: 's2' })));
    expect(again.entries).toHaveLength(1);
    expect(again.damaged).toBe(0);
  });
});
