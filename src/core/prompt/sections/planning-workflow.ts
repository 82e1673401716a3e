/** The four phases of Plan, strictly in order, with the tools it has (R074-R079). */
import { plansFolder } from '../../library/agent-folder';
import { lines, sentences, steps } from '../../markup/prose';
import { planTools, toolNames } from '../../markup/variables';
import { turnState } from '../facts';
import { offers, type TurnState } from '../facts/turn-state';
import { section } from '../section';

export const planningWorkflowSection = section({
  id: 'planning-workflow',
  tag: 'workflow',
  composition: true,
  zone: 'instructions',
  flatOrder: 26,
  priority: 80,
  trim: 'never',
  needs: { state: turnState },
  when: ({ state }) => state.permissionMode === 'plan' && state.tier >= 2,
  full: ({ state }) => [state.tier <= 3 ? briefly(state) : fully(state)],
  brief: ({ state }) => [briefly(state)],
});

function fully(state: TurnState): string {
  const tools = planTools.filter((name) => offers(state, name));
  return lines(
    'Plan: four phases, each begun when the one before is complete.',
    steps(
      `Requirements: the wish and its limits, from the message and the notes it names. ${missing(state)} No exploring and no plan yet.`,
      'Exploration: by reading tools alone, the patterns, conventions and numbers that matter.',
      `Design: a detailed plan with the paths it touches, ${placeOf(state)}.`,
      approval(state),
    ),
    tools.length > 0 && `Tools here: ${tools.join(', ')}.`,
    `Writing: only .md notes in ${plansFolder(state)}.`,
  );
}

function missing(state: TurnState): string {
  if (!state.interactive) return 'Where something vital is missing, assume and note it.';
  return offers(state, toolNames.askUser)
    ? `Ask for what is missing with ${toolNames.askUser}, preferably as a choice.`
    : 'Ask for what is missing, preferably as a choice.';
}

function placeOf(state: TurnState): string {
  return offers(state, toolNames.createNote) ? `saved as one .md note in ${plansFolder(state)}` : 'given in the answer';
}

function approval(state: TurnState): string {
  return sentences(
    offers(state, toolNames.exitPlanMode)
      ? `Approval: present the plan with ${toolNames.exitPlanMode}.`
      : 'Approval: present the plan.',
    'Approved: carry it out. Rejected: revise it.',
  );
}

function briefly(state: TurnState): string {
  return sentences(
    state.interactive ? 'In this order: ask what is unclear,' : 'In this order:',
    'explore by reading,',
    'write the plan,',
    offers(state, toolNames.exitPlanMode) ? `present it with ${toolNames.exitPlanMode}.` : 'present it.',
  );
}
