/** The tools the user asked for with `/` (R170). */
import { toolHints } from '../facts';
import { section } from '../section';

export const toolHintsSection = section({
  id: 'tool-hints',
  tag: 'tool_hints',
  zone: 'turn',
  flatOrder: 80,
  priority: 70,
  trim: 'tail',
  needs: { tools: toolHints },
  when: ({ tools }) => tools.length > 0,
  full: ({ tools }) => [
    [
      'The user asked for these tools. Prioritise them where they apply:',
      ...tools.map(({ name, description }) => `Tool: ${name}\nDescription: ${description}`),
    ].join('\n\n'),
  ],
  brief: ({ tools }) => [`Prioritise: ${tools.map(({ name }) => name).join(', ')}`],
});
