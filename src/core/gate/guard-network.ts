/**
 * The way of every request off the plugin: no matter what asks for one, it goes only to an origin that the gate admitted, with
 * a key that the gate admitted to it, and follows no redirect that the user did not allow.
 */
import { strictFetch, type BufferedRequest, type BufferedResponse } from '../ports/network';
import { readWebAddress } from './address';
import type { Gate } from './gate';

/** How the app sends requests. */
export interface Network {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Sends a request with Obsidian's `requestUrl`: not subject to CORS, but buffered and not cancellable. */
  readonly requestUrl: (request: BufferedRequest) => Promise<BufferedResponse>;
}

export interface GuardedNetwork extends Network {
  /** Whether `requestUrl` may be used for a request to this origin. */
  readonly mayGoBuffered: (origin: string, carriesKey: boolean) => boolean;
}

/** Thrown if a request was not admitted; whoever sends one asks the gate before. */
export class NotAdmitted extends Error {
  override readonly name = 'NotAdmitted';
}

type Admissions = Pick<Gate, 'isAdmitted' | 'mayGoBuffered'>;

export function guardNetwork(network: Network, gate: Admissions): GuardedNetwork {
  const { fetch: sendStreaming, requestUrl: sendBuffered } = network;
  return {
    fetch: async (url, init) => {
      const headers = Object.fromEntries(new Headers(init.headers).entries());
      refuseUnlessAdmitted(gate, url, headers);
      return sendStreaming(url, { ...init, ...strictFetch });
    },
    requestUrl: async (request) => {
      const origin = refuseUnlessAdmitted(gate, request.url, request.headers);
      const mayFollow = isBare(request) || gate.mayGoBuffered(origin, carriesKey(request.headers));
      if (!mayFollow) throw new NotAdmitted(origin);
      return sendBuffered(request);
    },
    mayGoBuffered: (origin, hasKey) => gate.mayGoBuffered(origin, hasKey),
  };
}

function refuseUnlessAdmitted(gate: Admissions, url: string, headers: Readonly<Record<string, string>>): string {
  const address = readWebAddress(url);
  if (typeof address === 'string') throw new NotAdmitted(address);
  const keys = keysIn(headers);
  const isAdmitted = [null, ...keys].every((key) => gate.isAdmitted(address.origin, key));
  if (!isAdmitted) throw new NotAdmitted(address.origin);
  return address.origin;
}

/** Whether a request only finds out if anything responds: it has nothing that a redirect could carry elsewhere. */
function isBare({ url, method, headers, body }: BufferedRequest): boolean {
  const { pathname, search } = new URL(url);
  return method === 'GET' && body === undefined && Object.keys(headers).length === 0 && pathname + search === '/';
}

/** The headers in which providers and servers take keys. */
const keyHeaders: readonly string[] = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie'];

/** Whether a request carries a key. */
export function carriesKey(headers: Readonly<Record<string, string>>): boolean {
  return keysIn(headers).length > 0;
}

function keysIn(headers: Readonly<Record<string, string>>): string[] {
  const found = Object.entries(headers).filter(([name]) => keyHeaders.includes(name.toLowerCase()));
  return found.map(([, value]) => value.replace(/^Bearer /, ''));
}
