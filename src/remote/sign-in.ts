/** Signing in to MCP servers by OAuth: from a server's refusal to a token, with PKCE, for this one server. */
import type { Gate } from '../core/gate/gate';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import {
  type McpServerChoice,
  type OwnClient,
  redirects,
  type SignInPage,
  type SignIns,
  type SignInState,
} from '../core/ports/network';
import { words } from '../text';
import {
  askJson,
  type Challenge,
  failureOfStop,
  findGrantor,
  type Grantor,
  scopesIn,
  type SignInServer,
  SignInStopped,
  stopWith,
} from './find-sign-in';
import { readTokens, type SignInRecord, SignInTokens, type TokenPorts, type TokenSource } from './sign-in-tokens';

export interface SignInPorts extends TokenPorts {
  readonly gate: TokenPorts['gate'] & Pick<Gate, 'allowSignIn' | 'revokeSignIn' | 'allowBuffered'>;
  /** Returns the servers in the current settings. */
  servers(): readonly McpServerChoice[];
  /** Returns 43 characters of base64url, from 32 random bytes. */
  random(): string;
  /** Called with the name of a server that the user has signed in to. */
  signedIn(name: string): void;
}

type Pending = NonNullable<SignInRecord['pending']>;

interface Client {
  readonly id: string;
  readonly secret: string | undefined;
  readonly method: TokenSource['method'];
  readonly redirect: string;
}

/** Milliseconds for which the page of a sign-in leads back here. */
const validMilliseconds = 15 * 60_000;
/** Milliseconds before the end of a page at which another one is made. */
const leftMilliseconds = 5 * 60_000;
const clientShape = /^[\x20-\x7e]{1,2048}$/;

export class OAuthSignIns implements SignIns {
  readonly tokens: SignInTokens;
  /** What the last failure of a server asks, by its address. */
  private readonly asked = new Map<string, { readonly words: string; readonly address: string }>();
  /** The state of the last sign-in whose tokens were asked for, by address; a sign-out removes it. */
  private readonly finishing = new Map<string, string>();

  constructor(private readonly ports: SignInPorts) {
    this.tokens = new SignInTokens(ports);
  }

  stateOf(server: SignInServer): SignInState {
    return this.tokens.stateOf(server);
  }

  subscribe(listener: () => void): () => void {
    return this.tokens.subscribe(listener);
  }

  async begin(server: SignInServer, signal: AbortSignal, isFresh = false): Promise<Outcome<SignInPage>> {
    const { pending } = this.tokens.read(server);
    const challenge = this.tokens.challenges.get(server.url) ?? null;
    const isValid = pending !== null && pending.until - leftMilliseconds > this.ports.clock.now();
    if (isValid && !isFresh && asksEnough(pending, challenge)) return succeed(pending.page);
    try {
      const grantor = await findGrantor(this.ports, server, challenge, signal);
      const granted =
        challenge?.error === 'insufficient_scope' ? (this.tokens.read(server).signedIn?.scopes ?? []) : [];
      const scopes = scopesIn([...granted, ...grantor.scopes]);
      const client = await this.findClient(server, grantor, signal);
      return succeed(this.openPage(server, { ...grantor, scopes }, client));
    } catch (thrown) {
      const failure = failureOfStop(thrown, server.url);
      const address = thrown instanceof SignInStopped ? thrown.address : '';
      this.asked.set(server.url, { words: failure.words, address });
      return fail(failure);
    }
  }

  allow(server: SignInServer, { words: said }: Pick<Failure, 'words'>): void {
    const asked = this.asked.get(server.url);
    if (asked?.words !== said) return;
    const { gate } = this.ports;
    // An admitted address can only have been asked about because pages may not read its answers.
    if (gate.admitSignIn(server, asked.address).ok) gate.allowBuffered(asked.address);
    else gate.allowSignIn(server, asked.address);
  }

  enterClient(server: SignInServer, client: OwnClient): Outcome<void> {
    const issuer = this.asked.get(server.url)?.address ?? '';
    const { clientUnusable, clientUnusableRemedy } = words.signIn;
    const isUsable = [client.id, client.secret || 'none'].every((text) => clientShape.test(text));
    if (!isUsable || issuer === '') {
      return fail({
        kind: 'invalid-input',
        words: clientUnusable,
        remedy: clientUnusableRemedy,
        action: 'enter-client',
      });
    }
    const record = this.tokens.read(server);
    const { ownClient: _before, verifier: _used, pendingClient: _old, ...secrets } = record.secrets;
    return this.store(server, {
      ...record,
      own: { issuer, id: client.id, leadsBack: client.leadsBack },
      pending: null,
      secrets: { ...secrets, ...(client.secret !== '' && { ownClient: client.secret }) },
    });
  }

