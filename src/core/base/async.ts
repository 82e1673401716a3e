/** Helpers for asynchronous work: racing a signal, time limits, and long scans that yield to the event loop. */

/**
 * Yields the items of a stream until the signal fires, even if the stream ignores the signal. The stream is then closed
 * without waiting for it.
 */
export async function* untilAborted<Item>(stream: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  const iterator = stream[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const step = await raceAbort(iterator.next(), signal);
      if (step === undefined || step.done === true) return;
      yield step.value;
    }
  } finally {
    // A hanging stream may never settle; its cleanup runs whenever it does, and an error thrown then is ignored.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/**
 * Settles as the promise does, or rejects with `reason()` as soon as the signal fires. For work that cannot be
 * cancelled.
 */
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

/** Resolves to the promise's value, or to undefined as soon as the signal fires; a rejection after that is ignored. */
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

/** A signal that fires when either of two signals does. */
export interface EitherSignal {
  readonly signal: AbortSignal;
  /** Removes both listeners; call it when the signal is no longer needed. */
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

/** Work units between two pauses, a few milliseconds of indexing or scoring. Pauses depend on work, not on time. */
const sliceUnits = 25_000;

/**
 * Resolves after pending tasks have run, including input and painting, so that the screen and the stop button stay
 * responsive.
 */
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

let nextTurn: Promise<void> | null = null;

/** Yields to the event loop once for all callers until then, so that turns started together continue together. */
export function nextEventLoopTurn(): Promise<void> {
  return (nextTurn ??= yieldToEventLoop().finally(() => (nextTurn = null)));
}

export interface WorkBudget {
  /** Counts work done, about one unit per character read. Resolves to false when the scan must stop. */
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

/** Work in steps: each gives the units of work that it took. */
export type Steps<Value> = Generator<number, Value>;

/** Takes all steps at once. */
export function takeSteps<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Takes the steps within a budget, which may pause between them; resolves to null if the budget stops the work. */
export async function takeStepsWithin<Value>(steps: Steps<Value>, budget: WorkBudget): Promise<Value | null> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const going = budget.spend(step.value);
    if (going !== true && !(await going)) return null;
  }
}

/** Calls `act` after some milliseconds, unless the returned function is called first. */
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
  /** `onLate` is called when the time is up, `onSettled` when the code has settled, however late. */
  onLate(): void;
  onSettled(): void;
}

/**
 * Runs third-party code, which may throw, hang, or settle late, for at most `milliseconds`. Never rejects. The code
 * gets a signal that fires when nobody waits for it anymore.
 */
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
    // The code starts inside the promise, so that a synchronous throw is caught like a rejection.
    new Promise<Value>((begin) => begin(act(own.signal)))
      .then(
        (value) => end({ type: 'value', value }),
        (thrown: unknown) => end({ type: 'threw', thrown }),
      )
      .finally(() => bounds.onSettled());
  });
}

/** Adds a listener to a set; returns how it is removed. */
export function subscribeTo<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
