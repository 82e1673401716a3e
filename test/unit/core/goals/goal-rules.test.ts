/** The rules for goals: which event can take effect, and why another one cannot. */
import {
  activeGoalIn,
  findByWords,
  findProblem,
  frontGoal,
  goalFailure,
  goalProgressOf,
  type GoalProblem,
  type Goals,
  isAutomatic,
  maxItems,
  noGoals,
  sameWords,
  type StoredGoal,
} from '../../../../src/core/goals/goal-state';
import { foldGoals, judgeGoalEvent } from '../../../../src/core/goals/fold-goals';
import { automaticChanges } from '../../../../src/core/goals/goal-request';
import type { SessionEntry } from '../../../../src/core/session/entry';
import type { GoalEvent, GoalOrigin } from '../../../../src/core/session/goal-entry';
import { entry, user } from '../../../support/entries';

const checkpoint = { id: 'c', description: 'Scrape', status: 'pending' } as const;
const decision = { id: 'd', description: 'Red', rationale: 'As before', locked: false } as const;
const artifact = { type: 'note', path: 'A.md', action: 'created' } as const;
const goalWith = (more: Partial<StoredGoal> = {}): StoredGoal => ({
  ...{ id: 'g', description: 'Launch', priority: 'high', status: 'active', createdAt: 0, pinned: false },
  ...{ dismissed: false, checkpoints: [checkpoint], decisions: [decision], artifacts: [artifact] },
  ...more,
});
const goalsWith = (more: Partial<StoredGoal> = {}): Goals => ({ list: [goalWith(more)], front: 'g' });
const problemOf = (event: unknown, more: Partial<StoredGoal> = {}, origin: GoalOrigin = 'user'): GoalProblem | null =>
  findProblem(goalsWith(more), { event: { goal: 'g', ...(event as object) } as GoalEvent, origin });

const many = <Item>(make: (at: number) => Item, count = maxItems): Item[] =>
  Array.from({ length: count }, (_, at) => make(at));
const paused = { status: 'paused' } as const;
const completed = { status: 'completed' } as const;
const created = { type: 'created', description: 'Paint', priority: 'low' };
const newCheckpoint = { type: 'checkpoint-created', description: 'Paint', status: 'pending' };
const newDecision = { type: 'decision-recorded', description: 'Oak', rationale: 'Dry', locked: false };
const changed = (action: string, path = 'A.md') => ({
  type: 'artifact-recorded',
  artifact: { ...artifact, path, action },
});

