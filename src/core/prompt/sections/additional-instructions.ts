/** What the user's settings ask of every chat (R108). */
import { additionalInstructions } from '../facts';
import { section } from '../section';

export const additionalInstructionsSection = section({
  id: 'additional-instructions',
  tag: 'additional_instructions',
  zone: 'instructions',
  flatOrder: 34,
  priority: 91,
  trim: 'tail',
  needs: { text: additionalInstructions },
  when: ({ text }) => text.trim() !== '',
  full: ({ text }) => [text.trim()],
});
