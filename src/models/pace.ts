/** Pace: the time and chance that models need, handed in so that tests can set them. */
import { endedWhenAborted } from '../core/base/async';

export interface Pace {
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** Acts once after that many milliseconds unless the returned function is called before. */
  after(milliseconds: number, act: () => void): () => void;
}

/** Resolves after the time or as soon as the signal aborts, whichever comes first. */
export function sleep(pace: Pace, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = pace.after(milliseconds, done);
    signal.addEventListener('abort', done);
  });
}

/** What the caller sees of a promise that may ignore the signal: it rejects at once when the signal aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return endedWhenAborted(promise, signal, () => new Aborted());
}

/** Thrown inside this folder when the user stopped; never leaves it. */
export class Aborted extends Error {
  override readonly name = 'AbortError';
}
