/**
 * Finds where a server is signed in to: its metadata (RFC 9728), and those of the authorization server that they name
 * (RFC 8414, OpenID discovery). Every word of both is the server's, so each address passes the gate before it is used.
 */
import { isSameAddress, originOf } from '../core/gate/address';
import type { Gate } from '../core/gate/gate';
import { type Failure, type FailureAction, unexpectedFailure } from '../core/ports/failure';
import type { McpServerChoice } from '../core/ports/network';
import { words } from '../text';
import { limits, type McpPorts } from './mcp-ports';
import { discard, isRecord, type PlainRecord, readPlainJson, readText } from './read-messages';
import { failureOfProblem, RemoteFailure } from './remote-failure';
import { createSender, type OutgoingRequest, withDeadline } from './send-request';

export type SignInServer = Pick<McpServerChoice, 'name' | 'url'>;

export interface SignInNetwork extends Pick<McpPorts, 'fetch' | 'requestUrl' | 'mayGoBuffered' | 'timing'> {
  readonly gate: Pick<Gate, 'admitSignIn'>;
}

/** Why signing in stopped, in Docent's own words. Thrown inside this folder only. */
export class SignInStopped extends Error {
  override readonly name = 'SignInStopped';
  constructor(
    readonly failure: Failure,
    /** What the failure asks about; empty if it asks nothing. */
    readonly address = '',
  ) {
    super(failure.words);
  }
}

export function stopWith(said: string, remedy: string, action?: FailureAction, address = ''): never {
  throw new SignInStopped({ kind: 'authentication', words: said, remedy, ...(action && { action }) }, address);
}

/** Returns the failure for what was thrown while an address was asked. */
export function failureOfStop(thrown: unknown, url: string): Failure {
  if (thrown instanceof SignInStopped) return thrown.failure;
  if (!(thrown instanceof RemoteFailure)) return unexpectedFailure(thrown);
  const origin = originOf(url) ?? url;
  const host = URL.canParse(url) ? new URL(url).host : url;
  if (thrown.kind === 'redirected') {
    return { kind: 'refused', words: words.signIn.redirected(host), remedy: words.signIn.makersRemedy };
  }
  return failureOfProblem(thrown, { name: host, host, origin, address: url, hasKey: true });
}

/** What a server says when it refuses a request for want of a token (RFC 6750, RFC 9728). */
export interface Challenge {
  readonly metadataUrl: string | null;
  readonly scopes: readonly string[];
  readonly error: string | null;
}

/** Reads the header; null if the server, or the browser's rule for other origins, shows none. */
export function readChallenge(response: Response): Challenge | null {
  const header = response.headers.get('www-authenticate') ?? '';
  const bearer = /(?:^|[\s,])bearer\b(.*)$/is.exec(header.slice(0, maxHeaderLength))?.[1];
  if (bearer === undefined) return null;
  const found = new Map<string, string>();
  for (const { 1: name = '', 2: quoted, 3: plain } of bearer.matchAll(
    /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g,
  )) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '');
  }
  return {
    metadataUrl: found.get('resource_metadata') ?? null,
    scopes: scopesIn(found.get('scope')),
    error: found.get('error') ?? null,
  };
}

const maxHeaderLength = 8_192;
const maxScopes = 64;
const scopeShape = /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/;

/** Returns the scopes that a request can name, each once. */
export function scopesIn(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(' ') : [];
  const valid = all.filter((scope): scope is string => typeof scope === 'string' && scopeShape.test(scope));
  return [...new Set(valid)].slice(0, maxScopes);
}

/** An authorization server, checked, and what it is asked for. */
export interface Grantor {
  readonly issuer: string;
  /** The page on which the user signs in. */
  readonly pageUrl: string;
  readonly tokenUrl: string;
  readonly registerUrl: string | null;
  readonly revokeUrl: string | null;
  /** Whether it names itself in the final address (RFC 9207). */
  readonly namesItself: boolean;
  /** How clients with a secret can send it. */
  readonly methods: readonly string[];
  /** Names the MCP server that tokens are for (RFC 8707). */
  readonly resource: string;
  readonly scopes: readonly string[];
}

