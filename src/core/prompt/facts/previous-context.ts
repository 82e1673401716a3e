/** The summary of what was compacted, when something was (R150). */
import type { CompactedContext } from '../prompt-data';
import type { Fact } from '../section';

export const previousContext: Fact<CompactedContext | null> = {
  id: 'previous-context',
  gather: (world) => world.turn.previousContext,
};
