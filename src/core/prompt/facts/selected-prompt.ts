/** The text of the chat's standing prompt (R176). */
import type { Fact } from '../section';
import { bodyOf } from '../user-notes';

export const selectedPrompt: Fact<string | null> = {
  id: 'selected-prompt',
  gather: async (world, signal) => {
    if (world.turn.selectedPrompt === null) return null;
    const outcome = await world.readNote(world.turn.selectedPrompt, signal);
    return outcome.ok ? bodyOf(outcome.value.text) : null;
  },
};
