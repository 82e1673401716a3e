/** How far the goal has come: checkpoints, blockers, the next step and what was changed (R118, R126, R262, K5). */
import type { LiveGoal } from '../facts/goal-progress';
import { goalProgress } from '../facts';
import { goalProgressOf } from '../goal-progress';
import { section } from '../section';
import type { Checkpoint, Goal } from '../turn-data';

type Marks = Readonly<Record<Checkpoint['status'], string>>;
const plainMarks: Marks = { completed: '[x]', 'in-progress': '[>]', pending: '[ ]' };
const pictureMarks: Marks = { completed: '✅', 'in-progress': '🔄', pending: '⬜' };

export const goalProgressSection = section({
  id: 'goal-progress',
  tag: 'goal_progress',
  zone: 'turn',
  flatOrder: 116,
  priority: 88,
  trim: 'never',
  needs: { live: goalProgress },
  when: ({ live }) => live !== null && live.goal.status !== 'paused' && hasMoved(live.goal),
  full: ({ live }) => (live === null ? [] : [show(live)]),
  brief: ({ live }) => (live === null ? [] : [[sumUp(live.goal), ...nextOf(live.goal)].join('\n')]),
});

function hasMoved({ checkpoints, artifacts, next, status }: Goal): boolean {
  return checkpoints.length + artifacts.length > 0 || next !== undefined || status === 'completed';
}

function show({ goal, plainMarks: plain }: LiveGoal): string {
  const marks = plain ? plainMarks : pictureMarks;
  return [
    sumUp(goal),
    ...goal.checkpoints.map(
      ({ description, status, blocker }, index) =>
        `${index + 1}. ${marks[status]} ${description}${blocker === undefined ? '' : ` (blocked: ${blocker})`}`,
    ),
    ...nextOf(goal),
    ...(goal.artifacts.length === 0
      ? []
      : ['Changed so far:', ...goal.artifacts.map(({ path, action }) => `- ${action} ${path}`)]),
  ].join('\n');
}

function sumUp(goal: Goal): string {
  const { completed, total, percentage } = goalProgressOf(goal);
  const done = goal.status === 'completed' ? 'The goal is completed' : 'The goal is under way';
  return total === 0 ? `${done}.` : `${done}: ${completed} of ${total} checkpoints done (${percentage} %).`;
}

function nextOf({ next }: Goal): string[] {
  return next === undefined ? [] : [`Next: ${next}`];
}
