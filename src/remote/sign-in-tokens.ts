/**
 * SignInTokens: what this device was given by authorization servers, one secret for each address of an MCP server, and
 * the requests that carry it. A token goes to the origin of its server and nowhere else.
 */
import * as z from 'zod/v4';
import { subscribeTo } from '../core/base/async';
import { lazy } from '../core/base/lazy';
import { redact, spellingsOf } from '../core/base/redact';
import type { Gate } from '../core/gate/gate';
import type { Clock, Digest } from '../core/ports/device';
import { signInPrefix, type SignInState } from '../core/ports/network';
import {
  askJson,
  type Challenge,
  type JsonResponse,
  readChallenge,
  scopesIn,
  type SignInNetwork,
  type SignInServer,
  SignInStopped,
} from './find-sign-in';
import type { RedactKey } from './mcp-ports';
import { discard, type PlainRecord } from './read-messages';
import { RemoteFailure } from './remote-failure';
import type { RequestSender } from './send-request';

export interface TokenPorts extends SignInNetwork {
  readonly gate: Pick<Gate, 'admitSignIn' | 'admitCredential' | 'dropCredential'>;
  /** Obsidian's Keychain. An empty value is none. */
  readonly secrets: { read(name: string): string | null; write(name: string, value: string): void };
  readonly clock: Clock;
  readonly digest: Digest;
  /** Runs work while no other window runs any of this name. */
  exclusively<Value>(name: string, run: () => Promise<Value>): Promise<Value>;
}

const clientMethods = ['none', 'client_secret_post', 'client_secret_basic'] as const;

const source = lazy(() =>
  z.object({
    issuer: z.string(),
    tokenUrl: z.string(),
    revokeUrl: z.string().nullable(),
    resource: z.string(),
    clientId: z.string(),
    method: z.enum(clientMethods),
    /** The redirect that the client is registered with. */
    redirect: z.string(),
  }),
);

const stored = lazy(() =>
  z.object({
    url: z.string(),
    /** How the user is known at an authorization server that registers no clients. */
    own: z.object({ issuer: z.string(), id: z.string(), leadsBack: z.boolean() }).nullable(),
    /** A sign-in that has begun. */
    pending: z
      .object({
        source: source(),
        state: z.string(),
        namesItself: z.boolean(),
        page: z.object({ url: z.string(), host: z.string(), scopes: z.array(z.string()), leadsBack: z.boolean() }),
        until: z.number(),
      })
      .nullable(),
    signedIn: z.object({ source: source(), scopes: z.array(z.string()), until: z.number().nullable() }).nullable(),
    /** All that must never be shown, and nothing else. */
    secrets: z.object({
      access: z.string().optional(),
      refresh: z.string().optional(),
      client: z.string().optional(),
      ownClient: z.string().optional(),
      pendingClient: z.string().optional(),
      verifier: z.string().optional(),
    }),
  }),
);

export type TokenSource = z.infer<ReturnType<typeof source>>;
export type SignInRecord = z.infer<ReturnType<typeof stored>>;

/** Milliseconds before its end at which a token is renewed. */
const earlyMilliseconds = 30_000;

