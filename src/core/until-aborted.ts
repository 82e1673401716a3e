/** Listening that ends at once when a signal fires, even when what is listened to does not heed it. */

/** The items of a stream until the signal fires; the stream is then closed without waiting for it. */
export async function* untilAborted<Item>(stream: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  const iterator = stream[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const step = await orAborted(iterator.next(), signal);
      if (step === undefined || step.done === true) return;
      yield step.value;
    }
  } finally {
    // A stream that hangs never answers; its own clean-up runs whenever it does, and what it throws then is of no use.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** The promise's end, or a rejection as soon as the signal fires; for what cannot be cancelled. */
export function endedWhenAborted<Value>(
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
export function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
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
