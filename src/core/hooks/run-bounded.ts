/** Runs foreign code within a time: it may throw, hang or answer late, and nobody waits for it longer than that. */

/** Calls back after some milliseconds, unless the returned function is called before. */
export type After = (milliseconds: number, act: () => void) => () => void;

export type Bounded<Value> =
  | { readonly type: 'value'; readonly value: Value }
  | { readonly type: 'threw'; readonly thrown: unknown }
  | { readonly type: 'late' }
  | { readonly type: 'stopped' };

export interface Bounds {
  readonly milliseconds: number;
  readonly after: After;
  /** Ends the wait at once. */
  readonly stop: AbortSignal;
  /** Told when the time is over, and when the code has come to its end, however late. */
  onLate(): void;
  onSettled(): void;
}

/** Never rejects. The code is handed a signal that fires when nobody waits for it any more. */
export function runBounded<Value>(
  act: (signal: AbortSignal) => Value | Promise<Value>,
  bounds: Bounds,
): Promise<Bounded<Value>> {
  const { milliseconds, after, stop } = bounds;
  if (stop.aborted) return Promise.resolve({ type: 'stopped' });
  const own = new AbortController();
  return new Promise((resolve) => {
    const end = (outcome: Bounded<Value>): void => {
      cancel();
      stop.removeEventListener('abort', onStop);
      resolve(outcome);
      if (outcome.type === 'late' || outcome.type === 'stopped') own.abort();
    };
    const onStop = (): void => end({ type: 'stopped' });
    const cancel = after(milliseconds, () => {
      bounds.onLate();
      end({ type: 'late' });
    });
    stop.addEventListener('abort', onStop, { once: true });
    // The code starts inside the promise, so that what it throws at once is caught like a rejection.
    new Promise<Value>((begin) => begin(act(own.signal)))
      .then(
        (value) => end({ type: 'value', value }),
        (thrown: unknown) => end({ type: 'threw', thrown }),
      )
      .finally(() => bounds.onSettled());
  });
}