export async function findGrantor(
  network: SignInNetwork,
  server: SignInServer,
  challenge: Challenge | null,
  signal: AbortSignal,
): Promise<Grantor> {
  const resource = await findResource(network, server, challenge?.metadataUrl ?? null, signal);
  const found = await findIssuer(network, server, resource.issuer, signal);
  if (found === null) {
    const { none, noneRemedy, noIssuer, makersRemedy } = words.signIn;
    return resource.isAssumed
      ? stopWith(none(server.name), noneRemedy, 'open-settings')
      : stopWith(noIssuer(resource.issuer), makersRemedy);
  }
  const scopes = challenge === null || challenge.scopes.length === 0 ? resource.scopes : challenge.scopes;
  return { ...grantorOf(network, server, found), resource: resource.id, scopes: withRefresh(scopes, found) };
}

/** Asks for a token that can be renewed where the server wants that to be asked for. */
function withRefresh(scopes: readonly string[], { scopes_supported: supported }: PlainRecord): string[] {
  const asks = scopesIn(supported).includes('offline_access');
  return [...new Set([...scopes, ...(asks ? ['offline_access'] : [])])];
}

interface Resource {
  readonly id: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** Whether the server has no metadata, as before they were asked for: it may be its own authorization server. */
  readonly isAssumed: boolean;
}

async function findResource(
  network: SignInNetwork,
  server: SignInServer,
  named: string | null,
  signal: AbortSignal,
): Promise<Resource> {
  const { elsewhere, wrongResource, noIssuerNamed, makersRemedy } = words.signIn;
  const { origin, pathname } = new URL(server.url);
  if (named !== null && originOf(named) !== origin) stopWith(elsewhere(server.name), makersRemedy);
  const path = pathname.replace(/\/$/, '');
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const found = await readFirst(network, server, named === null ? [wellKnown + path, wellKnown] : [named], signal);
  if (found === null) return { id: canonicalOf(server.url), issuer: origin, scopes: [], isAssumed: true };
  const { resource, authorization_servers: issuers, scopes_supported: supported } = found;
  if (typeof resource !== 'string' || !isResourceOf(resource, server.url))
    stopWith(wrongResource(server.name), makersRemedy);
  const [issuer] = Array.isArray(issuers) ? (issuers as unknown[]) : [];
  if (typeof issuer !== 'string') return stopWith(noIssuerNamed(server.name), makersRemedy);
  return { id: resource, issuer, scopes: scopesIn(supported), isAssumed: false };
}

function canonicalOf(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return pathname === '/' && search === '' ? origin : origin + pathname + search;
}

/** Whether metadata for this resource are those of the server: another server's token must never come here. */
function isResourceOf(resource: string, address: string): boolean {
  if (!URL.canParse(resource) || originOf(resource) !== new URL(address).origin) return false;
  const path = new URL(resource).pathname.replace(/\/$/, '');
  const own = new URL(address).pathname.replace(/\/$/, '');
  return own === path || own.startsWith(`${path}/`);
}

/** Returns the metadata of an authorization server from the first place that has them; null for none. */
async function findIssuer(
  network: SignInNetwork,
  server: SignInServer,
  issuer: string,
  signal: AbortSignal,
): Promise<PlainRecord | null> {
  const { origin, pathname, search } = admit(network, server, issuer);
  const { wrongIssuer, makersRemedy } = words.signIn;
  if (search !== '') stopWith(wrongIssuer(origin), makersRemedy);
  const path = pathname.replace(/\/$/, '');
  const at = (form: string): string => `${origin}/.well-known/${form}${path}`;
  const places = [at('oauth-authorization-server'), at('openid-configuration')];
  if (path !== '') places.push(`${origin}${path}/.well-known/openid-configuration`);
  const found = await readFirst(network, server, places, signal);
  // Metadata that another server wrote would send what the user signs in with to it.
  if (found !== null && !isSameAddress(found.issuer, issuer)) stopWith(wrongIssuer(origin), makersRemedy);
  return found;
}

