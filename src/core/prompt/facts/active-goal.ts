/** The goal of this chat, kept outside its history (R112). */
import type { Fact } from '../section';
import type { Goal } from '../turn-data';

export const activeGoal: Fact<Goal | null> = {
  id: 'active-goal',
  gather: ({ turn }) => turn.goal,
};
