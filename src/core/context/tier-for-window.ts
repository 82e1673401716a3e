/** Which tier a context window deserves: a size between two tiers takes the larger one (R088-R092, R261). */
import type { Tier } from '../settings/mode';

const kilo = 1024;

/** Largest window of each tier, in tokens; tier 5 takes everything above. */
const upTo: readonly (readonly [number, Tier])[] = [
  [4 * kilo, 1],
  [8 * kilo, 2],
  [16 * kilo, 3],
  [32 * kilo, 4],
];

/** @param window tokens the model can hold */
export function tierForWindow(window: number): Tier {
  for (const [limit, tier] of upTo) if (window <= limit) return tier;
  return 5;
}
