/** Transport: sends requests with a streaming fetch, or else buffered with Obsidian's `requestUrl`. */
import { rejectOnAbort } from '../../core/base/async';
import { carriesKey } from '../../core/gate/guard-network';
import type { DeviceStorage } from '../../core/ports/device';
import { refusesCertificate, strictFetch, type BufferedResponse, type BufferedRequest } from '../../core/ports/network';

export interface Transport {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Sends a request with Obsidian's `requestUrl`: not subject to CORS, but buffered and not cancellable. */
  readonly requestUrl?: (request: BufferedRequest) => Promise<BufferedResponse>;
  /** Whether requestUrl, which follows redirects, may be used for a request to this origin; never if absent. */
  readonly mayGoBuffered?: (origin: string, carriesKey: boolean) => boolean;
  /** 'refuse' uses requestUrl only to find out why fetch failed. */
  readonly wholeAnswers?: 'use' | 'refuse';
  /** Remembers on this device which servers only allow buffered responses. */
  readonly memory?: DeviceStorage;
}

/** Time and randomness for requests to models, injected so that tests can control them. */
export interface Timing {
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** Calls `act` once after that many milliseconds, unless the returned function is called first. */
  after(milliseconds: number, act: () => void): () => void;
}

export interface OutgoingRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** No usable response arrived; the kind says why. */
export class ConnectionProblem extends Error {
  override readonly name = 'ConnectionProblem';
  constructor(
    readonly kind:
      | 'unreachable'
      | 'certificate'
      | 'cross-origin'
      | 'redirected'
      | 'asks-buffered'
      | 'silent'
      | 'web-page'
      | 'not-a-stream',
    /** The server's text, if any. */
    readonly body = '',
    /** The milliseconds that a silent server had; absent for any other problem. */
    readonly waited?: number,
  ) {
    super(kind);
  }
}

/** Milliseconds; streaming is tried again after a day, because a server or network may have been reconfigured. */
const memoryLasts = 86_400_000;
/** Before the time of a first failure, after which streaming is tried again: a break in the network looks the same. */
const firstFailure = 'first ';
const memoryKey = (origin: string): string => `connection:${origin}`;

/** Returns whether responses from this origin are known to arrive buffered. */
export function isBuffered(transport: Transport, origin: string, timing: Timing): boolean {
  const since = Number(transport.memory?.get(memoryKey(origin)) ?? Number.NaN);
  return transport.requestUrl !== undefined && timing.now() - since < memoryLasts;
}

/**
 * Sends a request. It is repeated with requestUrl only if fetch failed before any byte of a response, and only if the
 * user allowed that for the origin or there is nothing to lose: requestUrl follows redirects unseen, fetch follows none.
 * @param beforeWhole called when the response will be buffered, with whether this request shows that the server doesn't
 *   allow streaming: fetch has failed before, and again. Returns whether the user sees that, and only then it is
 *   remembered: a request for a list of models finds it too, but an answer has to say it.
 */
export async function send(
  request: OutgoingRequest,
  transport: Transport,
  timing: Timing,
  signal: AbortSignal,
  beforeWhole: (isFound: boolean) => boolean,
): Promise<Response> {
  const { origin } = new URL(request.url);
  if (usesRequestUrl(transport) && isBuffered(transport, origin, timing)) {
    if (!mayGoBuffered(request, transport)) throw new ConnectionProblem('asks-buffered');
    beforeWhole(false);
    return sendBuffered(request, transport, signal);
  }
  const sentAt = timing.now();
  try {
    const response = await untilAborted(transport.fetch(request.url, fetchSettings(request, signal)), signal);
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      throw new ConnectionProblem('redirected');
    }
    forget(transport, origin);
    return response;
  } catch (thrown) {
    if (signal.aborted) throw new Aborted();
    if (thrown instanceof ConnectionProblem) throw thrown;
    if (!(thrown instanceof TypeError)) throw new ConnectionProblem('unreachable');
    await refuseBuffered(request, transport, timing, signal);
    const isFound = hasFailedBefore(transport, origin, sentAt);
    const isShown = beforeWhole(isFound);
    const response = await sendBuffered(request, transport, signal);
    if (isShown || !isFound) rememberFailure(transport, origin, `${isFound ? '' : firstFailure}${timing.now()}`);
    return response;
  }
}

