/** Bounds of time: whatever is waited for ends at once when it is stopped or overdue, heeded or not. */
import { endedWhenAborted } from '../core/base/async';
import type { Pace } from './mcp-ports';
import { RemoteProblem } from './remote-problem';

export interface Bounds {
  readonly pace: Pace;
  readonly milliseconds: number;
  /** The asker's, where there is one. */
  readonly signal?: AbortSignal;
  /** The line's; it fires when the line is closed. Without it, what is done outlives the line. */
  readonly closed?: AbortSignal;
}

/**
 * Runs with a signal that fires when the wait is over for any reason, so that the work is given up as well.
 * @throws RemoteProblem 'stopped', 'closed' or 'silent'; else what the work throws
 */
export function within<Value>(bounds: Bounds, run: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const { pace, milliseconds, signal, closed } = bounds;
  const inner = new AbortController();
  return new Promise<Value>((resolve, reject) => {
    const end = (problem: RemoteProblem): void => {
      reject(problem);
      inner.abort(problem);
    };
    const onStop = (): void => end(new RemoteProblem('stopped'));
    const onClose = (): void => end(new RemoteProblem('closed'));
    if (signal?.aborted) return onStop();
    if (closed?.aborted) return onClose();
    signal?.addEventListener('abort', onStop);
    closed?.addEventListener('abort', onClose);
    const disarm = pace.after(milliseconds, () => end(new RemoteProblem('silent', milliseconds)));
    const release = (): void => {
      disarm();
      signal?.removeEventListener('abort', onStop);
      closed?.removeEventListener('abort', onClose);
    };
    inner.signal.addEventListener('abort', release);
    run(inner.signal).then(resolve, reject).finally(release);
  });
}

/** The promise's end, or a rejection as soon as the signal fires; for what cannot be cancelled. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return endedWhenAborted(promise, signal, () => new RemoteProblem('stopped'));
}
