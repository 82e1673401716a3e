/** @jest-environment node */
/** Signing in to servers, with the real gate and real requests to a strict authorization server on loopback. */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gate } from '../../../src/core/gate/gate';
import { guardNetwork } from '../../../src/core/gate/guard-network';
import { describeFailure, type Outcome } from '../../../src/core/ports/failure';
import { type McpConnection, readFinalAddress, redirects, type SignInPage } from '../../../src/core/ports/network';
import type { Timing } from '../../../src/remote/mcp-ports';
import { openMcp } from '../../../src/remote/open';
import { OAuthSignIns } from '../../../src/remote/sign-in';
import { words } from '../../../src/text';
import { ApiKeys } from '../../../src/vault/api-keys';
import { startSignInServer, type SignInScript, type SignInServer } from '../../support/mcp-server/sign-in-server';
import { digest, fakeClock, memoryDevice } from '../../support/memory-ports';
import { eventually } from '../eventually';
import { choiceOf, endlessTiming, handTiming, failureOf, never, requestUrl, valueOf } from './harness';

const say = words.signIn;
const script = { tools: [{ name: 'look' }, { name: 'write' }], session: true };
let server: SignInServer;

/** Servers besides it, which end with their test however it goes. */
const others: Server[] = [];

beforeEach(async () => (server = await startSignInServer(script)));
afterEach(async () => {
  for (const other of others.splice(0)) {
    other.closeAllConnections();
    other.close();
  }
  await server.close();
});

async function listen(other: Server): Promise<string> {
  others.push(other);
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
}

/** A page as far as it may read: what shows itself to no page fails, and a request with a header of its own asks first. */
async function pageFetch(url: string, init: RequestInit): Promise<Response> {
  const own = Object.keys(init.headers ?? {}).some((name) => !/^(accept|content-type)$/i.test(name));
  if (own && !(await fetch(url, { method: 'OPTIONS' })).ok) throw new TypeError('Failed to fetch');
  const response = await fetch(url, init);
  if (response.headers.get('access-control-allow-origin') === null) throw new TypeError('Failed to fetch');
  return response;
}

/** What all windows of an app take turns at. */
let turns = Promise.resolve<unknown>(undefined);
function exclusively<Value>(_name: string, run: () => Promise<Value>): Promise<Value> {
  const turn = turns.then(run);
  turns = turn.catch(() => undefined);
  return turn;
}

/** A device: its Keychain, what was allowed on it, and Docent. */
function device(changes: { url?: string; secrets?: Map<string, string>; timing?: Timing } = {}) {
  const timing = changes.timing ?? endlessTiming;
  const secrets = changes.secrets ?? new Map<string, string>();
  const keychain = {
    getSecret: (id: string) => secrets.get(id) ?? null,
    setSecret: (id: string, secret: string) => void secrets.set(id, secret),
    listSecrets: () => [...secrets.keys()],
  };
  const keys = new ApiKeys({ secretStorage: keychain } as unknown as ConstructorParameters<typeof ApiKeys>[0]);
  const storage = memoryDevice();
  const gate = new Gate({ device: storage, secret: (name) => keys.read(name) });
  const clock = fakeClock();
  const sent: { readonly origin: string; readonly text: string }[] = [];
  const watch = (url: string, rest: unknown): void =>
    void sent.push({ origin: new URL(url).origin, text: JSON.stringify([url, rest]) });
  const network = guardNetwork(
    {
      fetch: (url, init) => {
        watch(url, { headers: Object.fromEntries(new Headers(init.headers)), body: init.body });
        return pageFetch(url, init);
      },
      requestUrl: (request) => {
        watch(request.url, request);
        return requestUrl(request);
      },
    },
    gate,
  );
  const choice = choiceOf(changes.url ?? server.url);
  const signedIn: string[] = [];
  const signIns = new OAuthSignIns({
    ...{ ...network, timing, gate, secrets: keys, clock, digest },
    random: () => randomBytes(32).toString('base64url'),
    exclusively,
    servers: () => [choice],
    signedIn: (name) => void signedIn.push(name),
  });
  const notes: string[] = [];
  const connect = (): Promise<Outcome<McpConnection>> =>
    openMcp({
      ...{ ...network, timing, version: '1.2.3', signIns: signIns.tokens },
      admit: (keyName, url) => gate.admitServer(keyName, url)?.secret ?? null,
      note: (text) => void notes.push(text),
    })(choice, never);
  /** Says yes to each question. */
  const begin = async (isFresh = false): Promise<Outcome<SignInPage>> => {
    for (let question = 0; ; question++) {
      const begun = await signIns.begin(choice, never, isFresh);
      if (begun.ok || begun.failure.action !== 'allow-sending' || question === 5) return begun;
      signIns.allow(choice, begun.failure);
    }
  };
  const finish = (address: string): Promise<Outcome<string>> => signIns.finish(readFinalAddress(address) ?? {});
  const signIn = async (): Promise<void> => {
    await connect();
    valueOf(await finish(await server.signIn(valueOf(await begin()).url)));
  };
  const record = (): string => [...secrets.values()].join('\n');
  return {
    begin,
    choice,
    clock,
    connect,
    finish,
    gate,
    keys,
    notes,
    record,
    secrets,
    sent,
    signedIn,
    signIn,
    signIns,
    storage,
  };
}

