/** The goal as it stands at this turn; null where the whole of it stands in the system prompt (R112, K5). */
import type { Goal } from '../../session/goal-entry';
import type { Tier } from '../../settings/mode';
import { isGoalWhole } from '../format-goal';
import type { Fact } from '../section';

export interface LiveGoal {
  readonly goal: Goal;
  readonly tier: Tier;
}

export const goalProgress: Fact<LiveGoal | null> = {
  id: 'goal-progress',
  gather: ({ turn }) => (turn.goal === null || isGoalWhole(turn) ? null : { goal: turn.goal, tier: turn.tier }),
};
