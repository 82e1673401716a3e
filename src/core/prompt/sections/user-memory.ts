/** The user's lasting wishes, after everything else in the system prompt (R198, R201). */
import { element } from '../../markup/markup';
import { userMemory } from '../facts';
import { section } from '../section';

export const userMemorySection = section({
  id: 'user-memory',
  zone: 'instructions',
  afterBase: true,
  flatOrder: 120,
  priority: 89,
  trim: 'tail',
  needs: { memory: userMemory },
  when: ({ memory }) => memory.trim() !== '',
  // The rule stands outside the element, so that it sets the memory off from what comes before.
  full: ({ memory }) => ['---\n\n', element('user_memory', {}, memory.trim())],
});
