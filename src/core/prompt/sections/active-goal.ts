/** The goal of this chat: it stays in view whatever becomes of the history (R112, R118, R119). */
import { activeGoal, turnState } from '../facts';
import { formatGoal, formatGoalHead, goalReporting, isGoalWhole } from '../format-goal';
import { section } from '../section';

export const activeGoalSection = section({
  id: 'active-goal',
  tag: 'active_goal',
  zone: 'instructions',
  afterBase: true,
  flatOrder: 16,
  priority: 96,
  trim: 'never',
  needs: { goal: activeGoal, state: turnState },
  when: ({ goal }) => goal !== null,
  full: ({ goal, state }) => {
    if (goal === null) return [];
    const text = isGoalWhole(state) ? formatGoal(goal, state.tier) : formatGoalHead(goal, state.tier);
    const reporting = goalReporting(goal, state);
    return [reporting === '' ? text : `${text}\n\n${reporting}`];
  },
  brief: ({ goal, state }) => (goal === null ? [] : [formatGoalHead(goal, state.tier)]),
});
