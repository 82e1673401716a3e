/** Counts in a worker made of code that lies in main.js: a phone has no other file of ours to load it from. */
import type { CountReply, CountRequest } from './serve-counts';
import type { CountingParts, TextCounter } from './text-counter';

/**
 * Milliseconds between two looks at a worker that owes an answer, and looks without a word from it after which it is given
 * up: where one is forbidden or taken out of memory, some platforms say nothing. More than one, since what it said while
 * this thread was held up is heard after the first.
 */
const timeBetweenLooks = 1_000;
const mostSilentLooks = 3;

/** What of Worker is used here. */
export interface WorkerPort {
  onmessage: ((event: MessageEvent<CountReply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: CountRequest): void;
  terminate(): void;
  /** Gives back what only its start needed. */
  release(): void;
}

interface Waiting {
  readonly resolve: (counts: readonly (number | null)[]) => void;
  readonly reject: (reason: Error) => void;
}

/** @throws when the platform makes no worker */
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
      if (silentLooks === mostSilentLooks) end(new Error('The worker does not answer.'));
      else look();
    });
  };
  const end = (reason: Error): void => {
    ended ??= reason;
    rest();
    worker.release();
    worker.terminate();
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

/** The address is given back with the worker's first word: some platforms read it late. */
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