  async finish(parameters: Readonly<Record<string, string>>): Promise<Outcome<string>> {
    const { state = '' } = parameters;
    const server = this.ports.servers().find((each) => this.tokens.read(each).pending?.state === state);
    const { notHere, notHereRemedy } = words.signIn;
    if (server === undefined || state === '') return fail(refusal(notHere, notHereRemedy));
    const { name } = server;
    const record = this.tokens.read(server);
    const pending = record.pending as Pending;
    const { verifier, pendingClient, ...secrets } = record.secrets;
    // A final address counts once, however it ends.
    const begun = this.store(server, { ...record, pending: null, secrets });
    if (!begun.ok) return begun;
    const problem = this.problemOf(name, pending, parameters);
    if (problem !== null) return fail(problem);
    const { source } = pending;
    const { redirect } = source;
    const { code = '' } = parameters;
    const asked = { grant_type: 'authorization_code', code, code_verifier: verifier ?? '', redirect_uri: redirect };
    this.finishing.set(server.url, state);
    try {
      const given = readTokens(await this.tokens.askForTokens(server, source, pendingClient, asked));
      if (this.finishing.get(server.url) !== state) return fail(refusal(notHere, notHereRemedy));
      const host = new URL(source.tokenUrl).host;
      if (typeof given === 'string')
        return fail(refusal(words.signIn.refused(name, host, given), words.signIn.againRemedy));
      const now = this.tokens.read(server);
      const { client: _client, access: _access, refresh: _refresh, ...others } = now.secrets;
      this.tokens.accept(
        server,
        {
          ...now,
          signedIn: { source, scopes: pending.page.scopes.slice(), until: null },
          secrets: { ...others, ...(pendingClient !== undefined && { client: pendingClient }) },
        },
        given,
      );
      this.tokens.challenges.delete(server.url);
      this.ports.signedIn(name);
      return succeed(name);
    } catch (thrown) {
      return fail(thrown instanceof SignInStopped ? thrown.failure : notStored(thrown));
    }
  }

  signOut(server: SignInServer): void {
    this.tokens.revoke(server);
    this.tokens.challenges.delete(server.url);
    this.asked.delete(server.url);
    this.finishing.delete(server.url);
    this.tokens.forget(server);
    this.ports.gate.revokeSignIn(server.url);
  }

  /** The client of the user's own, else the one that signed in before, else a new one where the server registers any. */
  private async findClient(server: SignInServer, grantor: Grantor, signal: AbortSignal): Promise<Client> {
    const { own, signedIn, secrets } = this.tokens.read(server);
    const { issuer, registerUrl, methods } = grantor;
    if (own?.issuer === issuer) {
      const redirect = own.leadsBack ? redirects.obsidian : redirects.pasted;
      return { id: own.id, secret: secrets.ownClient, method: methodFor(secrets.ownClient, methods), redirect };
    }
    if (signedIn?.source.issuer === issuer) {
      const { clientId: id, method, redirect } = signedIn.source;
      return { id, secret: secrets.client, method, redirect };
    }
    if (registerUrl !== null) return this.register(server, registerUrl, methods, signal);
    const { host } = new URL(issuer);
    return stopWith(words.signIn.noClient(host), words.signIn.noClientRemedy, 'enter-client', issuer);
  }