export class SignInTokens {
  /** Challenges of servers since the start, by address. */
  readonly challenges = new Map<string, Challenge>();
  private readonly expired = new Set<string>();
  private readonly renewals = new Map<string, Promise<string | null>>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly ports: TokenPorts) {}

  read({ url }: SignInServer): SignInRecord {
    const text = this.ports.secrets.read(this.nameOf(url)) ?? '';
    const parsed = stored().safeParse(parse(text));
    const empty: SignInRecord = { url, own: null, pending: null, signedIn: null, secrets: {} };
    return parsed.success && parsed.data.url === url ? parsed.data : empty;
  }

  /** @throws what the Keychain throws */
  write({ url }: SignInServer, record: SignInRecord): void {
    const { own, pending, signedIn } = record;
    const isEmpty = own === null && pending === null && signedIn === null;
    const name = this.nameOf(url);
    const isMissing = (this.ports.secrets.read(name) ?? '') === '';
    // Keychain lists an empty secret too, and none can be deleted.
    if (!isEmpty || !isMissing) this.ports.secrets.write(name, isEmpty ? '' : JSON.stringify(record));
    if (signedIn !== null) this.expired.delete(url);
    this.changed();
  }

  stateOf(server: SignInServer): SignInState {
    if (this.read(server).signedIn === null) return this.expired.has(server.url) ? 'expired' : 'out';
    return this.challenges.get(server.url)?.error === 'insufficient_scope' ? 'more' : 'in';
  }

  subscribe(listener: () => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  /**
   * Removes what this device was given for an address; nothing carries it any more.
   * @param isExpired leaves how the user is known there, and a sign-in that has begun
   */
  forget(server: SignInServer, isExpired = false): void {
    const { url } = server;
    const { own, pending, secrets } = this.read(server);
    const { access, client, refresh: _refresh, ...others } = secrets;
    for (const secret of [access, client]) this.ports.gate.dropCredential(secret ?? '');
    if (isExpired) this.expired.add(url);
    else this.expired.delete(url);
    const nothing: SignInRecord = { url, own: null, pending: null, signedIn: null, secrets: {} };
    this.write(server, isExpired ? { ...nothing, own, pending, secrets: others } : nothing);
  }

  /** Returns a token that has not run out as far as its server said; null if there is none. */
  async usable(server: SignInServer): Promise<string | null> {
    const { signedIn, secrets } = this.read(server);
    const { access, refresh } = secrets;
    if (signedIn === null || access === undefined) return null;
    const { until } = signedIn;
    const isOver = until !== null && until - earlyMilliseconds <= this.ports.clock.now();
    return isOver && refresh !== undefined ? this.renew(server, access) : access;
  }

  /**
   * Returns another token than the used one: what another request or window got since, or a renewed one, which all
   * requests share. Null if the user has to sign in again.
   */
  renew(server: SignInServer, used: string): Promise<string | null> {
    const { url } = server;
    const { access } = this.read(server).secrets;
    if (access !== undefined && access !== used) return Promise.resolve(access);
    const begun = this.renewals.get(url);
    if (begun !== undefined) return begun;
    // Servers end everything when a refresh token comes twice, so windows take turns.
    const turn = this.ports.exclusively(this.nameOf(url), () => this.renewOnce(server, used));
    const running = turn.finally(() => this.renewals.delete(url));
    this.renewals.set(url, running);
    return running;
  }

  private async renewOnce(server: SignInServer, used: string): Promise<string | null> {
    const { signedIn, secrets } = this.read(server);
    const { access, refresh } = secrets;
    if (access !== used) return access ?? null;
    if (signedIn === null || refresh === undefined) {
      this.forget(server, true);
      return null;
    }
    const { source: from, scopes } = signedIn;
    const asked = { grant_type: 'refresh_token', refresh_token: refresh };
    const answer = await this.askForTokens(server, from, secrets.client, asked).catch((thrown: unknown) => {
      throw thrown instanceof SignInStopped ? new RemoteFailure('not-renewed') : thrown;
    });
    const now = this.read(server);
    const other = now.secrets.access;
    // Another window renewed it, or the user signed in or out, while this request was on its way.
    if (other !== used) return other ?? null;
    if (saysNothing(answer)) throw new RemoteFailure('not-renewed');
    const given = readTokens(answer);
    if (typeof given === 'string') {
      this.forget(server, true);
      return null;
    }
    this.accept(server, { ...now, signedIn: { source: from, scopes, until: null } }, given);
    return given.access;
  }

  /** Stores what an authorization server gave; without a new one the refresh token stays. */
  accept(server: SignInServer, record: SignInRecord, given: GivenTokens): void {
    const { signedIn, secrets } = record;
    if (signedIn === null) return;
    const until = given.seconds === null ? null : this.ports.clock.now() + given.seconds * 1000;
    this.ports.gate.dropCredential(secrets.access ?? '');
    this.write(server, {
      ...record,
      signedIn: { ...signedIn, scopes: given.scopes ?? signedIn.scopes, until },
      secrets: { ...secrets, access: given.access, ...(given.refresh !== null && { refresh: given.refresh }) },
    });
  }

  /** Asks for tokens, known as the client says; the resource is named each time (RFC 8707). */
  async askForTokens(
    server: SignInServer,
    { tokenUrl, resource, clientId, method }: TokenSource,
    secret: string | undefined,
    asked: Readonly<Record<string, string>>,
  ): Promise<JsonResponse> {
    const { headers, members } = this.identify(tokenUrl, clientId, method, secret);
    const body = new URLSearchParams({ ...asked, ...members, resource }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return askJson(this.ports, server, tokenUrl, { method: 'POST', headers: { ...type, ...headers }, body });
  }

  /** Asks the authorization server to forget the tokens (RFC 7009); delivery is best effort. */
  revoke(server: SignInServer): void {
    const { signedIn, secrets } = this.read(server);
    const token = secrets.refresh ?? secrets.access;
    if (signedIn === null || signedIn.source.revokeUrl === null || token === undefined) return;
    const { revokeUrl, clientId, method } = signedIn.source;
    const { headers, members } = this.identify(revokeUrl, clientId, method, secrets.client);
    const body = new URLSearchParams({ token, ...members }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    askJson(this.ports, server, revokeUrl, { method: 'POST', headers: { ...type, ...headers }, body }).catch(
      () => undefined,
    );
  }

  private identify(
    address: string,
    clientId: string,
    method: TokenSource['method'],
    secret: string | undefined,
  ): { headers: Record<string, string>; members: Record<string, string> } {
    if (secret === undefined || method === 'none') return { headers: {}, members: { client_id: clientId } };
    if (method === 'client_secret_post') {
      return { headers: {}, members: { client_id: clientId, client_secret: secret } };
    }
    const basic = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`)}`;
    this.ports.gate.admitCredential(address, basic);
    return { headers: { authorization: basic }, members: {} };
  }

  /** Removes what this device was given for an address from texts of its server. */
  redactor(server: SignInServer): RedactKey {
    const seen = new Set<string>();
    return (text) => {
      for (const secret of Object.values(this.read(server).secrets))
        spellingsOf(secret).forEach((each) => seen.add(each));
      return redact(text, [...seen]);
    };
  }

  /** Returns a sender whose requests carry the token; one that the server refused is renewed once. */
  senderFor(server: SignInServer, sender: RequestSender): RequestSender {
    const { url } = server;
    const sendWith = (token: string | null): RequestSender['send'] => {
      if (token === null) return (request, signal) => sender.send(request, signal);
      this.ports.gate.admitCredential(url, token);
      return (request, signal) => {
        const headers = { ...request.headers, authorization: `Bearer ${token}` };
        return sender.send({ ...request, headers }, signal);
      };
    };
    return {
      switchToRequestUrl: () => sender.switchToRequestUrl(),
      isBuffered: () => sender.isBuffered(),
      send: async (request, signal) => {
        let token = await this.usable(server);
        let response = await sendWith(token)(request, signal);
        if (response.status === 401) {
          // The user may have signed in while a request without a token was on its way.
          const next = token === null ? await this.usable(server) : await this.renew(server, token);
          if (next !== null) {
            discard(response);
            token = next;
            response = await sendWith(token)(request, signal);
          }
        }
        this.refuseChallenge(server, response, token);
        return response;
      },
    };
  }

  /** @param token what the refused request carried */
  private refuseChallenge(server: SignInServer, response: Response, token: string | null): void {
    const { status } = response;
    if (status !== 401 && status !== 403) return;
    const challenge = readChallenge(response);
    discard(response);
    const lacksScope = status === 403 && challenge?.error === 'insufficient_scope';
    if (challenge !== null && (status === 401 || lacksScope)) this.challenges.set(server.url, challenge);
    const state = this.stateOf(server);
    const isSignedIn = state === 'in' || state === 'more';
    this.changed();
    if (status === 403) {
      if (!isSignedIn) throw new RemoteFailure('status', 403);
      throw new RemoteFailure(lacksScope ? 'more-permission' : 'no-access');
    }
    if (isSignedIn) this.expire(server, token);
    if (state !== 'out') throw new RemoteFailure('sign-in-expired');
    throw new RemoteFailure(challenge === null ? 'key-or-sign-in' : 'sign-in');
  }

  /** Forgets a token that was refused, unless another window has got another one since. */
  private expire(server: SignInServer, token: string | null): void {
    if (this.read(server).secrets.access === token) this.forget(server, true);
  }

  private nameOf(url: string): string {
    return signInPrefix + this.ports.digest(url).slice(0, 32);
  }

  private changed(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

export interface GivenTokens {
  readonly access: string;
  /** Null if none was given. */
  readonly refresh: string | null;
  readonly seconds: number | null;
  readonly scopes: string[] | null;
}

/** The characters that a header can carry, and as many as servers take in one. */
const tokenShape = /^[\x21-\x7e]{1,16384}$/;
const errorShape = /^[a-z_]{1,40}$/;
/** Types of tokens that are sent as those of the type Bearer; Slack names the one of a user after whose it is. */
const bearerTypes = ['bearer', 'user'];

/** Whether an answer leaves open if a token can be renewed: the server is busy, or something on the way answered. */
function saysNothing({ status, body }: JsonResponse): boolean {
  return status >= 500 || status === 429 || (body === null && status !== 400 && status !== 401);
}

/** Reads the answer of a token endpoint; returns its error code, or what is wrong with it, if it gave no token. */
export function readTokens({ status, body }: JsonResponse): GivenTokens | string {
  const said = body?.error;
  const code = typeof said === 'string' && errorShape.test(said) ? said : null;
  if (status !== 200) return code ?? `status ${status}`;
  const {
    access_token: access,
    token_type: type,
    refresh_token: refresh,
    expires_in: lasts,
    scope,
  } = body ?? noMembers;
  // Some servers refuse with this status, too.
  if (!isToken(access)) return code ?? 'no usable token';
  if (typeof type !== 'string' || !bearerTypes.includes(type.toLowerCase())) return 'no token of the type Bearer';
  return {
    access,
    refresh: isToken(refresh) ? refresh : null,
    seconds: secondsOf(lasts),
    scopes: typeof scope === 'string' ? scopesIn(scope) : null,
  };
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && tokenShape.test(value);
}

/** Returns a lifetime of up to a year; null for none. */
function secondsOf(value: unknown): number | null {
  const seconds = value === undefined || value === null ? NaN : Number(value);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 31_536_000) : null;
}

const noMembers: PlainRecord = {};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
