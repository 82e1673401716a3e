/** The counter that ships, as it counts where there is no worker, such as in Node. */
import ranks from 'docent:packed-ranks';
import { openSlicedCounter, type TextCounter } from '../../src/tokens/text-counter';

let counter: TextCounter | null = null;

/** One for the whole process, opened by its first count. */
export function countInSlices(): TextCounter {
  counter ??= openSlicedCounter({ ranks });
  return counter;
}
