/** The workflow of a task, outside Plan and in it (R065-R079). */
import { plansFolder } from '../../library/agent-folder';
import { lines, sentences, steps } from '../../markup/prose';
import { toolNames, writingTools } from '../../markup/variables';
import { subagents } from '../facts/library';
import { offers, type TurnState, turnState } from '../facts/turn-state';
import { section } from '../section';

/** The four phases of Plan, strictly in order (R074-R079); the declarations of the tools are their list. */
export const planningWorkflowSection = section({
  id: 'planning-workflow',
  tag: 'workflow',
  composition: true,
  zone: 'instructions',
  buildOrder: 26,
  priority: 80,
  trim: 'never',
  needs: { state: turnState },
  when: ({ state }) => state.permissionMode === 'plan' && state.tier >= 2,
  full: ({ state }) => [state.tier <= 3 ? describePlanningBriefly(state) : describePlanning(state)],
  brief: ({ state }) => [describePlanningBriefly(state)],
});

function describePlanning(state: TurnState): string {
  return lines(
    'Plan: four phases, each begun when the one before is complete.',
    steps(
      `Requirements: the wish and its limits, from the message and the notes it names. ${missing(state)} No exploring and no plan yet.`,
      'Exploration: by reading tools alone, the patterns, conventions and numbers that matter.',
      `Design: a detailed plan with the paths it touches, ${placeOf(state)}.`,
      approval(state),
    ),
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

function describePlanningBriefly(state: TurnState): string {
  return sentences(
    state.interactive ? 'In this order: ask what is unclear,' : 'In this order:',
    'explore by reading,',
    'write the plan,',
    offers(state, toolNames.exitPlanMode) ? `present it with ${toolNames.exitPlanMode}.` : 'present it.',
  );
}

/** The workflow of a task outside Plan: understand, plan, act, verify, finish (R065-R073). */
export const primaryWorkflowSection = section({
  id: 'primary-workflow',
  tag: 'workflow',
  composition: true,
  zone: 'instructions',
  buildOrder: 27,
  priority: 58,
  trim: 'never',
  needs: { state: turnState, agents: subagents },
  when: ({ state }) => state.tier >= 3 && state.permissionMode !== 'plan',
  full: ({ state, agents }) => {
    const investigator = hasInvestigator(agents);
    return [state.tier === 3 ? describeTaskBriefly(state) : describeTask(state, investigator)];
  },
  brief: ({ state }) => [describeTaskBriefly(state)],
});

const investigatorName = 'vault-investigator';

function hasInvestigator(agents: readonly { readonly name: string }[]): boolean {
  return agents.some(({ name }) => name === investigatorName);
}

/** Whether notes can be changed at all; otherwise the steps after the plan are omitted. */
function canWrite(state: TurnState): boolean {
  return state.permissionMode !== 'read-only' && offers(state, ...writingTools);
}

function describeTask(state: TurnState, investigator: boolean): string {
  const writes = canWrite(state);
  return lines(
    steps(
      understand(state, investigator),
      plan(state, writes),
      writes && act(state),
      writes && 'Verify: unresolved links, doubled headings, property types. Use checks this vault has; assume none.',
      writes && `Compare with the rules the vault states for itself.${state.interactive ? ' Unsure: ask.' : ''}`,
      writes
        ? 'Finish: what you created stays; await the next instruction.'
        : 'Answer; new text stands in it, with its place.',
    ),
    writes &&
      sentences(
        'A new structure (project folder, map of content, templates):',
        state.interactive
          ? 'understand, propose a plan, get approval, build, verify, ask for feedback.'
          : 'understand, plan, build, verify.',
        'Core features first; community plugins only where notes use them.',
      ),
  );
}

function understand(state: TurnState, investigator: boolean): string {
  const look = [toolNames.searchNotes, toolNames.findNotes, toolNames.noteLinks].filter((name) => offers(state, name));
  return sentences(
    'Understand:',
    investigator && `what spans the vault goes to ${investigatorName} as a closed question.`,
    look.length > 0
      ? `${investigator ? 'Else' : 'use'} ${look.join(', ')} side by side, then the passages that matter, several at once.`
      : 'rest on the text that is here.',
  );
}

function plan(state: TurnState, writes: boolean): string {
  return sentences(
    'Plan from what you read.',
    writes && state.interactive && 'Ask before a change that was implied, not stated.',
    offers(state, toolNames.writeTodos) && `${toolNames.writeTodos} from three steps on.`,
    writes && 'Share a short plan from four notes on.',
  );
}

/** Prefers Obsidian's own operations to edits of text (R067). */
function act(state: TurnState): string {
  const own = [
    offers(state, toolNames.moveNote) && `${toolNames.moveNote} mends links`,
    offers(state, toolNames.setProperties) && `${toolNames.setProperties} keeps types`,
    offers(state, toolNames.createNote) && 'new notes follow a template of the vault',
  ].filter((each) => each !== false);
  return own.length === 0 ? 'Act.' : `Act with the operation made for it before editing text: ${own.join(', ')}.`;
}

function describeTaskBriefly(state: TurnState): string {
  if (!canWrite(state)) return 'Search side by side, read the passages that matter, answer.';
  return 'Understand, plan, act (moves and properties by their own tools), verify links and properties, finish. What you created stays.';
}
