/** Counts in a worker where there is one that works, else on the thread of the screen in slices; opened by the first count. */
import { openSlicedCounter } from './sliced-counter';
import type { CountingParts, TextCounter } from './text-counter';
import { openWorkerCounter } from './worker-counter';

export function openBackgroundCounter(parts: CountingParts, openWorker = openWorkerCounter): TextCounter {
  let closed = false;
  let worker: TextCounter | null = null;
  let sliced: TextCounter | null = null;
  const inSlices = (texts: readonly string[]): ReturnType<TextCounter['count']> => {
    worker = null;
    sliced ??= openSlicedCounter(parts);
    return sliced.count(texts);
  };
  return {
    count: async (texts) => {
      if (closed) throw new Error('The counter is closed.');
      if (sliced !== null) return sliced.count(texts);
      try {
        worker ??= openWorker(parts);
        return await worker.count(texts);
      } catch (thrown) {
        // A worker that failed once is not asked again.
        if (closed) throw thrown;
        return inSlices(texts);
      }
    },
    close: () => {
      closed = true;
      worker?.close();
      sliced?.close();
    },
  };
}