/** Returns whether fetch had failed before this request was sent, and no request has been streamed since. */
function hasFailedBefore({ memory }: Transport, origin: string, sentAt: number): boolean {
  const failedAt = Number(memory?.get(memoryKey(origin))?.replace(firstFailure, '') ?? Number.NaN);
  return failedAt < sentAt;
}

function rememberFailure({ memory }: Transport, origin: string, value: string): void {
  memory?.set(memoryKey(origin), value);
}

function forget({ memory }: Transport, origin: string): void {
  if (memory?.get(memoryKey(origin)) != null) memory.set(memoryKey(origin), null);
}

function usesRequestUrl({ requestUrl, wholeAnswers }: Transport): boolean {
  return requestUrl !== undefined && wholeAnswers !== 'refuse';
}

/** Throws why a request that fetch could not send is not sent with requestUrl either, unless it may be. */
async function refuseBuffered(
  request: OutgoingRequest,
  transport: Transport,
  timing: Timing,
  signal: AbortSignal,
): Promise<void> {
  if (!usesRequestUrl(transport)) throw await explainFailure(request, transport, signal, 'cross-origin');
  if (mayGoBuffered(request, transport)) return;
  const problem = await explainFailure(request, transport, signal, 'asks-buffered');
  const key = memoryKey(new URL(request.url).origin);
  const isFirst = problem.kind === 'asks-buffered' && transport.memory?.get(key) === null;
  if (isFirst) transport.memory?.set(key, `${firstFailure}${timing.now()}`);
  throw problem;
}

function mayGoBuffered({ url, headers }: OutgoingRequest, { mayGoBuffered }: Transport): boolean {
  return mayGoBuffered?.(new URL(url).origin, carriesKey(headers)) === true;
}

function fetchSettings(request: OutgoingRequest, signal: AbortSignal): RequestInit {
  const { method, headers, body } = request;
  return { ...strictFetch, method, headers, body, signal };
}

async function sendBuffered(request: OutgoingRequest, transport: Transport, signal: AbortSignal): Promise<Response> {
  const { origin } = new URL(request.url);
  try {
    const response = await sendByRequestUrl(request, transport, signal);
    const bodyless = response.status === 204 || response.status === 205 || response.status === 304;
    return new Response(bodyless ? null : response.arrayBuffer, { status: response.status, headers: response.headers });
  } catch (thrown) {
    if (signal.aborted) throw new Aborted();
    transport.memory?.set(memoryKey(origin), null);
    throw problemOf(thrown);
  }
}

/** A page learns only that fetch failed; requestUrl says why. */
function problemOf(thrown: unknown): ConnectionProblem {
  return new ConnectionProblem(refusesCertificate(thrown) ? 'certificate' : 'unreachable');
}

/**
 * Finds out why fetch failed: a page cannot distinguish a blocked response from a failed connection, but a plain
 * request without key or content through requestUrl can.
 * @param ifBlocked the problem if the server responds
 */
async function explainFailure(
  request: OutgoingRequest,
  transport: Transport,
  signal: AbortSignal,
  ifBlocked: 'cross-origin' | 'asks-buffered',
): Promise<ConnectionProblem> {
  try {
    await sendByRequestUrl({ url: new URL(request.url).origin, method: 'GET', headers: {} }, transport, signal);
    return new ConnectionProblem(ifBlocked);
  } catch (thrown) {
    if (signal.aborted) throw new Aborted();
    return problemOf(thrown);
  }
}

function sendByRequestUrl(
  request: OutgoingRequest,
  transport: Transport,
  signal: AbortSignal,
): Promise<BufferedResponse> {
  const { requestUrl } = transport;
  if (requestUrl === undefined) throw new ConnectionProblem('unreachable');
  return untilAborted(requestUrl({ ...request, throw: false }), signal);
}

/** Resolves after the time or as soon as the signal aborts, whichever comes first. */
export function sleep(timing: Timing, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = timing.after(milliseconds, done);
    signal.addEventListener('abort', done);
  });
}

/** Settles with the promise, or rejects as soon as the signal aborts, even if the work ignores the signal. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return rejectOnAbort(promise, signal, () => new Aborted());
}

/** Thrown inside this folder when the user stopped; never leaves it. */
export class Aborted extends Error {
  override readonly name = 'AbortError';
}
