/** When a request is sent again by itself, and after how long. */
import type { ModelFault } from './model-failure';
import type { Pace } from './pace';

export const mostTries = 4;
const shortestBackoff = 1_000;
const longestBackoff = 30_000;

/**
 * Milliseconds to wait before the next try, or null when there must be none. Once something of an answer was shown,
 * a second one would stand beside it, so nothing is repeated then.
 */
export function retryDelay(fault: ModelFault, tries: number, shown: boolean, pace: Pace): number | null {
  if (shown || tries >= mostTries || fault.retry === 'never') return null;
  if (fault.retry !== 'backoff') return fault.retry.afterMilliseconds;
  const ceiling = Math.min(longestBackoff, shortestBackoff * 2 ** tries);
  return shortestBackoff + pace.random() * (ceiling - shortestBackoff);
}
