/** The goal as it stands at this turn, with the marks that suit the tier (R112, K5, K27). */
import type { Fact } from '../section';
import type { Goal } from '../turn-data';

export interface LiveGoal {
  readonly goal: Goal;
  /** ASCII marks cost small models less. */
  readonly plainMarks: boolean;
}

export const goalProgress: Fact<LiveGoal | null> = {
  id: 'goal-progress',
  gather: ({ turn: { goal, tier } }) => goal && { goal, plainMarks: tier <= 2 },
};
