/** The prompts that the user named with `@` or `/` in this message, their variables filled in (R171). */
import { fillPrompt } from '../fill-prompt';
import type { MentionedPrompt } from '../prompt-data';
import { readPrompt } from '../read-prompt';
import type { Fact } from '../section';

export const customPrompts: Fact<readonly MentionedPrompt[]> = {
  id: 'custom-prompts',
  gather: async (world, signal) => {
    const named = world.turn.mentions.filter((mention) => mention.kind === 'prompt');
    const loaded = await Promise.all(
      named.map(async ({ id, arguments: written = '' }) => {
        const read = await readPrompt(id, world, signal);
        return read === null ? null : { name: read.name, prompt: fillPrompt(read.text, world, written) };
      }),
    );
    return loaded.filter((prompt) => prompt !== null);
  },
};
