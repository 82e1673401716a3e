/**
 * The user's prompts in the prompt: the available ones, the chat's own, and those named in a message (R165, R171,
 * R176).
 */
import { stateOfPrompt } from '../../library/prompt-registry';
import { namesWithin } from '../../markup/budget';
import { element } from '../../markup/markup';
import { availablePrompts } from '../facts/library';
import { type Fact, section } from '../section';
import { fillPrompt, readPrompt } from '../user-text';
import type { MentionedPrompt } from '../world';

/** The saved prompts that the user has written (R165). */
export const availablePromptsSection = section({
  id: 'available-prompts',
  tag: 'available_prompts',
  zone: 'reference',
  share: 'lists',
  buildOrder: 70,
  priority: 40,
  trim: 'tail',
  needs: { prompts: availablePrompts },
  when: ({ prompts }) => prompts.length > 0,
  full: ({ prompts }) => [
    [
      'Prompts the user can apply with @:',
      ...prompts.map(
        ({ id, name, description }) => `- ${name} (id: "${id}")` + (description === '' ? '' : `\n  ${description}`),
      ),
    ].join('\n'),
  ],
  shorten: ({ prompts }, tokens, measure) => [namesWithin('Prompts:', prompts, tokens - 16, measure)],
  brief: ({ prompts }) => [`Prompts: ${prompts.map(({ name }) => name).join(', ')}`],
});

/** The text of the prompt selected for the chat, with its variables filled in (R176). */
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
    if (read === null) return null;
    // The time of the first message: with the current one, the text would be sent again every minute.
    const device = { ...world.device, time: turn.start?.time ?? world.device.time };
    return fillPrompt(read.text, world, '', signal, device);
  },
};

export const selectedPromptSection = section({
  id: 'selected-prompt',
  tag: 'selected_prompt',
  zone: 'reference',
  buildOrder: 95,
  priority: 92,
  trim: 'never',
  needs: { prompt: selectedPrompt },
  when: ({ prompt }) => prompt !== null && prompt !== '',
  full: ({ prompt }) => (prompt === null ? [] : [`The user chose this prompt for the chat. Follow it:\n\n${prompt}`]),
});

/** The prompts that the user named with `@` or `/` in this message, with their variables filled in (R171). */
export const customPrompts: Fact<readonly MentionedPrompt[]> = {
  id: 'custom-prompts',
  gather: async (world, signal) => {
    const named = world.turn.mentions.filter((mention) => mention.kind === 'prompt');
    const loaded = await Promise.all(
      named.map(async ({ id, arguments: written = '' }) => {
        const read = await readPrompt(id, world, signal);
        return read === null ? null : { name: read.name, prompt: await fillPrompt(read.text, world, written, signal) };
      }),
    );
    return loaded.filter((prompt) => prompt !== null);
  },
};

/** The prompts that the user applied with `@` (R171). */
export const customPromptsSection = section({
  id: 'custom-prompts',
  tag: 'custom_prompts',
  zone: 'turn',
  buildOrder: 85,
  priority: 75,
  trim: 'never',
  needs: { prompts: customPrompts },
  when: ({ prompts }) => prompts.length > 0,
  full: ({ prompts }) => [
    'The user applied these prompts. Follow their instructions in this answer:\n',
    ...prompts.flatMap(({ name, prompt }) => ['\n', element('prompt', { name }, prompt)]),
  ],
});
