/** How to read, speak, and call tools (R080-R084). */
import { turnState } from '../facts/turn-state';
import { section } from '../section';
import { recordOf, writeTemplate } from '../template-record';
import full from './prose/guidelines.eta.md';
import brief from './prose/guidelines-brief.eta.md';

export const guidelinesSection = section({
  id: 'guidelines',
  tag: 'guidelines',
  composition: true,
  zone: 'instructions',
  buildOrder: 28,
  priority: 64,
  trim: 'never',
  needs: { state: turnState },
  when: ({ state }) => state.tier >= 3,
  full: ({ state }) => [writeTemplate(state.tier === 3 ? brief : full, recordOf(state))],
  brief: ({ state }) => [writeTemplate(brief, recordOf(state))],
});
