/** TextCounter: counts texts exactly without blocking the main thread, wherever the work runs. */
import { yieldToEventLoop } from '../core/base/async';
import { TextCount } from './count-text';
import type { CountReply, CountRequest } from './serve-counts';
import { type PackedRanks, unpackRanks } from './unpack-ranks';

export interface TextCounter {
  /**
   * Returns one count per text, in order; null for a text that cannot be counted. Rejects if the counter does not work.
   */
  count(texts: readonly string[]): Promise<readonly (number | null)[]>;
  close(): void;
}

export interface CountingParts {
  /** Returns the ranks that the build packs into main.js; not called before the first count. */
  readonly ranks: () => PackedRanks;
  /** Returns the code of a worker that runs `serveCounts`. */
  readonly workerCode: () => string;
  /** Calls `act` once after that many milliseconds, unless the returned function is called first. */
  readonly after: (milliseconds: number, act: () => void) => () => void;
}

/** Counts in a worker if one works, else on the main thread in slices; opens either at the first count. */
export function openBackgroundCounter(parts: CountingParts, openWorker = openWorkerCounter): TextCounter {
  let closed = false;
  let worker: TextCounter | null = null;
  let sliced: TextCounter | null = null;
  return {
    count: async (texts) => {
      if (closed) throw new Error('The counter is closed.');
      if (sliced !== null) return sliced.count(texts);
      try {
        worker ??= openWorker(parts);
        return await worker.count(texts);
      } catch (thrown) {
        // A worker that failed once is not used again.
        if (closed) throw thrown;
        sliced ??= openSlicedCounter(parts);
        return sliced.count(texts);
      }
    },
    close: () => {
      closed = true;
      worker?.close();
      sliced?.close();
    },
  };
}

/** Milliseconds; one more step may follow, and a frame has sixteen. */
const sliceTime = 8;

/** Counts on the main thread, where there is no worker, in slices shorter than a frame. */
export function openSlicedCounter(parts: Pick<CountingParts, 'ranks'>): TextCounter {
  let closed = false;
  let counting: Promise<TextCount> | null = null;
  // One text at a time, because two would share the time of a frame.
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

/**
 * Returns null as the count of a text that cannot be counted, such as one too large for the regular expression engine.
 */
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
    await yieldToEventLoop();
    if (closed()) throw new Error('The counter is closed.');
    end = performance.now() + sliceTime;
  }
}

// Counts in a worker whose code is in main.js, because on mobile no other file of the plugin can be loaded.

/**
 * Milliseconds between two checks of a worker that owes a reply, and checks without a message after which it is
 * abandoned: where workers are forbidden or evicted from memory, some platforms report nothing. More than one check,
 * because messages that arrived while this thread was blocked are only received after the first.
 */
const timeBetweenLooks = 1_000;
const maxSilentLooks = 3;

/** The parts of Worker that are used here. */
export interface WorkerPort {
  onmessage: ((event: MessageEvent<CountReply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: CountRequest): void;
  terminate(): void;
  /** Releases what only its start needed. */
  release(): void;
}

interface Waiting {
  readonly resolve: (counts: readonly (number | null)[]) => void;
  readonly reject: (reason: Error) => void;
}

/** @throws if the platform cannot create a worker */
export function openWorkerCounter(parts: CountingParts, open: (code: string) => WorkerPort = openWorker): TextCounter {
  const waiting = new Map<number, Waiting>();
  const worker = open(parts.workerCode());
  let ended: Error | null = null;
  let lastId = 0;
  let hasSpoken = false;
  let silentLooks = 0;
  let stopLooking: (() => void) | null = null;
  const rest = (): void => {
    stopLooking?.();
    stopLooking = null;
  };
  const look = (): void => {
    stopLooking = parts.after(timeBetweenLooks, () => {
      silentLooks += 1;
      if (silentLooks === maxSilentLooks) end(new Error('The worker does not answer.'));
      else look();
    });
  };
  const end = (reason: Error): void => {
    ended ??= reason;
    rest();
    worker.release();
    worker.terminate();
    worker.onmessage = null;
    worker.onerror = null;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.onerror = (event) => end(new Error(event.message));
  worker.onmessage = ({ data }) => {
    silentLooks = 0;
    if (!hasSpoken) worker.release();
    hasSpoken = true;
    if (data.type === 'alive') return;
    waiting.get(data.id)?.resolve(data.counts);
    waiting.delete(data.id);
    if (waiting.size === 0) rest();
  };
  worker.postMessage({ type: 'ranks', ranks: parts.ranks() });
  return {
    count: (texts) =>
      new Promise((resolve, reject) => {
        if (ended !== null) return reject(ended);
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        worker.postMessage({ type: 'count', id: lastId, texts });
        if (stopLooking !== null) return;
        silentLooks = 0;
        look();
      }),
    close: () => end(new Error('The counter is closed.')),
  };
}

/** Starts a worker. The object URL is released at the worker's first message, because some platforms load it late. */
function openWorker(code: string): WorkerPort {
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  const release = (): void => URL.revokeObjectURL(address);
  try {
    return Object.assign(new Worker(address), { release });
  } catch (thrown) {
    release();
    throw thrown;
  }
}
