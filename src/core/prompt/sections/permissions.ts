/** What the agent may do here, what waits for the user, and what to say when a call is refused (R085, K21). */
import { plansFolder } from '../../library/agent-folder';
import { points, sentences } from '../../markup/prose';
import { toolNames, writingTools } from '../../markup/variables';
import type { PermissionMode } from '../../settings/mode';
import { offers, type TurnState, turnState } from '../facts/turn-state';
import { section } from '../section';

export const permissionsSection = section({
  id: 'permissions',
  tag: 'permissions',
  composition: true,
  zone: 'instructions',
  afterBase: true,
  buildOrder: 30,
  priority: 98,
  trim: 'never',
  needs: { state: turnState },
  when: () => true,
  full: ({ state }) => [state.tier <= 3 ? briefly(state) : fully(state)],
  brief: ({ state }) => [inOneLine(state)],
});

const names: Readonly<Record<PermissionMode, string>> = {
  plan: 'Plan',
  'read-only': 'Read only',
  review: 'Review',
  'auto-edit': 'Auto-edit',
};

const mobileLimits =
  'On this phone or tablet there is no git, no program and no server of a computer; say so when a task needs one.';

function inOneLine(state: TurnState): string {
  const may: Readonly<Record<PermissionMode, string>> = {
    plan: `Permission mode Plan: read anything; write only .md plans in ${plansFolder(state)}.`,
    'read-only': 'Permission mode Read only: notes stay as they are. Give new text in the answer.',
    review: 'Permission mode Review: changes to notes are proposals until the user accepts them.',
    'auto-edit': 'Permission mode Auto-edit: edits apply and can be undone; moves and deletions wait for the user.',
  };
  return may[state.permissionMode];
}

function briefly(state: TurnState): string {
  if (state.tier === 1) return inOneLine(state);
  return sentences(
    inOneLine(state),
    state.tier === 3 && 'Out of reach: dot-folders, settings, excluded notes.',
    state.tier === 3 && state.platform === 'mobile' && mobileLimits,
    'A refused call is not repeated: name it and why, go on with the rest.',
  );
}

function fully(state: TurnState): string {
  return points(
    `Permission mode ${names[state.permissionMode]}: reading and searching need no approval.`,
    ...writing(state),
    offers(state, toolNames.fetchPage) && 'What leaves the vault, such as fetching a page, waits for consent.',
    'Out of reach: dot-folders, settings of app and plugins, notes the user excluded.',
    state.platform === 'mobile' && mobileLimits,
    `A refused call is not repeated: say in a sentence what was refused and why, do the rest, and ${wayOut(state)}.`,
  );
}

function writing(state: TurnState): (string | false)[] {
  switch (state.permissionMode) {
    case 'plan':
      return [`Writing is limited to plans: .md notes in ${plansFolder(state)}. All other notes stay as they are.`];
    case 'read-only':
      return ['Notes stay as they are: a change is given as text in the answer, with its place.'];
    case 'review':
      return [
        offers(state, ...writingTools) &&
          'Creating, editing, moving and deleting are staged: you read them back at once, the vault changes when the user accepts the review at the end of the turn. Until then they are proposed.',
      ];
    case 'auto-edit':
      return [
        offers(state, ...writingTools) &&
          'Creating and editing apply at the end of each step and can be undone. Approval is needed for moves, deletions, whole-note rewrites, over five notes in a turn, and for skills, prompts and memory.',
      ];
  }
}

function wayOut({ permissionMode, interactive }: TurnState): string {
  if (!interactive) return 'list it in the report';
  return permissionMode === 'review' || permissionMode === 'auto-edit'
    ? 'give its text in the answer'
    : 'name the mode that would allow it';
}
