/** The chat's standing prompt (R176). */
import { selectedPrompt } from '../facts';
import { section } from '../section';

export const selectedPromptSection = section({
  id: 'selected-prompt',
  tag: 'selected_prompt',
  zone: 'reference',
  flatOrder: 95,
  priority: 92,
  trim: 'never',
  needs: { prompt: selectedPrompt },
  when: ({ prompt }) => prompt !== null && prompt !== '',
  full: ({ prompt }) => (prompt === null ? [] : [prompt]),
});
