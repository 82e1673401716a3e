/** What the agent may do here, what waits for the user, and what to say when a call is refused (R085, K21). */
import { sentences } from '../../markup/prose';
import { type TurnState, turnState } from '../facts/turn-state';
import { section } from '../section';
import { recordOf, writeTemplate } from '../template-record';
import full from './prose/permissions.eta.md';
import brief from './prose/permissions-brief.eta.md';
import line from './prose/permissions-line.eta.md';

export const permissionsSection = section({
  id: 'permissions',
  tag: 'permissions',
  composition: true,
  zone: 'instructions',
  afterBase: true,
  buildOrder: 30,
  priority: 98,
  trim: 'never',
  needs: { state: turnState },
  when: () => true,
  full: ({ state }) => [state.tier <= 3 ? writeBriefly(state) : writeTemplate(full, recordOf(state))],
  brief: ({ state }) => [writeTemplate(line, recordOf(state))],
});

function writeBriefly(state: TurnState): string {
  const record = recordOf(state);
  const mode = writeTemplate(line, record);
  return state.tier === 1 ? mode : sentences(mode, writeTemplate(brief, record));
}
