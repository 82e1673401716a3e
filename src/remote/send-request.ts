/** Sends requests to a server: with fetch, or with Obsidian's `requestUrl` where CORS forbids fetch. */
import { rejectOnAbort } from '../core/base/async';
import { carriesKey } from '../core/gate/guard-network';
import { refusesCertificate, strictFetch, type BufferedResponse } from '../core/ports/network';
import { limits, type McpPorts, type Timing } from './mcp-ports';
import { type ProblemKind, RemoteFailure } from './remote-failure';

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Whether the request does no harm if it arrives twice. */
  readonly mayRepeat: boolean;
}

export interface RequestSender {
  send(request: OutgoingRequest, signal: AbortSignal): Promise<Response>;
  /**
   * Uses `requestUrl` from now on.
   * @returns false if it is in use already or not available
   */
  switchToRequestUrl(): boolean;
  /** Whether requests go by `requestUrl`, which gives nothing before the end of an answer. */
  isBuffered(): boolean;
}

/**
 * Creates a sender for one address, which remembers when only `requestUrl` gets through.
 *
 * A page cannot distinguish a request that was never sent from one whose response it may not read: both are the same
 * TypeError. So a tool call is never sent a second time, because it might run twice. This costs nothing where CORS
 * applies from the start: the connection attempt fails first, and every later request uses the way that worked.
 */
export function createSender(ports: Pick<McpPorts, 'fetch' | 'mayGoBuffered' | 'requestUrl'>, url: URL): RequestSender {
  const { requestUrl } = ports;
  let isBuffered = false;

  const sendBuffered = async (request: OutgoingRequest, signal: AbortSignal): Promise<Response> => {
    if (requestUrl === undefined) throw new RemoteFailure('unreachable');
    const { method, headers, body } = request;
    if (ports.mayGoBuffered?.(url.origin, carriesKey(headers)) !== true) throw await explainFailure(signal);
    const outgoing = { url: url.href, method, headers, throw: false, ...(body !== undefined && { body }) } as const;
    return responseOf(await untilAborted(requestUrl(outgoing), signal));
  };

  /** A plain request without key or content shows whether the server responds at all. */
  const explainFailure = async (signal: AbortSignal): Promise<RemoteFailure> => {
    const bare = { url: `${url.origin}/`, method: 'GET', headers: {}, throw: false } as const;
    const found = requestUrl?.(bare).then((): ProblemKind => 'asks-buffered', kindOfRefusal);
    return new RemoteFailure(await untilAborted(found ?? Promise.resolve('unreachable' as const), signal));
  };

  const problemOf = (thrown: unknown, request: OutgoingRequest): RemoteFailure => {
    if (thrown instanceof RemoteFailure) return thrown;
    // Nothing was sent.
    if (refusesCertificate(thrown)) return new RemoteFailure('certificate');
    return new RemoteFailure(request.mayRepeat ? 'unreachable' : 'cut');
  };

  const send: RequestSender['send'] = async (request, signal) => {
    try {
      if (isBuffered) return await sendBuffered(request, signal);
      return refuseRedirect(await untilAborted(ports.fetch(url.href, settingsOf(request, signal)), signal));
    } catch (thrown) {
      const mayGoBuffered = !isBuffered && requestUrl !== undefined && request.mayRepeat && !signal.aborted;
      if (!mayGoBuffered || !(thrown instanceof TypeError)) throw problemOf(thrown, request);
    }
    try {
      const response = await sendBuffered(request, signal);
      isBuffered = true;
      return response;
    } catch (thrown) {
      throw problemOf(thrown, request);
    }
  };

  const switchToRequestUrl = (): boolean => {
    const isNew = !isBuffered && requestUrl !== undefined;
    isBuffered ||= isNew;
    return isNew;
  };

  return { send, switchToRequestUrl, isBuffered: () => isBuffered };
}

function kindOfRefusal(thrown: unknown): ProblemKind {
  return refusesCertificate(thrown) ? 'certificate' : 'unreachable';
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

// Time limits: a wait ends at once when it is stopped or overdue, even if the work ignores its signal.

export interface Deadline {
  readonly timing: Timing;
  readonly milliseconds: number;
  /** The caller's signal, if any. */
  readonly signal?: AbortSignal;
  /** Aborts when the connection is closed. Without it, the work may outlive the connection. */
  readonly closed?: AbortSignal;
}

/** What the work can do about its time limit. */
export interface Patience {
  /** Begins the time limit again, within `limits.progressMilliseconds` in all. */
  extend(): void;
  /** Stops the time until the returned function is called, such as while the user is asked. */
  hold(): () => void;
}

/**
 * Runs work with a signal that aborts when the wait ends for any reason, so that the work stops as well.
 * @throws RemoteFailure 'stopped', 'closed' or 'silent', or what the work throws
 */
export function withDeadline<Value>(
  bounds: Deadline,
  run: (signal: AbortSignal, patience: Patience) => Promise<Value>,
): Promise<Value> {
  const { timing, milliseconds, signal, closed } = bounds;
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
    const clock = startClock(timing, milliseconds, (waited) => end(new RemoteFailure('silent', waited)));
    const release = (): void => {
      clock.stop();
      signal?.removeEventListener('abort', onStop);
      closed?.removeEventListener('abort', onClose);
    };
    inner.signal.addEventListener('abort', release);
    run(inner.signal, clock).then(resolve, reject).finally(release);
  });
}

function startClock(
  timing: Timing,
  milliseconds: number,
  overdue: (waited: number) => void,
): Patience & { stop(): void } {
  let held = 0;
  let isStopped = false;
  let disarmAll: (() => void) | null = null;
  const arm = (): (() => void) => timing.after(milliseconds, () => overdue(milliseconds));
  let disarm = arm();
  const again = (): void => {
    disarm();
    if (held === 0 && !isStopped) disarm = arm();
  };
  return {
    extend() {
      const { progressMilliseconds } = limits;
      if (!isStopped) disarmAll ??= timing.after(progressMilliseconds, () => overdue(progressMilliseconds));
      again();
    },
    hold() {
      held += 1;
      again();
      return () => {
        held -= 1;
        again();
      };
    },
    stop() {
      isStopped = true;
      disarm();
      disarmAll?.();
    },
  };
}

/** Settles with the promise, or rejects as soon as the signal aborts; for work that cannot be cancelled. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return rejectOnAbort(promise, signal, () => new RemoteFailure('stopped'));
}

/** Resolves after a while, or rejects as soon as the signal aborts. */
export function pause(timing: Timing, milliseconds: number, signal: AbortSignal): Promise<void> {
  let disarm = (): void => undefined;
  const waited = new Promise<void>((resolve) => (disarm = timing.after(milliseconds, resolve)));
  return untilAborted(waited, signal).finally(disarm);
}

const plainHeader = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Returns a text as a header carries it: as base64 if none can. */
export function headerText(text: string): string {
  if (plainHeader.test(text)) return text;
  const characters = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(characters.join(''))}?=`;
}
