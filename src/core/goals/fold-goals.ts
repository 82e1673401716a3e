/** The goals of a chat, folded from its log: the same on every device, whichever way its parts were written (S5). */
import type { SessionEntry } from '../session/entry';
import { applyGoalEvent } from './apply-goal-event';
import { findProblem, type GoalProblem } from './find-problem';
import { type Goals, type GoalState, noGoals, noGoalState, type RecordedGoalEvent } from './goal-state';

export function foldGoals(entries: readonly SessionEntry[]): GoalState {
  let state = noGoalState;
  for (const entry of entries) {
    if (entry.kind === 'user') state = { ...state, recentFrom: state.records.length };
    if (entry.kind === 'goal') state = advanceGoals(state, entry);
  }
  return state;
}

/** The state with one more event; the same state when a rule forbids it. */
export function advanceGoals(state: GoalState, { id, time, origin, event }: RecordedGoalEvent): GoalState {
  const record: RecordedGoalEvent = { id, time, origin, event };
  if (judgeGoalEvent(state, record) !== null) return state;
  const records = [...state.records, record];
  if (event.type !== 'undone' && event.type !== 'redone')
    return { ...state, ...applyGoalEvent(state, record), records };
  const undone = toggle(state, event);
  return { ...state, ...replay(state.records, undone), records, undone };
}

/** Why an event would have no effect; null when it has one. */
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

/** Whether a locked decision would change by anything but the end of its lock or of its whole goal (R115). */
function changesLocked(before: Goals, after: Goals, target: string): boolean {
  return before.list.some((goal) => {
    const now = after.list.find(({ id }) => id === goal.id);
    if (now === undefined && goal.id === target) return false;
    return goal.decisions.some((decision) => {
      if (!decision.locked || decision.lockedBy === target) return false;
      const kept = now?.decisions.find(({ id }) => id === decision.id);
      return !(kept?.locked && kept.description === decision.description && kept.rationale === decision.rationale);
    });
  });
}
