/** Whether the chat is interactive or runs unattended (R049). */
import { turnState } from '../facts/turn-state';
import { section } from '../section';
import { recordOf, writeTemplate } from '../template-record';
import full from './prose/preamble.eta.md';
import brief from './prose/preamble-brief.eta.md';

export const preambleSection = section({
  id: 'preamble',
  composition: true,
  zone: 'instructions',
  buildOrder: 12,
  priority: 62,
  trim: 'never',
  needs: { state: turnState },
  // For small context windows the template is sufficient, unless no user is present.
  when: ({ state }) => state.tier >= 3 || (state.tier === 2 && !state.interactive),
  full: ({ state }) => [writeTemplate(state.tier <= 3 ? brief : full, recordOf(state))],
  brief: ({ state }) => [writeTemplate(brief, recordOf(state))],
});
