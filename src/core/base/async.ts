/** Waiting that ends: on abort, within a time, in slices that let the screen go on. */

// Listening that ends at once when a signal fires, even when what is listened to does not heed it.

/** The items of a stream until the signal fires; the stream is then closed without waiting for it. */
export async function* untilAborted<Item>(stream: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  const iterator = stream[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const step = await raceAbort(iterator.next(), signal);
      if (step === undefined || step.done === true) return;
      yield step.value;
    }
  } finally {
    // A stream that hangs never answers; its own clean-up runs whenever it does, and what it throws then is of no use.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** The promise's end, or a rejection as soon as the signal fires; for what cannot be cancelled. */
export function rejectOnAbort<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  reason: () => Error,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(reason());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** The promise's value, or undefined as soon as the signal fires; a later rejection is then of no use to anyone. */
export function raceAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.resolve(undefined);
  }
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** One signal that fires when either of two does. */
export interface EitherSignal {
  readonly signal: AbortSignal;
  /** Lets go of both; to be called when nobody listens any more. */
  release(): void;
}

export function eitherSignal(one: AbortSignal, other: AbortSignal): EitherSignal {
  const own = new AbortController();
  const stop = (): void => own.abort();
  for (const signal of [one, other]) {
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  }
  return {
    signal: own.signal,
    release: () => [one, other].forEach((signal) => signal.removeEventListener('abort', stop)),
  };
}

// Pause: lets long scans give way to the screen and to the stop button, in slices of work rather than of time.

/** Work units between two pauses: a few milliseconds of indexing or scoring. */
const sliceUnits = 25_000;

/** Lets everything that waits, input and painting included, run first. */
export function yieldToEventLoop(): Promise<void> {
  if (typeof MessageChannel === 'undefined') return Promise.resolve();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

export interface WorkBudget {
  /** Counts work done, about one unit a character read; resolves to false once the scan has to stop. */
  spend(units: number): boolean | Promise<boolean>;
}

export function createWorkBudget(signal: AbortSignal): WorkBudget {
  let spent = 0;
  return {
    spend(units) {
      spent += units;
      if (signal.aborted) return false;
      if (spent < sliceUnits) return true;
      spent = 0;
      return yieldToEventLoop().then(() => !signal.aborted);
    },
  };
}

// Work that needs no reading, done while the disk is busy with the reads that were begun beside it.

/** Steps of the queue of promises that a read takes from a fact to the disk, and some to spare. */
const stepsToDisk = 16;

/** Facts are begun together: one that is worked out from the index alone lets the others ask for their notes first. */
export async function whileReading<Value>(make: () => Value): Promise<Value> {
  for (let step = 0; step < stepsToDisk; step += 1) await Promise.resolve();
  return make();
}

// Runs foreign code within a time: it may throw, hang or answer late, and nobody waits for it longer than that.

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