it.each<[string, object, Partial<StoredGoal>, GoalProblem | null]>([
  ['a new goal', created, {}, null],
  ['a goal without words', { ...created, description: '' }, {}, 'empty'],
  ['the same goal', { ...created, description: 'launch.' }, {}, 'unchanged'],
  ['the same goal once it is paused', { ...created, description: 'Launch' }, paused, null],
  ['the same goal once it is dismissed', { ...created, description: 'Launch' }, { dismissed: true }, null],
  ['a file renamed', { type: 'artifact-renamed', from: 'A.md', to: 'B.md' }, {}, null],
  ['a file renamed to its name', { type: 'artifact-renamed', from: 'A.md', to: 'A.md' }, {}, 'unchanged'],
  ['an event undone', { type: 'undone', event: 'e' }, {}, null],
  ['an event redone', { type: 'redone', event: 'e' }, {}, null],
  ['another goal', { type: 'paused', goal: 'h' }, {}, 'no-goal'],
  ['a pause', { type: 'paused' }, {}, null],
  ['a second pause', { type: 'paused' }, paused, 'unchanged'],
  ['a pause of a completed goal', { type: 'paused' }, completed, 'unchanged'],
  ['going on with an active goal', { type: 'resumed' }, {}, 'unchanged'],
  ['going on with a paused goal', { type: 'resumed' }, paused, null],
  ['going on with a dismissed goal', { type: 'resumed' }, { dismissed: true }, null],
  ['a dismissal', { type: 'dismissed' }, {}, null],
  ['a second dismissal', { type: 'dismissed' }, { dismissed: true }, 'unchanged'],
  ['a pin', { type: 'pinned', pinned: true }, {}, null],
  ['a second pin', { type: 'pinned', pinned: true }, { pinned: true }, 'unchanged'],
  ['a pin removed', { type: 'pinned', pinned: false }, { pinned: true }, null],
  ['an end', { type: 'completed', summary: '' }, {}, null],
  ['a second end', { type: 'completed', summary: '' }, completed, 'unchanged'],
  ['new words', { type: 'edited', target: 'g', description: 'Sail' }, {}, null],
  ['the same words', { type: 'edited', target: 'g', description: 'Launch' }, {}, 'unchanged'],
  ['no words', { type: 'edited', target: 'g', description: '' }, {}, 'empty'],
  ['another priority', { type: 'edited', target: 'g', priority: 'low' }, {}, null],
  ['the same priority', { type: 'edited', target: 'g', priority: 'high' }, {}, 'unchanged'],
  ['new words of a checkpoint', { type: 'edited', target: 'c', description: 'Sand' }, {}, null],
  [
    'the same words of a checkpoint',
    { type: 'edited', target: 'c', description: 'Scrape', priority: 'low' },
    {},
    'unchanged',
  ],
  ['new words of a decision', { type: 'edited', target: 'd', description: 'Blue' }, {}, null],
  [
    'new words of a locked decision',
    { type: 'edited', target: 'd', description: 'Blue' },
    { decisions: [{ ...decision, locked: true }] },
    'locked',
  ],
  ['new words of nothing', { type: 'edited', target: 'x', description: 'Blue' }, {}, 'no-item'],
  ['new words of a completed goal', { type: 'edited', target: 'g', description: 'Sail' }, completed, null],
  ['a checkpoint', newCheckpoint, {}, null],
  ['a checkpoint without words', { ...newCheckpoint, description: '' }, {}, 'empty'],
  ['a checkpoint that is there', { ...newCheckpoint, description: ' scrape' }, {}, 'unchanged'],
  ['a checkpoint of a completed goal', newCheckpoint, completed, 'completed'],
  ['a checkpoint of a paused goal', newCheckpoint, paused, null],
  [
    'the last checkpoint',
    newCheckpoint,
    { checkpoints: many((at) => ({ ...checkpoint, description: `${at}` }), maxItems - 1) },
    null,
  ],
  [
    'one checkpoint too many',
    newCheckpoint,
    { checkpoints: many((at) => ({ ...checkpoint, description: `${at}` })) },
    'full',
  ],
  ['a checkpoint done', { type: 'checkpoint-updated', checkpoint: 'c', status: 'completed' }, {}, null],
  ['a checkpoint as it is', { type: 'checkpoint-updated', checkpoint: 'c', status: 'pending' }, {}, 'unchanged'],
  [
    'a checkpoint blocked',
    { type: 'checkpoint-updated', checkpoint: 'c', status: 'pending', blocker: 'Rain' },
    {},
    null,
  ],
  ['an unknown checkpoint', { type: 'checkpoint-updated', checkpoint: 'd', status: 'completed' }, {}, 'no-item'],
  ['a decision', newDecision, {}, null],
  ['a decision without words', { ...newDecision, description: '' }, {}, 'empty'],
  ['a decision that is there', { ...newDecision, description: 'red', rationale: 'As before' }, {}, 'unchanged'],
  [
    'a decision that is there, locked',
    { ...newDecision, description: 'red', rationale: 'As before', locked: true },
    {},
    null,
  ],
  ['another reason for a decision', { ...newDecision, description: 'red' }, {}, null],
  [
    'another reason for a locked decision',
    { ...newDecision, description: 'red' },
    { decisions: [{ ...decision, locked: true }] },
    'locked',
  ],
  [
    'the same reason for a locked decision',
    { ...newDecision, description: 'red', rationale: 'As before', locked: true },
    { decisions: [{ ...decision, locked: true }] },
    'unchanged',
  ],
  [
    'the last decision',
    newDecision,
    { decisions: many((at) => ({ ...decision, description: `${at}` }), maxItems - 1) },
    null,
  ],
  ['one decision too many', newDecision, { decisions: many((at) => ({ ...decision, description: `${at}` })) }, 'full'],
  ['a lock', { type: 'decision-locked', decision: 'd' }, {}, null],
  [
    'a second lock',
    { type: 'decision-locked', decision: 'd' },
    { decisions: [{ ...decision, locked: true }] },
    'unchanged',
  ],
  ['a lock of nothing', { type: 'decision-locked', decision: 'c' }, {}, 'no-item'],
  ['a file', changed('modified', 'B.md'), {}, null],
  ['a file without a path', changed('modified', ''), {}, 'bad-path'],
  ['a file that was created and changed', changed('modified'), {}, 'unchanged'],
  ['a file that was created twice', changed('created'), {}, 'unchanged'],
  ['a file that was created and deleted', changed('deleted'), {}, null],
  [
    'a file that was deleted and changed',
    changed('modified'),
    { artifacts: [{ ...artifact, action: 'deleted' }] },
    null,
  ],
  [
    'the last file',
    changed('created', 'B.md'),
    { artifacts: many((at) => ({ ...artifact, path: `${at}` }), maxItems - 1) },
    null,
  ],
  [
    'one file too many',
    changed('created', 'B.md'),
    { artifacts: many((at) => ({ ...artifact, path: `${at}` })) },
    'full',
  ],
  ['a next step', { type: 'next-set', description: 'Ring' }, {}, null],
  ['the same next step', { type: 'next-set', description: 'Ring' }, { next: 'Ring' }, 'unchanged'],
  ['no next step where there is none', { type: 'next-set', description: '' }, {}, 'unchanged'],
  ['no next step', { type: 'next-set', description: '' }, { next: 'Ring' }, null],
])('judges %s', (_what, event, more, problem) => {
  expect(problemOf(event, more)).toBe(problem);
});

