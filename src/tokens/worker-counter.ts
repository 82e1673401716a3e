/** Counts in a worker made of code that lies in main.js: a phone has no other file of ours to load it from. */
import type { CountReply, CountRequest } from './serve-counts';
import type { CountingParts, TextCounter } from './text-counter';

/** Milliseconds until its code must run: where a worker is forbidden, some platforms say nothing at all. */
const startTime = 3_000;
/** Milliseconds that one request may take; a megabyte of one letter takes half a second. */
const countTime = 20_000;

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
  const end = (reason: Error): void => {
    ended ??= reason;
    started();
    worker.terminate();
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  const stopStarting = parts.after(startTime, () => end(new Error('The worker did not start.')));
  const started = (): void => {
    stopStarting();
    worker.release();
  };
  worker.onerror = (event) => end(new Error(event.message));
  worker.onmessage = ({ data }) => {
    if (data.type === 'alive') started();
    else waiting.get(data.id)?.resolve(data.counts);
  };
  worker.postMessage({ type: 'ranks', ranks: parts.ranks() });
  return {
    count: (texts) =>
      new Promise((resolve, reject) => {
        if (ended !== null) return reject(ended);
        lastId += 1;
        const id = lastId;
        const stopWaiting = parts.after(countTime, () => end(new Error('The worker does not answer.')));
        const settle = (act: () => void): void => {
          stopWaiting();
          waiting.delete(id);
          act();
        };
        waiting.set(id, {
          resolve: (counts) => settle(() => resolve(counts)),
          reject: (reason) => settle(() => reject(reason)),
        });
        worker.postMessage({ type: 'count', id, texts });
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
