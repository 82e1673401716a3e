/** The prompts the user applied with `@` (R171). */
import { element } from '../../markup/markup';
import { customPrompts } from '../facts';
import { section } from '../section';

export const customPromptsSection = section({
  id: 'custom-prompts',
  tag: 'custom_prompts',
  zone: 'turn',
  flatOrder: 85,
  priority: 75,
  trim: 'never',
  needs: { prompts: customPrompts },
  when: ({ prompts }) => prompts.length > 0,
  full: ({ prompts }) => [
    'The user applied these prompts. Follow their instructions in this answer:\n',
    ...prompts.flatMap(({ name, prompt }) => ['\n', element('prompt', { name }, prompt)]),
  ],
});
