/** When a goal is done: all its checkpoints are, and nothing is named as the next step (R117). */
import type { GoalEvent } from '../session/goal-entry';
import { activeGoalIn, type GoalState, isAutomatic } from './goal-state';

/** The event that completes the goal; null while there is something left to do. */
export function completionOf(state: GoalState): GoalEvent | null {
  const goal = activeGoalIn(state);
  if (goal === null || goal.checkpoints.length === 0 || goal.next !== undefined) return null;
  if (goal.checkpoints.some(({ status }) => status !== 'completed')) return null;
  return { type: 'completed', goal: goal.id, summary: '' };
}

/** The same, when the model has worked on the checkpoints since the user's newest message: what the user has opened again stays open. */
export function completionByModel(state: GoalState): GoalEvent | null {
  const worked = state.records
    .slice(state.recentFrom)
    .some(
      ({ id, origin, event }) => isAutomatic(origin) && event.type.startsWith('checkpoint-') && !state.undone.has(id),
    );
  return worked ? completionOf(state) : null;
}
