/** How to work in somebody else's vault (R050-R061). */
import { availableSkills } from '../facts/library';
import { type TurnState, turnState } from '../facts/turn-state';
import { section } from '../section';
import { recordOf, writeTemplate } from '../template-record';
import type { Template } from '../world';
import full from './prose/core-mandates.eta.md';
import brief from './prose/core-mandates-brief.eta.md';

export const coreMandatesSection = section({
  id: 'core-mandates',
  tag: 'core_mandates',
  composition: true,
  zone: 'instructions',
  buildOrder: 14,
  priority: 70,
  trim: 'never',
  needs: { state: turnState, skills: availableSkills },
  when: ({ state }) => state.tier >= 3,
  full: ({ state, skills }) => [writeMandates(state.tier === 3 ? brief : full, state, skills)],
  brief: ({ state, skills }) => [writeMandates(brief, state, skills)],
});

function writeMandates(template: Template, state: TurnState, skills: readonly unknown[]): string {
  return writeTemplate(template, recordOf(state), { hasSkills: skills.length > 0 });
}
