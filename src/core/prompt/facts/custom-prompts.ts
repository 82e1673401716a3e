/** The prompts that the user named with `@` in this message, with their text (R171). */
import type { MentionedPrompt } from '../prompt-data';
import type { Fact } from '../section';
import { bodyOf, describePrompt } from '../user-notes';

export const customPrompts: Fact<readonly MentionedPrompt[]> = {
  id: 'custom-prompts',
  gather: async (world, signal) => {
    const named = world.turn.mentions.filter((mention) => mention.kind === 'prompt');
    const loaded = await Promise.all(
      named.map(async ({ id }) => {
        const outcome = await world.readNote(id, signal);
        return outcome.ok ? { name: describePrompt(world.vault, id).name, prompt: bodyOf(outcome.value.text) } : null;
      }),
    );
    return loaded.filter((prompt) => prompt !== null);
  },
};
