/** Folds the goals of a chat from its log: the same on every device, in any order of writing its shards (S5). */
import { pathAfterMove } from '../base/fold';
import type { SessionEntry } from '../session/entry';
import type { Artifact, GoalEvent } from '../session/goal-entry';
import { runningFold } from '../session/running-fold';
import {
  findProblem,
  type GoalProblem,
  type GoalState,
  type Goals,
  noGoalState,
  noGoals,
  type RecordedGoalEvent,
  type StoredCheckpoint,
  type StoredGoal,
  sameWords,
} from './goal-state';

export const foldGoals: (entries: readonly SessionEntry[]) => GoalState = runningFold<SessionEntry, GoalState>({
  start: () => noGoalState,
  add(state, entry) {
    if (entry.kind === 'goal') return advanceGoals(state, entry);
    const isNew = entry.kind === 'user' && state.recentFrom !== state.records.length;
    return isNew ? { ...state, recentFrom: state.records.length } : state;
  },
  copy: (state) => state,
});

/** Returns the state after one more event; the same state if a rule forbids the event. */
export function advanceGoals(state: GoalState, { id, time, origin, event }: RecordedGoalEvent): GoalState {
  const record: RecordedGoalEvent = { id, time, origin, event };
  if (judgeGoalEvent(state, record) !== null) return state;
  const records = [...state.records, record];
  if (event.type !== 'undone' && event.type !== 'redone')
    return { ...state, ...applyGoalEvent(state, record), records };
  const undone = toggle(state, event);
  return { ...state, ...replay(state.records, undone), records, undone };
}

/** Returns why an event would have no effect; null if it has one. */
export function judgeGoalEvent(
  state: GoalState,
  record: Pick<RecordedGoalEvent, 'origin' | 'event'>,
): GoalProblem | null {
  const { event } = record;
  if (event.type !== 'undone' && event.type !== 'redone') return findProblem(state, record);
  const target = state.records.find(({ id }) => id === event.event);
  if (target === undefined || 'event' in target.event) return 'no-event';
  if (state.undone.has(target.id) === (event.type === 'undone')) return 'unchanged';
  const after = replay(state.records, toggle(state, event));
  return changesLocked(state, after, target.id) ? 'locked' : null;
}

type Toggle = Extract<RecordedGoalEvent['event'], { readonly type: 'undone' | 'redone' }>;

function toggle({ undone }: GoalState, { type, event }: Toggle): ReadonlySet<string> {
  const changed = new Set(undone);
  if (type === 'undone') changed.add(event);
  else changed.delete(event);
  return changed;
}

function replay(records: readonly RecordedGoalEvent[], undone: ReadonlySet<string>): Goals {
  return records.filter(({ id }) => !undone.has(id)).reduce(applyGoalEvent, noGoals);
}

/** Whether a locked decision would change in any way other than the end of its lock or of its whole goal (R115). */
function changesLocked(before: Goals, after: Goals, target: string): boolean {
  return before.list.some((goal) => {
    const now = after.list.find(({ id }) => id === goal.id);
    if (now === undefined && goal.id === target) return false;
    return goal.decisions.some((decision) => {
      if (!decision.locked || decision.lockedBy === target) return false;
      const next = now?.decisions.find(({ id }) => id === decision.id);
      return !(next?.locked && next.description === decision.description && next.rationale === decision.rationale);
    });
  });
}

/** Applies an event to the goals: pure and total, and without effect if a rule forbids the event. */
function applyGoalEvent(goals: Goals, record: RecordedGoalEvent): Goals {
  const problem = findProblem(goals, record);
  if (problem !== null && !isMadeAnyway(record.event, problem)) return goals;
  const { event, id, time } = record;
  switch (event.type) {
    case 'created': {
      const { description, priority } = event;
      const goal: StoredGoal = {
        id,
        description,
        priority,
        status: 'active',
        createdAt: time,
        checkpoints: [],
        decisions: [],
        artifacts: [],
        pinned: false,
        dismissed: false,
      };
      return { list: [...pauseOthers(goals.list, id), goal], front: id };
    }
    case 'artifact-renamed':
      return { ...goals, list: goals.list.map((goal) => rename(goal, event.from, event.to)) };
    case 'undone':
    case 'redone':
      return goals;
    case 'resumed':
      return { list: changeGoal(pauseOthers(goals.list, event.goal), event.goal, resume), front: event.goal };
    default:
      return { ...goals, list: changeGoal(goals.list, event.goal, (goal) => change(goal, event, record)) };
  }
}

/** An item that was once created is not lost because an earlier undo leaves another one with the same words. */
function isMadeAnyway({ type }: GoalEvent, problem: GoalProblem): boolean {
  return type === 'created' || (type === 'checkpoint-created' && problem === 'unchanged');
}

