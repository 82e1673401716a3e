/** Questions to ask oneself, for small models; larger ones check by themselves (R109, K30). */
import { turnState } from '../facts';
import type { TurnState } from '../facts/turn-state';
import { section } from '../section';

export const sanityChecksSection = section({
  id: 'sanity-reality-check',
  tag: 'sanity_checks',
  composition: true,
  zone: 'instructions',
  flatOrder: 36,
  priority: 60,
  trim: 'never',
  needs: { state: turnState },
  when: ({ state }) => isOn(state),
  full: ({ state }) => [state.tier === 1 ? brief : full],
  brief: () => [brief],
});

function isOn({ sanityChecks, tier }: TurnState): boolean {
  return sanityChecks === 'on' || (sanityChecks === 'auto' && tier <= 2);
}

const brief = 'Before you answer: does each fact stand in text seen here?';
const full = `${brief} Before a change: was it asked for?`;