it.each(['model-marker', 'model-tool'] as const)('protects a pinned goal from a %s, and no other', (origin) => {
  const ends = [{ type: 'paused' }, { type: 'dismissed' }, { type: 'completed', summary: '' }];
  const edit = { type: 'edited', target: 'g', description: 'Sail' };
  for (const event of [...ends, edit, created]) {
    expect(problemOf(event, { pinned: true }, origin)).toBe('pinned');
    for (const other of ['user', 'vault'] as const) expect(problemOf(event, { pinned: true }, other)).toBeNull();
    expect(problemOf(event, {}, origin)).toBeNull();
  }
  expect(problemOf({ type: 'pinned', pinned: true }, {}, origin)).toBe('pinned');
  expect(problemOf({ ...edit, target: 'c' }, { pinned: true }, origin)).toBeNull();
  expect(problemOf(newCheckpoint, { pinned: true }, origin)).toBeNull();
  expect(problemOf({ ...created, description: 'Launch' }, paused, origin)).toBe('unchanged');
  expect(isAutomatic(origin)).toBe(true);
});

it('shows the goal in front until it is dismissed, and sends it unless it is paused', () => {
  const ids = (goals: Goals) => [frontGoal(goals)?.id, activeGoalIn(goals)?.id];
  expect(ids(noGoals)).toEqual([undefined, undefined]);
  expect(ids(goalsWith())).toEqual(['g', 'g']);
  expect(ids(goalsWith(paused))).toEqual(['g', undefined]);
  expect(ids(goalsWith(completed))).toEqual(['g', 'g']);
  expect(ids(goalsWith({ dismissed: true }))).toEqual([undefined, undefined]);
  expect(ids({ ...goalsWith(), front: 'h' })).toEqual([undefined, undefined]);
  expect([isAutomatic('user'), isAutomatic('vault')]).toEqual([false, false]);
});

it.each<[StoredGoal['status'], readonly ('pending' | 'in-progress' | 'completed')[], number, number]>([
  ['active', [], 0, 0],
  ['completed', [], 0, 100],
  ['active', ['pending', 'in-progress'], 0, 0],
  ['active', ['completed', 'pending', 'pending'], 1, 33],
  ['active', ['completed', 'completed', 'pending'], 2, 66],
  ['active', ['completed'], 1, 100],
  ['completed', ['completed', 'pending'], 1, 50],
])('is for a goal that is %s with %j at %i checkpoints: %i percent', (status, states, done, percentage) => {
  const checkpoints = states.map((state, at) => ({ ...checkpoint, id: `${at}`, status: state }));
  expect(goalProgressOf({ status, checkpoints })).toEqual({ completed: done, total: states.length, percentage });
});

it('takes words for the same but for case, accents, blanks, and a last point', () => {
  for (const [one, other] of [
    ['Caf\u00e9  one', ' cafe One.'],
    ['a.', 'A'],
    ['', '  '],
  ] as const)
    expect(sameWords(one, other)).toBe(true);
  for (const [one, other] of [
    ['a', 'b'],
    ['a..', 'a'],
    ['a b', 'ab'],
  ] as const)
    expect(sameWords(one, other)).toBe(false);
});

it('finds an item by its words, also behind a number that a list shows', () => {
  const items = ['Scrape', '2. Paint', 'Paint'].map((description) => ({ description }));
  expect(findByWords(items, 'paint')).toBe(items[2]);
  expect(findByWords(items, '2. paint')).toBe(items[1]);
  expect(findByWords(items, '1) scrape')).toBe(items[0]);
  expect(findByWords(items, '123. scrape')).toBe(items[0]);
  for (const words of ['1234. scrape', '1.scrape', 'sand']) expect(findByWords(items, words)).toBeUndefined();
});

it.each([
  ['no-goal', 'not-found'],
  ['no-item', 'not-found'],
  ['no-event', 'not-found'],
  ['locked', 'refused'],
  ['pinned', 'refused'],
  ['completed', 'refused'],
  ['full', 'limit'],
  ['empty', 'invalid-input'],
  ['bad-path', 'invalid-input'],
] as const)('explains %s as a failure of the kind %s', (problem, kind) => {
  expect(goalFailure(problem)).toMatchObject({ ok: false, failure: { kind } });
});

