/** The custom prompts the user has written (R165). */
import { availablePrompts } from '../facts';
import { section } from '../section';

export const availablePromptsSection = section({
  id: 'available-prompts',
  tag: 'available_prompts',
  zone: 'reference',
  flatOrder: 70,
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
  brief: ({ prompts }) => [`Prompts: ${prompts.map(({ name }) => name).join(', ')}`],
});
