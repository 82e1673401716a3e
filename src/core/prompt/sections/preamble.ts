/** Whether the chat is interactive or runs unattended (R049). */
import { sentences } from '../../markup/prose';
import { type TurnState, turnState } from '../facts/turn-state';
import { section } from '../section';

/** The default name, which templates omit. */
const defaultName = 'Assistant';

export const preambleSection = section({
  id: 'preamble',
  composition: true,
  zone: 'instructions',
  buildOrder: 12,
  priority: 62,
  trim: 'never',
  needs: { state: turnState },
  // For small context windows the template is sufficient, unless no user is present.
  when: ({ state }) => state.tier >= 3 || (state.tier === 2 && !state.interactive),
  full: ({ state }) => [state.tier <= 3 ? briefly(state) : fully(state)],
  brief: ({ state }) => [briefly(state)],
});

function fully({ interactive, agentName }: TurnState): string {
  const name = agentName.trim();
  return sentences(
    interactive
      ? 'This is an interactive chat in an Obsidian vault: the user reads along and can answer.'
      : 'This is an unattended run in an Obsidian vault: nobody answers before its end, and the report is read later.',
    name !== '' && name !== defaultName && `Here you go by the name ${name}.`,
  );
}

function briefly({ interactive }: TurnState): string {
  return interactive
    ? 'Interactive chat in an Obsidian vault.'
    : 'Unattended run: decide, finish, list what you decided.';
}
