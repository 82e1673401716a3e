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
