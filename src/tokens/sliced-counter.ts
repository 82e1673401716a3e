/** Counts on the thread of the screen, where there is no worker, in slices that are shorter than a frame. */
import { giveWay } from '../core/base/async';
import { TextCount } from './count-text';
import type { CountingParts, TextCounter } from './text-counter';
import { unpackRanks } from './unpack-ranks';

/** Milliseconds; one step more may follow, and a frame has sixteen. */
const sliceTime = 8;

export function openSlicedCounter(parts: Pick<CountingParts, 'ranks'>): TextCounter {
  let closed = false;
  let counting: Promise<TextCount> | null = null;
  // One text after the other: two at a time would share the time of a frame.
  let last: Promise<unknown> = Promise.resolve();
  const open = async (): Promise<TextCount> => new TextCount(await inSlices(unpackRanks(parts.ranks()), () => closed));
  const countAll = async (texts: readonly string[]): Promise<(number | null)[]> => {
    counting ??= open();
    const count = await counting;
    const counts: (number | null)[] = [];
    for (const text of texts)
      counts.push(await inSlices(count.count(text), () => closed).catch(nullUnless(() => closed)));
    return counts;
  };
  return {
    count: (texts) => {
      const counts = last.then(() => countAll(texts));
      last = counts.catch(() => {});
      return counts;
    },
    close: () => {
      closed = true;
    },
  };
}

/** What cannot be counted, such as a text that the pattern's engine has no room for, has no count. */
function nullUnless(closed: () => boolean): (thrown: unknown) => null {
  return (thrown) => {
    if (closed()) throw thrown;
    return null;
  };
}

async function inSlices<T>(steps: Generator<void, T>, closed: () => boolean): Promise<T> {
  let end = performance.now() + sliceTime;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() < end) continue;
    await giveWay();
    if (closed()) throw new Error('The counter is closed.');
    end = performance.now() + sliceTime;
  }
}