function grantorOf(
  network: SignInNetwork,
  server: SignInServer,
  found: PlainRecord,
): Omit<Grantor, 'resource' | 'scopes'> {
  const { noCode, noPkce, makersRemedy } = words.signIn;
  const { issuer, response_types_supported: types, code_challenge_methods_supported: challenges } = found;
  const host = new URL(issuer as string).host;
  if (Array.isArray(types) && !types.includes('code')) stopWith(noCode(host), makersRemedy);
  if (!Array.isArray(challenges) || !challenges.includes('S256')) stopWith(noPkce(host), makersRemedy);
  const placeOf = (member: string): string => {
    const address = found[member];
    if (typeof address !== 'string') return stopWith(noCode(host), makersRemedy);
    return admit(network, server, address).href;
  };
  const optional = (member: string): string | null => (typeof found[member] === 'string' ? placeOf(member) : null);
  const methods = found.token_endpoint_auth_methods_supported;
  return {
    issuer: issuer as string,
    pageUrl: placeOf('authorization_endpoint'),
    tokenUrl: placeOf('token_endpoint'),
    registerUrl: optional('registration_endpoint'),
    revokeUrl: optional('revocation_endpoint'),
    namesItself: found.authorization_response_iss_parameter_supported === true,
    methods: Array.isArray(methods) ? methods.filter((each) => typeof each === 'string') : ['client_secret_basic'],
  };
}

/** Returns the first document that exists; null if there is none at any of the addresses. */
async function readFirst(
  network: SignInNetwork,
  server: SignInServer,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<PlainRecord | null> {
  for (const address of new Set(addresses)) {
    const { status, body } = await askJson(network, server, address, { method: 'GET', headers: {} }, signal);
    if (status >= 500) throw new SignInStopped(failureOfStop(new RemoteFailure('status', status), address));
    if (status === 200 && body !== null) return body;
  }
  return null;
}

export interface JsonResponse {
  readonly status: number;
  /** Null for anything but an object. */
  readonly body: PlainRecord | null;
}

type JsonRequest = Pick<OutgoingRequest, 'method' | 'headers' | 'body'>;

/**
 * Sends a request to an address that the gate admits for the server, and reads a small JSON object.
 * @throws SignInStopped for an address that is not admitted, or RemoteFailure
 */
export async function askJson(
  network: SignInNetwork,
  server: SignInServer,
  address: string,
  request: JsonRequest,
  signal?: AbortSignal,
): Promise<JsonResponse> {
  const url = admit(network, server, address);
  const isSecret = request.method === 'POST';
  // What is sent can be as good as a key, so a redirect that nobody sees needs the same permission.
  const mayGoBuffered = (origin: string): boolean => network.mayGoBuffered?.(origin, isSecret) ?? false;
  const { fetch, requestUrl, timing } = network;
  const sender = createSender({ fetch, mayGoBuffered, ...(requestUrl && { requestUrl }) }, url);
  // With a header of its own a page asks first, so that a code is never used up by a request whose response is hidden.
  const asksFirst: Record<string, string> = isSecret ? { 'mcp-protocol-version': '2025-11-25' } : {};
  const headers = { accept: 'application/json', ...asksFirst, ...request.headers };
  const bounds = { timing, milliseconds: limits.connectMilliseconds, ...(signal && { signal }) };
  try {
    return await withDeadline(bounds, async (inner) => {
      const response = await sender.send({ ...request, headers, mayRepeat: true }, inner);
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      if (!isJson) {
        discard(response);
        return { status: response.status, body: null };
      }
      let text = '';
      for await (const part of readText(response, inner)) text += part;
      const value = response.ok ? readPlainJson(text, null) : parseQuietly(text);
      return { status: response.status, body: isRecord(value) ? value : null };
    });
  } catch (thrown) {
    throw new SignInStopped(failureOfStop(thrown, address), address);
  }
}

/** @throws SignInStopped for an address where nothing may be sent yet */
function admit({ gate }: SignInNetwork, server: SignInServer, address: string): URL {
  const admitted = gate.admitSignIn(server, address);
  if (!admitted.ok) throw new SignInStopped(admitted.failure, address);
  return admitted.value;
}

function parseQuietly(text: string): unknown {
  try {
    return readPlainJson(text, null);
  } catch {
    return null;
  }
}
