/**
 * A server that is signed in to, over loopback: an authorization server at one origin that checks what OAuth 2.1 and the
 * Model Context Protocol ask of clients, and a scripted MCP server at another one that takes its tokens only.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpScript } from './script';
import { type ScriptedMcpServer, startMcpServer } from './start-mcp-server';

/** What these servers do otherwise than they should, or may. */
export interface SignInScript {
  /** Value of `WWW-Authenticate` in place of the true one; null sends none. */
  challenge?: string | null;
  /** Members in place of those of the metadata; null for a document that does not exist. */
  resource?: Record<string, unknown> | null;
  issuer?: Record<string, unknown> | null;
  /** Where the metadata of the authorization server are, below its origin. */
  issuerPath?: string;
  /** Which redirects a client may register; none registers no clients. */
  registers?: 'all' | 'loopback' | 'none';
  /** Gives clients a secret, which they must send from then on. */
  secret?: boolean;
  /** Clients that are known without a registration: id, secret and redirect. */
  clients?: readonly { id: string; secret?: string; redirect: string }[];
  /** In place of an answer of the token endpoint. */
  token?: { status: number; headers?: Record<string, string>; body?: string };
  /** Seconds that a token lasts as its answer says; null says nothing. */
  lasts?: number | null;
  /** Whether refresh tokens are given; each is good once. */
  refreshes?: boolean;
  /** Scope that a call needs, by the name of the tool. */
  needs?: Readonly<Record<string, string>>;
  /** Whether pages may read what the authorization server answers; true unless given. */
  cors?: boolean;
  /** Milliseconds before an answer of the token endpoint. */
  delay?: number;
}

interface Client {
  id: string;
  secret: string | undefined;
  redirects: readonly string[];
}

interface Grant {
  client: string;
  challenge: string;
  redirect: string;
  resource: string;
  scope: string;
  isUsed: boolean;
  family: number;
}

export interface SignInServer {
  /** The address of the MCP server. */
  url: string;
  /** The authorization server, as it names itself. */
  issuer: string;
  mcp: ScriptedMcpServer;
  /** Requests to the authorization server, as method and path. */
  asked: string[];
  /** Bodies of the requests to its token endpoint. */
  tokenRequests: URLSearchParams[];
  /** What a client did that it must not. */
  faults: string[];
  set(script: SignInScript): void;
  /** Ends all access tokens; refresh tokens go on. */
  expire(): void;
  /** Ends everything that was given. */
  forgetAll(): void;
  /** Does what the browser does with the page, and returns the final address. */
  signIn(page: string): Promise<string>;
  /** All tokens that were ever given. */
  given(): readonly string[];
  close(): Promise<void>;
}

const methodHeaders = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': '*, authorization',
};

