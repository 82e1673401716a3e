/** The goal of this chat, kept outside its history (R112). */
import type { Goal } from '../../session/goal-entry';
import type { Fact } from '../section';

export const activeGoal: Fact<Goal | null> = {
  id: 'active-goal',
  gather: ({ turn }) => turn.goal,
};
