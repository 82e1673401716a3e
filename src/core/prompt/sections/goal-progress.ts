/** How far the goal has come: told near the user's message, since it moves with the work (R118, R126, R262, K5). */
import type { Goal } from '../../session/goal-entry';
import { goalProgress } from '../facts';
import { formatGoalProgress } from '../format-goal';
import { goalProgressOf } from '../goal-progress';
import { section } from '../section';

export const goalProgressSection = section({
  id: 'goal-progress',
  tag: 'goal_progress',
  zone: 'turn',
  flatOrder: 116,
  priority: 88,
  trim: 'never',
  needs: { live: goalProgress },
  when: ({ live }) => live !== null && live.goal.status !== 'paused' && hasMoved(live.goal),
  full: ({ live }) =>
    live === null ? [] : [[sumUp(live.goal), formatGoalProgress(live.goal, live.tier)].filter(Boolean).join('\n\n')],
  brief: ({ live }) => (live === null ? [] : [[sumUp(live.goal), nextOf(live.goal)].filter(Boolean).join('\n')]),
});

function hasMoved(goal: Goal): boolean {
  return goal.status === 'completed' || formatGoalProgress(goal, 1) !== '';
}

function sumUp(goal: Goal): string {
  const { completed, total, percentage } = goalProgressOf(goal);
  const state = goal.status === 'completed' ? 'The goal is completed' : 'The goal is under way';
  return total === 0 ? `${state}.` : `${state}: ${completed} of ${total} checkpoints done (${percentage} %).`;
}

function nextOf({ next }: Goal): string {
  return next === undefined || next === '' ? '' : `Next: ${next}`;
}