  /** Registers Docent as a client, with the way back to Obsidian if the server takes such an address. */
  private async register(
    server: SignInServer,
    registerUrl: string,
    methods: readonly string[],
    signal: AbortSignal,
  ): Promise<Client> {
    const { host } = new URL(registerUrl);
    for (const accepted of [[redirects.obsidian, redirects.pasted], [redirects.pasted]]) {
      const about = {
        client_name: 'Docent',
        application_type: 'native',
        redirect_uris: accepted,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      };
      const headers = { 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body: JSON.stringify(about) } as const;
      const { status, body } = await askJson(this.ports, server, registerUrl, request, signal);
      if (status >= 200 && status < 300 && body !== null) {
        const { client_id: id, client_secret: secret, redirect_uris: taken, token_endpoint_auth_method: method } = body;
        const redirect = accepted.find((each) => !Array.isArray(taken) || taken.includes(each));
        if (typeof id !== 'string' || !clientShape.test(id) || redirect === undefined) break;
        const known = typeof secret === 'string' && clientShape.test(secret) ? secret : undefined;
        return {
          id,
          secret: known,
          method: methodFor(known, typeof method === 'string' ? [method] : methods),
          redirect,
        };
      }
      if (status !== 400) break;
    }
    const { notRegistered, makersRemedy } = words.signIn;
    return stopWith(notRegistered(host), makersRemedy);
  }

  private openPage(server: SignInServer, grantor: Grantor, client: Client): SignInPage {
    const { ports } = this;
    const [state, verifier] = [ports.random(), ports.random()];
    const url = new URL(grantor.pageUrl);
    const asked = {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: client.redirect,
      code_challenge: base64UrlOf(ports.digest(verifier)),
      code_challenge_method: 'S256',
      state,
      resource: grantor.resource,
      ...(grantor.scopes.length > 0 && { scope: grantor.scopes.join(' ') }),
      ...(grantor.scopes.includes('offline_access') && { prompt: 'consent' }),
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    const page = {
      url: url.href,
      host: url.host,
      scopes: [...grantor.scopes],
      leadsBack: client.redirect === redirects.obsidian,
    };
    const { issuer, tokenUrl, revokeUrl, resource, namesItself } = grantor;
    const { id: clientId, method, redirect, secret } = client;
    const source = { issuer, tokenUrl, revokeUrl, resource, clientId, method, redirect };
    const record = this.tokens.read(server);
    const { pendingClient: _before, ...secrets } = record.secrets;
    const stored = this.store(server, {
      ...record,
      pending: { source, state, namesItself, page, until: ports.clock.now() + validMilliseconds },
      secrets: { ...secrets, verifier, ...(secret !== undefined && { pendingClient: secret }) },
    });
    if (!stored.ok) throw new SignInStopped(stored.failure);
    return page;
  }

  /** Returns why a final address is not taken: too late, from another server (RFC 9207), or a refusal. */
  private problemOf(
    name: string,
    { until, source, namesItself }: Pending,
    { iss, code, error }: Readonly<Record<string, string>>,
  ): Failure | null {
    const { late, mixedUp, againRemedy, denied, refused } = words.signIn;
    const { host } = new URL(source.issuer);
    if (until < this.ports.clock.now()) return refusal(late(name), againRemedy);
    if (iss === undefined ? namesItself : iss !== source.issuer) return refusal(mixedUp(name, host), againRemedy);
    if (error === 'access_denied') return refusal(denied(name, host), againRemedy);
    if (error !== undefined || code === undefined || code === '') {
      return refusal(refused(name, host, /^[a-z_]{1,40}$/.test(error ?? '') ? (error ?? '') : ''), againRemedy);
    }
    return null;
  }

  private store(server: SignInServer, record: SignInRecord): Outcome<void> {
    try {
      this.tokens.write(server, record);
      return succeed(undefined);
    } catch (thrown) {
      return fail(notStored(thrown));
    }
  }
}

/** Returns whether a page asks for all that a call has lacked since. */
function asksEnough({ page }: Pending, challenge: Challenge | null): boolean {
  if (challenge?.error !== 'insufficient_scope') return true;
  return challenge.scopes.every((scope) => page.scopes.includes(scope));
}

function methodFor(secret: string | undefined, methods: readonly string[]): TokenSource['method'] {
  if (secret === undefined) return 'none';
  return methods.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post';
}

/** @param hex bytes as hexadecimal digits */
function base64UrlOf(hex: string): string {
  const bytes = (hex.match(/../g) ?? []).map((pair) => String.fromCharCode(parseInt(pair, 16)));
  return btoa(bytes.join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function refusal(said: string, remedy: string): Failure {
  return { kind: 'refused', words: said, remedy, action: 'sign-in' };
}

function notStored(thrown: unknown): Failure {
  const { notStored, notStoredRemedy } = words.signIn;
  return { kind: 'storage', words: notStored(messageOf(thrown)), remedy: notStoredRemedy };
}
