/** The counter that ships, as it counts where there is no worker, such as in Node. */
import ranks from 'docent:packed-ranks';
import { lazy } from '../../src/core/base/lazy';
import { finish, TextCount } from '../../src/tokens/count-text';
import { openSlicedCounter, type TextCounter } from '../../src/tokens/text-counter';
import { unpackRanks } from '../../src/tokens/unpack-ranks';

let counter: TextCounter | null = null;

/** One for the whole process, opened by its first count. */
export function countInSlices(): TextCounter {
  counter ??= openSlicedCounter({ ranks });
  return counter;
}

const whole = lazy(() => new TextCount(finish(unpackRanks(ranks()))));

/** Returns the tokens of a text as js-tiktoken does, which takes three times as long to be ready. */
export function countAtOnce(text: string): number {
  return finish(whole().count(text));
}