const call = async (connection: McpConnection, tool = 'look') => connection.callTool(tool, { a: 1 }, never);

describe('a server that wants a sign-in', () => {
  it('is signed in to with PKCE, and called', async () => {
    const here = device();
    expect(failureOf(await here.connect())).toMatchObject({
      words: words.remote.signInWanted('library'),
      action: 'sign-in',
    });
    expect(here.signIns.stateOf(here.choice)).toBe('out');
    const asks = failureOf(await here.signIns.begin(here.choice, never));
    expect(asks.words).toContain(server.issuer);
    expect(server.asked).toEqual([]);
    const page = valueOf(await here.begin());
    const query = new URL(page.url).searchParams;
    expect(query.get('resource')).toBe(server.url);
    expect(query.get('redirect_uri')).toBe(redirects.obsidian);
    expect(page).toMatchObject({ host: new URL(server.issuer).host, leadsBack: true });
    const final = await server.signIn(page.url);
    expect(valueOf(await here.finish(final))).toBe('library');
    expect(here.signedIn).toEqual(['library']);
    const connection = valueOf(await here.connect());
    expect(valueOf(await call(connection)).text).toContain('look got');
    expect(server.mcp.calls).toHaveLength(1);
    expect(here.signIns.stateOf(here.choice)).toBe('in');
    expect(server.faults).toEqual([]);
  });

  it('is asked about at each origin once, and not again on this device', async () => {
    const here = device();
    await here.signIn();
    here.signIns.tokens.forget(here.choice);
    await here.connect();
    expect((await here.signIns.begin(here.choice, never)).ok).toBe(true);
  });

  it('gives the same page again while it is valid, another one when asked to, and none of old', async () => {
    const here = device();
    await here.connect();
    const first = valueOf(await here.begin());
    expect(valueOf(await here.begin())).toEqual(first);
    here.clock.advance(11 * 60_000);
    const second = valueOf(await here.begin());
    expect(second.url).not.toBe(first.url);
    expect(failureOf(await here.finish(await server.signIn(first.url))).words).toBe(say.notHere);
    here.clock.advance(16 * 60_000);
    expect(failureOf(await here.finish(await server.signIn(second.url))).words).toBe(say.late('library'));
    expect(server.tokenRequests).toEqual([]);
  });

  it('goes on after a restart in between, as on a phone that ended Obsidian behind the browser', async () => {
    const before = device();
    await before.connect();
    const { url } = valueOf(await before.begin());
    const after = device({ secrets: before.secrets });
    for (const [key, value] of before.storage.values) after.storage.set(key, value);
    expect(valueOf(await after.finish(await server.signIn(url)))).toBe('library');
    expect(valueOf(await call(valueOf(await after.connect()))).isError).toBe(false);
  });

  it('is described by the well-known address where no header is shown, and by its own origin without metadata', async () => {
    server.set({ challenge: null });
    const here = device();
    expect(failureOf(await here.connect()).words).toBe(words.remote.keyWanted('library'));
    expect((await here.begin()).ok).toBe(true);
    server.set({ resource: null, challenge: null });
    expect(failureOf(await here.begin(true)).words).toBe(say.none('library'));
  });

  it.each([
    ['/', ''],
    ['/mcp', '/mcp'],
    ['/mcp?team=a', '/mcp?team=a'],
  ])('asks its own origin for a token of %s where it has no metadata', async (address, resource) => {
    const origin = await listen(
      createServer((request, response) => {
        response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*');
        if (request.method === 'OPTIONS') return void response.end();
        response.setHeader('content-type', 'application/json');
        if (request.url === '/.well-known/oauth-authorization-server') {
          return void response.end(
            JSON.stringify({
              issuer: origin,
              ...{ authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
              ...{ registration_endpoint: `${origin}/register`, code_challenge_methods_supported: ['S256'] },
            }),
          );
        }
        if (request.url === '/register') return void response.writeHead(201).end('{"client_id":"docent-1"}');
        response.writeHead(404).end('{}');
      }),
    );
    const page = new URL(valueOf(await device({ url: origin + address }).begin()).url);
    expect(page.searchParams.get('resource')).toBe(origin + resource);
  });

  it.each([['/tenant', '/.well-known/oauth-authorization-server/tenant']])(
    'finds metadata below a path: %s',
    async (issuerPath, place) => {
      server.set({ issuerPath });
      const here = device();
      await here.signIn();
      expect(server.asked).toContain(`GET ${place}`);
      expect(server.faults).toEqual([]);
    },
  );

  it('asks for what the server needs, and for a token that can be renewed', async () => {
    server.set({
      resource: { scopes_supported: ['read', 'bad scope', 7] },
      issuer: { scopes_supported: ['offline_access'] },
    });
    const here = device();
    await here.connect();
    const page = valueOf(await here.begin());
    expect(page.scopes).toEqual(['read', 'offline_access']);
    expect(new URL(page.url).searchParams.get('scope')).toBe('read offline_access');
  });
});

describe('clients', () => {
  it('come back by a pasted address where the server takes no other', async () => {
    server.set({ registers: 'loopback' });
    const here = device();
    await here.connect();
    const page = valueOf(await here.begin());
    expect(page.leadsBack).toBe(false);
    const final = await server.signIn(page.url);
    expect(final.startsWith(redirects.pasted)).toBe(true);
    expect(valueOf(await here.finish(`  ${final}  `))).toBe('library');
  });

  it('send a secret that they were given', async () => {
    server.set({ secret: true });
    const here = device();
    await here.signIn();
    server.expire();
    expect(valueOf(await call(valueOf(await here.connect()))).isError).toBe(false);
    expect(server.faults).toEqual([]);
  });

  it('can be the user’s own where the server registers none', async () => {
    const own = { id: 'mine', secret: 'own-secret-123456', redirect: redirects.pasted };
    server.set({ registers: 'none', clients: [own] });
    const here = device();
    await here.connect();
    const asks = failureOf(await here.begin());
    expect(asks).toMatchObject({ words: say.noClient(new URL(server.issuer).host), action: 'enter-client' });
    const entered = { id: 'mine', secret: own.secret, leadsBack: false };
    const unusable = failureOf(here.signIns.enterClient(here.choice, { ...entered, id: '' }));
    expect(unusable).toMatchObject({ words: say.clientUnusable, action: 'enter-client' });
    valueOf(here.signIns.enterClient(here.choice, entered));
    expect(valueOf(await here.finish(await server.signIn(valueOf(await here.begin()).url)))).toBe('library');
    expect(here.keys.valuesOf({ providers: {}, mcpServers: [] } as never)).toContain(own.secret);
    // It belongs to the server that it was entered for.
    server.set({ registers: 'none', clients: [own], issuerPath: '/other' });
    server.forgetAll();
    await here.connect();
    expect(failureOf(await here.begin()).action).toBe('enter-client');
    expect(server.faults).toEqual([]);
  });

  it('are refused in words', async () => {
    server.set({ registers: 'all', issuer: { registration_endpoint: `${server.issuer}/nowhere` } });
    const here = device();
    await here.connect();
    expect(failureOf(await here.begin()).words).toBe(say.notRegistered(new URL(server.issuer).host));
  });
});

describe('tokens', () => {
  it('are renewed once for all calls that find them expired, with the next refresh token each time', async () => {
    const here = device();
    await here.signIn();
    const connection = valueOf(await here.connect());
    for (let round = 1; round <= 3; round++) {
      server.expire();
      const answers = await Promise.all([1, 2, 3, 4].map(() => call(connection)));
      expect(answers.every((answer) => answer.ok && !answer.value.isError)).toBe(true);
      expect(server.tokenRequests).toHaveLength(1 + round);
    }
    expect(server.mcp.calls).toHaveLength(12);
    expect(server.faults).toEqual([]);
  });

  it('are renewed before they run out', async () => {
    server.set({ lasts: 60 });
    const here = device();
    await here.signIn();
    const connection = valueOf(await here.connect());
    here.clock.advance(29_000);
    await call(connection);
    expect(server.tokenRequests).toHaveLength(1);
    here.clock.advance(2_000);
    await call(connection);
    expect(server.tokenRequests).toHaveLength(2);
  });

  it('that were renewed in another window are taken from there', async () => {
    const one = device();
    await one.signIn();
    const other = device({ secrets: one.secrets });
    for (const [key, value] of one.storage.values) other.storage.set(key, value);
    const [first, second] = [valueOf(await one.connect()), valueOf(await other.connect())];
    server.expire();
    expect((await call(first)).ok).toBe(true);
    expect((await call(second)).ok).toBe(true);
    expect(server.tokenRequests).toHaveLength(2);
    // Both at once take turns: the server would end everything if one refresh token came twice.
    server.expire();
    server.set({ delay: 30 });
    const both = await Promise.all([call(first), call(second)]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    expect(server.tokenRequests).toHaveLength(3);
  });

  it('whose renewal is refused have to be asked for again, which every device finds out for itself', async () => {
    const here = device();
    await here.signIn();
    const connection = valueOf(await here.connect());
    server.forgetAll();
    expect(failureOf(await call(connection))).toMatchObject({
      words: words.remote.signInExpired('library'),
      action: 'sign-in',
    });
    expect(here.signIns.stateOf(here.choice)).toBe('expired');
    expect(here.record()).not.toMatch(/access-|refresh-/);
    const second = device();
    expect(failureOf(await second.connect()).words).toBe(words.remote.signInWanted('library'));
    valueOf(await here.finish(await server.signIn(valueOf(await here.begin()).url)));
    expect(here.signIns.stateOf(here.choice)).toBe('in');
  });

  it.each([500, 429])('outlast a renewal that fails with %s', async (status) => {
    const here = device();
    await here.signIn();
    const connection = valueOf(await here.connect());
    server.expire();
    server.set({ token: { status } });
    const failure = failureOf(await call(connection));
    expect(failure.words).toBe(words.remote.notRenewed('library'));
    // The model reads it as the result of its call, and has no account.
    expect(describeFailure(failure)).not.toMatch(/\byour?\b|sign in/i);
    server.set({});
    expect((await call(connection)).ok).toBe(true);
  });

  it('without a refresh token end with the next refusal', async () => {
    server.set({ refreshes: false });
    const here = device();
    await here.signIn();
    const connection = valueOf(await here.connect());
    server.expire();
    expect(failureOf(await call(connection)).words).toBe(words.remote.signInExpired('library'));
    expect(server.tokenRequests).toHaveLength(1);
  });

  it('are asked for with more scope when a call needs it, and what was granted stays', async () => {
    server.set({ resource: { scopes_supported: ['read'] }, needs: { write: 'files:write' } });
    const here = device();
    await here.signIn();
    const connection = valueOf(await here.connect());
    expect(failureOf(await call(connection, 'write')).words).toBe(words.remote.morePermission('library'));
    expect((await call(connection)).ok).toBe(true);
    expect(here.signIns.stateOf(here.choice)).toBe('more');
    const page = valueOf(await here.begin());
    expect(page.scopes).toEqual(['read', 'files:write']);
    valueOf(await here.finish(await server.signIn(page.url)));
    expect(here.signIns.stateOf(here.choice)).toBe('in');
    expect(valueOf(await call(connection, 'write')).isError).toBe(false);
    expect(server.faults).toEqual([]);
  });

  it('are asked for with more scope although a page was opened before the call', async () => {
    server.set({ resource: { scopes_supported: ['read'] }, needs: { write: 'files:write' } });
    const here = device();
    await here.signIn();
    const connection = valueOf(await here.connect());
    expect(valueOf(await here.begin()).scopes).toEqual(['read']);
    await call(connection, 'write');
    const page = valueOf(await here.begin());
    expect(page.scopes).toEqual(['read', 'files:write']);
    expect(valueOf(await here.begin())).toEqual(page);
  });

  it('are not kept when the user signs out while they are on their way', async () => {
    const here = device();
    await here.connect();
    const final = await server.signIn(valueOf(await here.begin()).url);
    server.set({ delay: 30 });
    const finishing = here.finish(final);
    here.signIns.signOut(here.choice);
    expect(failureOf(await finishing).words).toBe(say.notHere);
    expect(server.tokenRequests).toHaveLength(1);
    expect([here.record(), here.signIns.stateOf(here.choice), here.signedIn]).toEqual(['', 'out', []]);
  });

  it('are forgotten by a sign-out, here and at the server', async () => {
    const here = device();
    await here.signIn();
    const connection = valueOf(await here.connect());
    here.signIns.signOut(here.choice);
    expect(here.record()).toBe('');
    expect(here.signIns.stateOf(here.choice)).toBe('out');
    expect(failureOf(await call(connection)).action).toBe('sign-in');
    expect(server.asked).toContain('POST /revoke');
    expect((await here.signIns.begin(here.choice, never)).ok).toBe(false);
  });

  it('H10 go to the origin of their server alone, and into no text', async () => {
    const here = device();
    await here.signIn();
    const connection = valueOf(await here.connect());
    server.mcp.set({
      ...script,
      tools: [{ name: 'look', result: { content: [{ type: 'text', text: `You sent ${server.given()[1] ?? ''}.` }] } }],
    });
    const told = valueOf(await call(connection)).text;
    expect(told).toBe('You sent [redacted].');
    const access = server.given().filter((each) => each.startsWith('access-'));
    expect(access).toHaveLength(1);
    const places = here.sent.filter(({ text }) => access.some((token) => text.includes(token)));
    expect([...new Set(places.map(({ origin }) => origin))]).toEqual([new URL(server.url).origin]);
    const redacted = here.keys.valuesOf({ providers: {}, mcpServers: [] } as never);
    expect(redacted).toEqual(expect.arrayContaining(access));
    expect([...here.storage.values.values()].join('\n')).not.toMatch(/access-|refresh-|code-/);
    expect(JSON.stringify(connection)).not.toMatch(/access-/);
  });

  it('are not sent where only the settings name another address', async () => {
    const here = device();
    await here.signIn();
    const other = await startSignInServer(script);
    const moved = device({ url: other.url, secrets: here.secrets });
    await moved.connect();
    expect(moved.sent.some(({ text }) => /access-|refresh-/.test(text))).toBe(false);
    await other.close();
  });
});

describe('attacks', () => {
  const refusedBegin = async (changes: SignInScript): Promise<{ said: string; asked: readonly string[] }> => {
    server.set(changes);
    const here = device();
    await here.connect();
    const failure = failureOf(await here.begin());
    return { said: failure.words, asked: here.sent.map(({ origin }) => origin) };
  };

  it('with metadata at another origin is refused before anything is asked there', async () => {
    const { said, asked } = await refusedBegin({ challenge: 'Bearer resource_metadata="https://evil.example/meta"' });
    expect(said).toBe(say.elsewhere('library'));
    expect(asked).not.toContain('https://evil.example');
  });

  it.each([
    ['another server', 'https://bank.example/mcp'],
    ['another path', '/mcp/other'],
    ['nothing at all', ''],
  ])('with metadata about %s is refused', async (_what, resource) => {
    const { origin } = new URL(server.url);
    const { said } = await refusedBegin({
      resource: { resource: resource.startsWith('/') ? origin + resource : resource },
    });
    expect(said).toBe(say.wrongResource('library'));
  });

  it('with a place to sign in that nobody may be sent to is refused', async () => {
    for (const issuer of [
      'http://auth.example',
      'https://10.0.0.1',
      'https://user:pass@auth.example',
      'javascript:alert(1)',
    ]) {
      const { said, asked } = await refusedBegin({ resource: { authorization_servers: [issuer] } });
      expect(said).toBe(words.gate.signInRefused('library', issuer));
      expect(asked.every((origin) => origin === new URL(server.url).origin)).toBe(true);
    }
  });

  it('of a server on the internet that names a place on this device is refused', () => {
    const gate = new Gate({ device: memoryDevice(), secret: () => null });
    const far = { name: 'far', url: 'https://far.example/mcp' };
    for (const address of [
      'http://127.0.0.1:11434/api',
      'http://localhost/',
      'https://192.168.0.1/',
      'https://fritz.box/',
    ]) {
      expect(failureOf(gate.admitSignIn(far, address)).words).toBe(words.gate.signInRefused('far', address));
      gate.allowSignIn(far, address);
      expect(gate.admitSignIn(far, address).ok).toBe(false);
    }
    expect(failureOf(gate.admitSignIn(far, 'https://auth.example/x')).action).toBe('allow-sending');
    gate.allowSignIn(far, 'https://auth.example/y');
    expect(gate.admitSignIn(far, 'https://auth.example/x').ok).toBe(true);
    expect(gate.admitSignIn({ ...far, url: 'https://other.example' }, 'https://auth.example/x').ok).toBe(false);
    gate.revokeSignIn(far.url);
    expect(gate.admitSignIn(far, 'https://auth.example/x').ok).toBe(false);
  });

  it('with the metadata of another authorization server are refused', async () => {
    expect((await refusedBegin({ issuer: { issuer: 'https://honest.example' } })).said).toBe(
      say.wrongIssuer(server.issuer),
    );
  });

  it('that name ways to send a secret which are no texts are taken without them', async () => {
    server.set({ issuer: { token_endpoint_auth_methods_supported: [{ toString: 1, valueOf: 1 }, 'none'] } });
    const here = device();
    await here.signIn();
    expect(here.signIns.stateOf(here.choice)).toBe('in');
  });

  it('with endpoints at further origins ask about each of them', async () => {
    server.set({ issuer: { token_endpoint: 'https://tokens.example/token' } });
    const here = device();
    await here.connect();
    here.signIns.allow(here.choice, failureOf(await here.signIns.begin(here.choice, never)));
    const asks = failureOf(await here.signIns.begin(here.choice, never));
    expect(asks).toMatchObject({
      words: words.gate.asksSignIn('library', 'https://tokens.example'),
      action: 'allow-sending',
    });
    // A yes counts for the question that was read.
    here.signIns.allow(here.choice, { words: 'another question' });
    expect(failureOf(await here.signIns.begin(here.choice, never)).words).toBe(asks.words);
  });

  it.each([
    ['no codes', { response_types_supported: ['token'] }, say.noCode],
    ['no PKCE', { code_challenge_methods_supported: undefined }, say.noPkce],
    ['plain PKCE', { code_challenge_methods_supported: ['plain'] }, say.noPkce],
    ['no token endpoint', { token_endpoint: 7 }, say.noCode],
  ] as const)('by a server with %s are refused', async (_what, issuer, sentence) => {
    expect((await refusedBegin({ issuer })).said).toBe(sentence(new URL(server.issuer).host));
  });

  it('by a foreign link end nothing and send nothing', async () => {
    const here = device();
    await here.connect();
    const page = valueOf(await here.begin());
    const before = here.sent.length;
    const links: Record<string, string>[] = [
      { code: 'code-of-an-attacker' },
      { code: 'code-of-an-attacker', state: '' },
      { code: 'code-of-an-attacker', state: 'guessed', iss: server.issuer },
      { error: 'access_denied', state: 'guessed' },
    ];
    for (const link of links) {
      expect(failureOf(await here.signIns.finish(link)).words).toBe(say.notHere);
    }
    expect(here.sent).toHaveLength(before);
    const final = await server.signIn(page.url);
    expect(valueOf(await here.finish(final))).toBe('library');
    // The link of a sign-in counts once.
    expect(failureOf(await here.finish(final)).words).toBe(say.notHere);
    expect(server.faults).toEqual([]);
  });

  it.each([
    ['another issuer', (final: URL) => final.searchParams.set('iss', 'https://evil.example')],
    ['none, though the server names itself', (final: URL) => final.searchParams.delete('iss')],
    ['a slash more', (final: URL) => final.searchParams.set('iss', `${server.issuer}/`)],
  ])('by a mix-up with %s send no code anywhere', async (_what, change) => {
    const here = device();
    await here.connect();
    const final = new URL(await server.signIn(valueOf(await here.begin()).url));
    change(final);
    expect(failureOf(await here.finish(final.href)).words).toBe(say.mixedUp('library', new URL(server.issuer).host));
    expect(server.tokenRequests).toEqual([]);
    // The errors of another server are not shown either.
    final.searchParams.set('error', 'buy_gold');
    expect(failureOf(await here.finish(final.href)).words).toBe(say.notHere);
  });

  it('by a code of another sign-in are caught by its proof', async () => {
    const [victim, attacker] = [device(), device()];
    await Promise.all([victim.connect(), attacker.connect()]);
    const stolen = new URL(await server.signIn(valueOf(await attacker.begin()).url)).searchParams.get('code') ?? '';
    const final = new URL(await server.signIn(valueOf(await victim.begin()).url));
    final.searchParams.set('code', stolen);
    expect((await victim.finish(final.href)).ok).toBe(false);
    expect(victim.signIns.stateOf(victim.choice)).toBe('out');
  });

  it.each([307, 308, 302])('by a token endpoint that redirects with %s reach nobody', async (status) => {
    let reached = 0;
    const thief = createServer((_request, response) => {
      reached += 1;
      response.end('{}');
    });
    const location = await listen(thief);
    server.set({ token: { status, headers: { location } } });
    const here = device();
    await here.connect();
    const failure = failureOf(await here.finish(await server.signIn(valueOf(await here.begin()).url)));
    expect(failure.words).toBe(say.redirected(new URL(server.issuer).host));
    expect(reached).toBe(0);
  });

  it.each([
    ['no token', '{"token_type":"bearer"}'],
    ['a token of another type', '{"access_token":"a1b2c3d4","token_type":"mac"}'],
    ['a token that is more than a header', '{"access_token":"a\\r\\nx-evil: 1","token_type":"bearer"}'],
    ['a web page', '<html>'],
    ['a prototype', '{"__proto__":{"access_token":"a"},"token_type":"bearer"}'],
  ])('by an answer with %s sign in to nothing', async (_what, body) => {
    server.set({ token: { status: 200, body } });
    const here = device();
    await here.connect();
    expect((await here.finish(await server.signIn(valueOf(await here.begin()).url))).ok).toBe(false);
    expect(here.signIns.stateOf(here.choice)).toBe('out');
  });

  it.each(['never ends', 'is 100 MB long'])('by metadata that %s end in words', async (how) => {
    let written = 0;
    const flood = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
      response.write('{"issuer":"');
      const more = (): void => {
        while (how !== 'never ends' && written < 100_000_000 && !response.destroyed) {
          written += 65_536;
          if (!response.write('x'.repeat(65_536))) return void response.once('drain', more);
        }
      };
      more();
    });
    const issuer = await listen(flood);
    const timing = handTiming();
    server.set({ resource: { authorization_servers: [issuer] } });
    const here = device({ timing });
    await here.connect();
    here.signIns.allow(here.choice, failureOf(await here.signIns.begin(here.choice, never)));
    const asked = here.signIns.begin(here.choice, never);
    if (how === 'never ends') {
      await eventually(() => here.sent.at(-1)?.origin === issuer, 'the request');
      timing.overdue();
    }
    const { host } = new URL(issuer);
    const [silent, large] = [words.remote.silent(host, 20), words.remote.tooLarge(host, 4)];
    expect(failureOf(await asked).words).toBe(how === 'never ends' ? silent : large);
    expect(written).toBeLessThan(30_000_000);
  });

  it('in words of the server are shown as codes alone', async () => {
    const here = device();
    await here.connect();
    const final = new URL(await server.signIn(valueOf(await here.begin()).url));
    final.searchParams.delete('code');
    final.searchParams.set('error', 'Call 555-0100 now');
    final.searchParams.set('error_description', 'Your device is infected');
    const said = failureOf(await here.finish(final.href)).words;
    expect(said).toBe(say.refused('library', new URL(server.issuer).host, ''));
  });

  it('where pages may not read the answers ask before Obsidian sends what a redirect could carry away', async () => {
    server.set({ cors: false });
    const here = device();
    await here.connect();
    here.signIns.allow(here.choice, failureOf(await here.signIns.begin(here.choice, never)));
    const asks = failureOf(await here.signIns.begin(here.choice, never));
    expect(asks.words).toContain('if the server redirects a request');
    expect(server.tokenRequests).toEqual([]);
    here.signIns.allow(here.choice, asks);
    valueOf(await here.finish(await server.signIn(valueOf(await here.begin()).url)));
    expect(server.tokenRequests).toHaveLength(1);
    expect(server.faults).toEqual([]);
  });
});

it('reads final addresses as they are pasted, and nothing else', () => {
  const found = { code: 'a', state: 'b' };
  expect(readFinalAddress(' obsidian://docent-auth?code=a&state=b\n')).toEqual(found);
  expect(readFinalAddress('obsidian://docent-auth/?code=a&state=b')).toEqual(found);
  expect(readFinalAddress(`${redirects.pasted}?code=a&state=b#x`)).toEqual(found);
  for (const text of ['', 'a', 'https://evil.example/docent-auth?code=a&state=b', `${redirects.pasted}?code=a`]) {
    expect(readFinalAddress(text)).toBeNull();
  }
});