it('says in words what the model changed on its own, the newest first', () => {
  let count = 0;
  const log: SessionEntry[] = [];
  const add = (event: object, origin: GoalOrigin = 'model-tool'): string => {
    const id = `e${(count += 1)}`;
    log.push(entry({ kind: 'goal', origin, event: event as GoalEvent }, { id, time: count }));
    return id;
  };
  const goal = add({ type: 'created', description: 'Launch', priority: 'high' });
  const scrape = add({ type: 'checkpoint-created', goal, description: 'Scrape', status: 'pending' });
  add({ type: 'checkpoint-created', goal, description: 'Paint', status: 'in-progress' }, 'model-marker');
  add({ type: 'checkpoint-created', goal, description: 'Sand', status: 'pending', blocker: 'Rain' });
  for (const status of ['in-progress', 'completed', 'pending']) {
    add({ type: 'checkpoint-updated', goal, checkpoint: scrape, status });
  }
  add({ type: 'checkpoint-updated', goal, checkpoint: scrape, status: 'pending', blocker: 'Wind' });
  const red = add({ type: 'decision-recorded', goal, description: 'Red', rationale: 'r', locked: false });
  add({ type: 'decision-recorded', goal, description: 'Oak', rationale: 'r', locked: true });
  add({ type: 'decision-locked', goal, decision: red });
  for (const action of ['modified', 'deleted', 'created']) {
    add({ type: 'artifact-recorded', goal, artifact: { type: 'note', path: 'A.md', action } });
  }
  add({ type: 'artifact-renamed', from: 'A.md', to: 'B.md' });
  add({ type: 'next-set', goal, description: 'Ring' });
  add({ type: 'next-set', goal, description: '' });
  log.push(entry(user('Go on.')));
  add({ type: 'edited', goal, target: scrape, description: 'Scrape well' });
  add({ type: 'edited', goal, target: goal, priority: 'low' });
  add({ type: 'pinned', goal, pinned: true }, 'user');
  add({ type: 'pinned', goal, pinned: false }, 'user');
  add({ type: 'paused', goal });
  add({ type: 'resumed', goal });
  const end = add({ type: 'completed', goal, summary: 's' });
  add({ type: 'undone', event: end });
  add({ type: 'dismissed', goal });
  const changes = automaticChanges(foldGoals(log)).reverse();
  expect(changes.map(({ text }) => text)).toEqual([
    ...['Set the goal “Launch”', 'Added the checkpoint “Scrape”', 'Started “Paint”', 'Blocked: “Sand” (Rain)'],
    ...['Started “Scrape”', 'Finished “Scrape”', 'Reopened “Scrape”', 'Blocked: “Scrape” (Wind)'],
    ...['Recorded the decision “Red”', 'Locked the decision “Oak”', 'Locked the decision “Red”'],
    ...['Changed A.md', 'Deleted A.md', 'Created A.md', 'Moved A.md to B.md', 'Next step: “Ring”'],
    ...['Removed the next step', 'Reworded to “Scrape well”', 'Reworded to “Launch”', 'Paused the goal “Launch”'],
    ...['Resumed the goal “Launch”', 'Completed the goal “Launch”', 'Undid a change', 'Dismissed the goal “Launch”'],
  ]);
  expect(changes.filter(({ undone }) => undone).map(({ id }) => id)).toEqual([end]);
  expect(changes.findIndex(({ recent }) => recent)).toBe(17);
  expect(changes[0]).toMatchObject({ id: goal, time: 1 });
});

it('redoes only what is undone, and undoes it once', () => {
  const log: SessionEntry[] = [];
  const add = (event: object): string => {
    log.push(entry({ kind: 'goal', origin: 'user', event: event as GoalEvent }));
    return log.at(-1)?.id ?? '';
  };
  const judge = (type: 'undone' | 'redone', event: string): GoalProblem | null =>
    judgeGoalEvent(foldGoals(log), { origin: 'user', event: { type, event } });
  const goal = add({ type: 'created', description: 'Launch', priority: 'high' });
  const pause = add({ type: 'paused', goal });
  expect([judge('redone', pause), judge('undone', pause), judge('undone', 'x')]).toEqual([
    'unchanged',
    null,
    'no-event',
  ]);
  add({ type: 'undone', event: pause });
  expect([judge('redone', pause), judge('undone', pause), judge('redone', 'x')]).toEqual([
    null,
    'unchanged',
    'no-event',
  ]);
});
