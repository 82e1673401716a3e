/** The text of the chat's standing prompt, its variables filled in (R176). */
import { stateOfPrompt } from '../../library/prompt-registry';
import { fillPrompt } from '../fill-prompt';
import { readPrompt } from '../read-prompt';
import type { Fact } from '../section';

export const selectedPrompt: Fact<string | null> = {
  id: 'selected-prompt',
  gather: async (world, signal) => {
    const { vault, prompts, turn } = world;
    const id = turn.selectedPrompt;
    if (id === null) return null;
    const { kind } = stateOfPrompt(id, {
      vault,
      registered: (each) => prompts.registered(each),
      toolNames: turn.toolNames,
    });
    if (kind !== 'offered') return null;
    const read = await readPrompt(id, world, signal);
    return read === null ? null : fillPrompt(read.text, world, '');
  },
};