function changeGoal(
  list: readonly StoredGoal[],
  id: string,
  make: (goal: StoredGoal) => StoredGoal,
): readonly StoredGoal[] {
  return list.map((goal) => (goal.id === id ? make(goal) : goal));
}

function pauseOthers(list: readonly StoredGoal[], id: string): readonly StoredGoal[] {
  return list.map((goal) => (goal.status === 'active' && goal.id !== id ? { ...goal, status: 'paused' } : goal));
}

function resume({ completedAt: _time, summary: _summary, ...goal }: StoredGoal): StoredGoal {
  return { ...goal, status: 'active', dismissed: false };
}

type GoalChange = Exclude<Extract<GoalEvent, { readonly goal: string }>, { readonly type: 'resumed' }>;

function change(goal: StoredGoal, event: GoalChange, { id, time }: RecordedGoalEvent): StoredGoal {
  switch (event.type) {
    case 'paused':
      return { ...goal, status: 'paused' };
    case 'dismissed':
      return { ...goal, status: goal.status === 'active' ? 'paused' : goal.status, dismissed: true };
    case 'pinned':
      return { ...goal, pinned: event.pinned };
    case 'completed':
      return { ...goal, status: 'completed', completedAt: time, summary: event.summary };
    case 'edited':
      return edit(goal, event);
    case 'checkpoint-created': {
      const { type: _type, goal: _goal, ...checkpoint } = event;
      const done = checkpoint.status === 'completed' ? { completedAt: time } : {};
      return withoutStaleNext({ ...goal, checkpoints: [...goal.checkpoints, { id, ...checkpoint, ...done }] });
    }
    case 'checkpoint-updated':
      return withoutStaleNext({
        ...goal,
        checkpoints: goal.checkpoints.map((each) => (each.id === event.checkpoint ? mark(each, event, time) : each)),
      });
    case 'decision-recorded':
      return record(goal, event, id);
    case 'decision-locked':
      return {
        ...goal,
        decisions: goal.decisions.map((each) =>
          each.id === event.decision ? { ...each, locked: true, lockedBy: id } : each,
        ),
      };
    case 'artifact-recorded':
      return { ...goal, artifacts: withArtifact(goal.artifacts, event.artifact) };
    case 'next-set': {
      const { next: _next, ...rest } = goal;
      return event.description === '' ? rest : { ...rest, next: event.description };
    }
  }
}

function edit(goal: StoredGoal, event: Extract<GoalEvent, { readonly type: 'edited' }>): StoredGoal {
  const { target, description, priority } = event;
  if (target === goal.id) {
    return { ...goal, description: description ?? goal.description, priority: priority ?? goal.priority };
  }
  const reword = <Item extends { readonly id: string; readonly description: string }>(item: Item): Item =>
    item.id === target ? { ...item, description: description ?? item.description } : item;
  return { ...goal, checkpoints: goal.checkpoints.map(reword), decisions: goal.decisions.map(reword) };
}

function mark(
  { completedAt: _time, blocker: _blocker, ...checkpoint }: StoredCheckpoint,
  { status, blocker }: Extract<GoalEvent, { readonly type: 'checkpoint-updated' }>,
  time: number,
): StoredCheckpoint {
  const done = status === 'completed' ? { completedAt: time } : {};
  return { ...checkpoint, status, ...done, ...(blocker === undefined ? {} : { blocker }) };
}

/** Clears the next step once the last checkpoint is completed, until a new one is named. */
function withoutStaleNext(goal: StoredGoal): StoredGoal {
  if (goal.checkpoints.some(({ status }) => status !== 'completed')) return goal;
  const { next: _next, ...rest } = goal;
  return rest;
}

function record(
  goal: StoredGoal,
  { description, rationale, locked }: Extract<GoalEvent, { readonly type: 'decision-recorded' }>,
  id: string,
): StoredGoal {
  const lock = locked ? { locked, lockedBy: id } : {};
  const known = goal.decisions.find((each) => sameWords(each.description, description));
  if (known === undefined) {
    return { ...goal, decisions: [...goal.decisions, { id, description, rationale, locked: false, ...lock }] };
  }
  const decisions = goal.decisions.map((each) => (each === known ? { ...each, rationale, ...lock } : each));
  return { ...goal, decisions };
}

/** A file that was created and then changed counts as created; the newest artifact comes last. */
function withArtifact(artifacts: readonly Artifact[], artifact: Artifact): readonly Artifact[] {
  return [...artifacts.filter(({ path }) => path !== artifact.path), artifact];
}

function rename(goal: StoredGoal, from: string, to: string): StoredGoal {
  const moved = (path: string): string => pathAfterMove(path, from, to) ?? path;
  if (goal.artifacts.every(({ path }) => moved(path) === path)) return goal;
  return { ...goal, artifacts: goal.artifacts.map((each) => ({ ...each, path: moved(each.path) })) };
}
