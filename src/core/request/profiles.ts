/** Profiles: the two ways in which blocks become a request, as rows of one table (R203, K1, K6). */
import type { ModelDescription } from '../ports/model';
import type { Block, Place } from '../ports/request-plan';
import { flatJoiner, inFlatOrder } from '../prompt/assemble-prompt';
import type { Section } from '../prompt/section';

export interface Profile {
  readonly id: 'flat' | 'tiered';
  /** Sections in the order in which their blocks stand. */
  order(sections: readonly Section[]): readonly Section[];
  place(section: Section): Place;
  /** What stands between two neighbours of the system prompt. */
  readonly joiner: (before: Block, after: Block) => string;
}

/** Windows up to this size get everything in one system string. */
const largestFlatWindow = 32 * 1024;

const flat: Profile = {
  id: 'flat',
  order: inFlatOrder,
  place: ({ flatPlace }) => flatPlace ?? 'system',
  joiner: flatJoiner,
};

const tiered: Profile = {
  id: 'tiered',
  order: (sections) => sections,
  place: ({ zone, tieredPlace }) => tieredPlace ?? (zone === 'turn' ? 'before-message' : 'system'),
  joiner: () => '\n\n',
};

export function profileFor({ contextWindow, cachesPrompts }: ModelDescription): Profile {
  return contextWindow <= largestFlatWindow || !cachesPrompts ? flat : tiered;
}