export async function startSignInServer(mcpScript: McpScript = {}, first: SignInScript = {}): Promise<SignInServer> {
  let script = first;
  const mcp = await startMcpServer(mcpScript);
  const clients = new Map<string, Client>();
  const codes = new Map<string, Grant>();
  const access = new Map<string, { scope: string; isOver: boolean; family: number }>();
  const refresh = new Map<string, { grant: Grant; isUsed: boolean }>();
  const all: string[] = [];
  const [asked, faults, tokenRequests]: [string[], string[], URLSearchParams[]] = [[], [], []];
  let families = 0;

  const fault = (text: string): null => {
    faults.push(text);
    return null;
  };
  const newSecret = (start: string): string => {
    const secret = `${start}-${randomBytes(24).toString('base64url')}`;
    all.push(secret);
    return secret;
  };

  const issuerServer = createServer((request, response) => void answerIssuer(request, response));
  const resourceServer = createServer((request, response) => void answerResource(request, response));
  const portOf = async (server: Server): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const origin = `http://127.0.0.1:${await portOf(issuerServer)}`;
  const resourceOrigin = `http://127.0.0.1:${await portOf(resourceServer)}`;
  const url = `${resourceOrigin}/mcp`;
  const metadataUrl = `${resourceOrigin}/.well-known/oauth-protected-resource/mcp`;
  const issuerOf = (): string => origin + (script.issuerPath ?? '');

  const send = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

  const clientOf = (id: string | null): Client | null => {
    const known = script.clients?.find((client) => client.id === id);
    if (known !== undefined) return { id: known.id, secret: known.secret, redirects: [known.redirect] };
    return clients.get(id ?? '') ?? null;
  };

  function register(request: IncomingMessage, text: string): { status: number; body: object } {
    const refuse = (error: string): { status: number; body: object } => ({ status: 400, body: { error } });
    if (script.registers === 'none') return { status: 404, body: {} };
    if (request.headers['content-type'] !== 'application/json') return refuse('invalid_client_metadata');
    const about = JSON.parse(text) as Record<string, unknown>;
    const redirects = about.redirect_uris as string[];
    if (about.application_type !== 'native') fault('registered without application_type native');
    if (!(about.grant_types as string[]).includes('refresh_token')) fault('registered without refresh_token');
    if (about.client_name !== 'Docent') fault('registered without its name');
    if (script.registers === 'loopback' && redirects.some((each) => !each.startsWith('http://127.0.0.1'))) {
      return refuse('invalid_redirect_uri');
    }
    const id = `client-${clients.size + 1}`;
    const secret = script.secret === true ? newSecret('client') : undefined;
    clients.set(id, { id, secret, redirects });
    const method = { token_endpoint_auth_method: secret === undefined ? 'none' : 'client_secret_basic' };
    return { status: 201, body: { ...about, ...method, client_id: id, ...(secret && { client_secret: secret }) } };
  }

  function authorize(query: URLSearchParams): string | null {
    const get = (name: string): string => query.get(name) ?? '';
    const client = clientOf(query.get('client_id'));
    if (client === null) return fault(`unknown client ${get('client_id')}`);
    if (!client.redirects.includes(get('redirect_uri'))) return fault(`redirect ${get('redirect_uri')}`);
    if (get('response_type') !== 'code') return fault('response_type');
    if (get('code_challenge_method') !== 'S256') return fault('code_challenge_method');
    if (!/^[\w-]{43}$/.test(get('code_challenge'))) return fault('code_challenge');
    if (get('state').length < 22) return fault('state');
    if (get('resource') !== url) return fault(`resource ${get('resource')}`);
    const code = newSecret('code');
    codes.set(code, {
      client: client.id,
      challenge: get('code_challenge'),
      redirect: get('redirect_uri'),
      resource: get('resource'),
      scope: get('scope'),
      isUsed: false,
      family: ++families,
    });
    const final = new URL(get('redirect_uri'));
    for (const [name, value] of Object.entries({ code, state: get('state'), iss: issuerOf() })) {
      final.searchParams.set(name, value);
    }
    return final.href;
  }

  function endFamily(family: number): void {
    for (const each of access.values()) if (each.family === family) each.isOver = true;
    for (const each of refresh.values()) if (each.grant.family === family) each.isUsed = true;
  }

  function give(grant: Grant): object {
    const token = newSecret('access');
    access.set(token, { scope: grant.scope, isOver: false, family: grant.family });
    const next = script.refreshes === false ? undefined : newSecret('refresh');
    if (next !== undefined) refresh.set(next, { grant, isUsed: false });
    const lasts = script.lasts === undefined ? 3600 : script.lasts;
    return {
      access_token: token,
      token_type: 'bearer',
      scope: grant.scope,
      ...(lasts !== null && { expires_in: lasts }),
      ...(next && { refresh_token: next }),
    };
  }

  function isClient(request: IncomingMessage, form: URLSearchParams, id: string): boolean {
    const client = clientOf(id);
    if (client?.secret === undefined) return form.get('client_id') === id;
    const basic = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    return (
      basic === `${id}:${client.secret}` ||
      (form.get('client_id') === id && form.get('client_secret') === client.secret)
    );
  }

  function exchange(request: IncomingMessage, form: URLSearchParams): object | string {
    if (form.get('resource') !== url) fault(`token for the resource ${form.get('resource')}`);
    if (form.get('grant_type') === 'refresh_token') {
      const found = refresh.get(form.get('refresh_token') ?? '');
      if (found === undefined || !isClient(request, form, found.grant.client)) return 'invalid_grant';
      if (found.isUsed) {
        endFamily(found.grant.family);
        return 'invalid_grant';
      }
      found.isUsed = true;
      return give(found.grant);
    }
    const grant = codes.get(form.get('code') ?? '');
    if (grant === undefined) return 'invalid_grant';
    if (grant.isUsed) {
      endFamily(grant.family);
      fault('a code was used twice');
      return 'invalid_grant';
    }
    grant.isUsed = true;
    if (!isClient(request, form, grant.client)) return 'invalid_client';
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (proof !== grant.challenge || form.get('redirect_uri') !== grant.redirect) {
      fault('verifier or redirect');
      return 'invalid_grant';
    }
    return give(grant);
  }

  async function answerIssuer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    if (script.cors !== false) response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'OPTIONS') {
      return void response.writeHead(script.cors === false ? 403 : 204, methodHeaders).end();
    }
    asked.push(`${request.method ?? ''} ${pathname}`);
    const text = await readText(request);
    const base = script.issuerPath ?? '';
    if (pathname === `/.well-known/oauth-authorization-server${base}`) {
      if (script.issuer === null) return send(response, 404, {});
      return send(response, 200, {
        issuer: issuerOf(),
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        ...(script.registers !== 'none' && { registration_endpoint: `${origin}/register` }),
        revocation_endpoint: `${origin}/revoke`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
        authorization_response_iss_parameter_supported: true,
        ...script.issuer,
      });
    }
    if (pathname === '/register') {
      const { status, body } = register(request, text);
      return send(response, status, body);
    }
    if (pathname === '/authorize') {
      const final = authorize(searchParams);
      return void (final === null
        ? response.writeHead(400).end(faults.at(-1))
        : response.writeHead(302, { location: final }).end());
    }
    if (pathname === '/token' && request.method === 'POST') {
      const form = new URLSearchParams(text);
      tokenRequests.push(form);
      if (script.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, script.delay));
      const { token } = script;
      if (token !== undefined) {
        return void response
          .writeHead(token.status, { 'content-type': 'application/json', ...token.headers })
          .end(token.body ?? '{}');
      }
      const given = exchange(request, form);
      return typeof given === 'string' ? send(response, 400, { error: given }) : send(response, 200, given);
    }
    if (pathname === '/revoke') {
      const found = refresh.get(new URLSearchParams(text).get('token') ?? '');
      if (found !== undefined) endFamily(found.grant.family);
      return void response.writeHead(200).end();
    }
    send(response, 404, {});
  }

  async function answerResource(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', resourceOrigin);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-expose-headers', 'www-authenticate, mcp-session-id');
    if (request.method === 'OPTIONS') return void response.writeHead(204, methodHeaders).end();
    if (pathname.startsWith('/.well-known/')) {
      if (script.resource === null || !pathname.startsWith('/.well-known/oauth-protected-resource')) {
        return send(response, 404, {});
      }
      return send(response, 200, { resource: url, authorization_servers: [issuerOf()], ...script.resource });
    }
    const text = await readText(request);
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    const known = access.get(token);
    if (known === undefined || known.isOver) {
      const challenge = script.challenge === undefined ? `Bearer resource_metadata="${metadataUrl}"` : script.challenge;
      return send(response, 401, {}, challenge === null ? {} : { 'www-authenticate': challenge });
    }
    const needed = script.needs?.[(JSON.parse(text || '{}') as { params?: { name?: string } }).params?.name ?? ''];
    if (needed !== undefined && !known.scope.split(' ').includes(needed)) {
      return send(response, 403, {}, { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}"` });
    }
    const { authorization: _token, host: _host, ...headers } = request.headers;
    const answer = await fetch(mcp.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(text !== '' && { body: text }),
    });
    const session = answer.headers.get('mcp-session-id');
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
      ...(session !== null && { 'mcp-session-id': session }),
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }

  return {
    ...{ url, mcp, asked, faults, tokenRequests },
    get issuer() {
      return issuerOf();
    },
    set: (next) => void (script = next),
    expire: () => access.forEach((each) => (each.isOver = true)),
    forgetAll: () => {
      access.clear();
      refresh.clear();
    },
    async signIn(page) {
      const { status, headers } = await fetch(page, { redirect: 'manual' });
      const final = headers.get('location');
      if (status !== 302 || final === null) throw new Error(`The page answered ${status}: ${faults.join(', ')}`);
      return final;
    },
    given: () => all,
    close: async () => {
      await mcp.close();
      for (const server of [issuerServer, resourceServer]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
