/** How a request reaches a server: by fetch, or by the app's own function where a cross-origin rule forbids that. */
import { rejectOnAbort } from '../core/base/async';
import { strictFetch, type BufferedResponse } from '../core/ports/network';
import type { McpPorts, Timing } from './mcp-ports';
import { RemoteFailure } from './remote-failure';

export interface OutgoingRequest {
  readonly method: 'POST' | 'DELETE';
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Whether it does no harm to arrive twice. */
  readonly mayRepeat: boolean;
}

export interface RequestSender {
  send(request: OutgoingRequest, signal: AbortSignal): Promise<Response>;
  /** Takes the app's function from now on. @returns false when it is taken already, or there is none */
  switchToRequestUrl(): boolean;
}

/**
 * A way to one address, which remembers for its life when only the app's function gets through.
 *
 * A page cannot tell a request that never left from one whose answer it may not see: both are the same TypeError. So a
 * tool call is never sent a second time; it might run twice. That costs nothing where the rule holds from the start:
 * connecting meets it first, and whatever follows goes the way that was found.
 */
export function createSender(ports: Pick<McpPorts, 'fetch' | 'requestUrl'>, url: URL): RequestSender {
  const { requestUrl } = ports;
  let isWhole = false;

  const askWhole = async (request: OutgoingRequest, signal: AbortSignal): Promise<Response> => {
    if (requestUrl === undefined) throw new RemoteFailure('unreachable');
    const { method, headers, body } = request;
    const asked = { url: url.href, method, headers, throw: false, ...(body !== undefined && { body }) } as const;
    return responseOf(await untilAborted(requestUrl(asked), signal));
  };

  const problemOf = (thrown: unknown, request: OutgoingRequest): RemoteFailure => {
    if (thrown instanceof RemoteFailure) return thrown;
    return new RemoteFailure(request.mayRepeat ? 'unreachable' : 'cut');
  };

  const send: RequestSender['send'] = async (request, signal) => {
    try {
      if (isWhole) return await askWhole(request, signal);
      return refuseRedirect(await untilAborted(ports.fetch(url.href, settingsOf(request, signal)), signal));
    } catch (thrown) {
      const mayGoWhole = !isWhole && requestUrl !== undefined && request.mayRepeat && !signal.aborted;
      if (!mayGoWhole || !(thrown instanceof TypeError)) throw problemOf(thrown, request);
    }
    try {
      const response = await askWhole(request, signal);
      isWhole = true;
      return response;
    } catch (thrown) {
      throw problemOf(thrown, request);
    }
  };

  const switchToRequestUrl = (): boolean => {
    const isNew = !isWhole && requestUrl !== undefined;
    isWhole ||= isNew;
    return isNew;
  };

  return { send, switchToRequestUrl };
}

function settingsOf({ method, headers, body }: OutgoingRequest, signal: AbortSignal): RequestInit {
  return { ...strictFetch, method, headers, body, signal };
}

function refuseRedirect(response: Response): Response {
  const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
  if (isRedirect || response.redirected) throw new RemoteFailure('redirected');
  return response;
}

function responseOf({ status, headers, arrayBuffer }: BufferedResponse): Response {
  const isBodyless = status === 204 || status === 205 || status === 304;
  return refuseRedirect(new Response(isBodyless ? null : arrayBuffer, { status, headers }));
}

// Bounds of time: whatever is waited for ends at once when it is stopped or overdue, heeded or not.

export interface Deadline {
  readonly pace: Timing;
  readonly milliseconds: number;
  /** The asker's, where there is one. */
  readonly signal?: AbortSignal;
  /** The line's; it fires when the line is closed. Without it, what is done outlives the line. */
  readonly closed?: AbortSignal;
}

/**
 * Runs with a signal that fires when the wait is over for any reason, so that the work is given up as well.
 * @throws RemoteFailure 'stopped', 'closed' or 'silent'; else what the work throws
 */
export function withDeadline<Value>(bounds: Deadline, run: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const { pace, milliseconds, signal, closed } = bounds;
  const inner = new AbortController();
  return new Promise<Value>((resolve, reject) => {
    const end = (problem: RemoteFailure): void => {
      reject(problem);
      inner.abort(problem);
    };
    const onStop = (): void => end(new RemoteFailure('stopped'));
    const onClose = (): void => end(new RemoteFailure('closed'));
    if (signal?.aborted) return onStop();
    if (closed?.aborted) return onClose();
    signal?.addEventListener('abort', onStop);
    closed?.addEventListener('abort', onClose);
    const disarm = pace.after(milliseconds, () => end(new RemoteFailure('silent', milliseconds)));
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
  return rejectOnAbort(promise, signal, () => new RemoteFailure('stopped'));
}
