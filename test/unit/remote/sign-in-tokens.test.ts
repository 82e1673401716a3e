/** What this device was given by authorization servers, and the requests that carry it. */
import type { SignInState } from '../../../src/core/ports/network';
import type { OutgoingRequest } from '../../../src/remote/send-request';
import { readTokens, type SignInRecord, SignInTokens, type TokenSource } from '../../../src/remote/sign-in-tokens';
import { RemoteFailure } from '../../../src/remote/remote-failure';
import { digest, fakeClock } from '../../support/memory-ports';
import { choiceOf, endlessTiming, never } from './harness';

const server = choiceOf('https://mcp.example.com/mcp');
const source: TokenSource = {
  issuer: 'https://login.example.com',
  tokenUrl: 'https://login.example.com/token',
  revokeUrl: null,
  resource: server.url,
  clientId: 'docent',
  method: 'none',
  redirect: 'obsidian://docent-auth',
};
const signedIn = (access: string, refresh?: string): SignInRecord => ({
  url: server.url,
  own: null,
  pending: null,
  signedIn: { source, scopes: [], until: null },
  secrets: { access, ...(refresh !== undefined && { refresh }) },
});
const pending: SignInRecord['pending'] = {
  ...{ source, state: 'state', namesItself: false, until: 1_800_000_000_000 },
  page: { url: 'https://login.example.com/page', host: 'login.example.com', scopes: [], leadsBack: true },
};
const request: OutgoingRequest = { method: 'POST', headers: {}, body: '{}', mayRepeat: false };
const refused = (): Response =>
  new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
const token = (given: object): Response =>
  new Response(JSON.stringify(given), { headers: { 'content-type': 'application/json' } });

/** A window whose requests to the server, and to the authorization server, end as the test says. */
function openWindow(
  answer: (authorization: string | undefined, count: number) => Response,
  give: () => Response = () => token({ error: 'invalid_grant' }),
) {
  const secrets = new Map<string, string>();
  const dropped: string[] = [];
  const carried: (string | undefined)[] = [];
  const clock = fakeClock();
  const tokens = new SignInTokens({
    fetch: () => Promise.resolve(give()),
    timing: endlessTiming,
    gate: {
      admitSignIn: (_server, address) => ({ ok: true, value: new URL(address) }),
      admitCredential: () => undefined,
      dropCredential: (credential) => void dropped.push(credential),
    },
    secrets: {
      read: (name) => secrets.get(name) ?? null,
      write: (name, value) => void secrets.set(name, value),
    },
    clock,
    digest,
    exclusively: (_name, run) => run(),
  });
  const sender = tokens.senderFor(server, {
    switchToRequestUrl: () => false,
    isBuffered: () => false,
    send: ({ headers }) => {
      carried.push(headers.authorization);
      return Promise.resolve(answer(headers.authorization, carried.length));
    },
  });
  const send = (): Promise<Response> => sender.send(request, never);
  const state = (): SignInState => tokens.stateOf(server);
  return { tokens, send, carried, secrets, dropped, clock, state };
}

describe('a request that is refused', () => {
  it('without a token is sent again with the one that another window got since', async () => {
    const window = openWindow((authorization) => {
      if (authorization !== undefined) return new Response('{}');
      window.tokens.write(server, signedIn('access-1'));
      return refused();
    });
    expect((await window.send()).status).toBe(200);
    expect(window.carried).toEqual([undefined, 'Bearer access-1']);
    expect(window.state()).toBe('in');
  });

  it('ends no sign-in that another window got after it had been sent', async () => {
    const window = openWindow(
      (_authorization, count) => {
        if (count === 2) window.tokens.write(server, signedIn('access-3', 'refresh-3'));
        return refused();
      },
      () => token({ access_token: 'access-2', token_type: 'Bearer', refresh_token: 'refresh-2' }),
    );
    window.tokens.write(server, signedIn('access-1', 'refresh-1'));
    await expect(window.send()).rejects.toThrow(new RemoteFailure('sign-in-expired'));
    expect(window.carried).toEqual(['Bearer access-1', 'Bearer access-2']);
    expect(window.tokens.read(server).secrets.access).toBe('access-3');
    expect(window.state()).toBe('in');
  });

  it('with the only token ends the sign-in, and nothing carries it any more', async () => {
    const window = openWindow(refused);
    window.tokens.write(server, signedIn('access-1'));
    await expect(window.send()).rejects.toThrow(new RemoteFailure('sign-in-expired'));
    expect(window.state()).toBe('expired');
    expect(window.dropped).toContain('access-1');
    expect([...window.secrets.values()].join('')).toBe('');
    await expect(window.send()).rejects.toThrow(new RemoteFailure('sign-in-expired'));
    expect(window.carried).toEqual(['Bearer access-1', undefined]);
  });

  it.each([
    ['a page in its place', 200, 'text/html', 'in', 'not-renewed'],
    ['a page that checks the browser', 403, 'text/html', 'in', 'not-renewed'],
    ['a busy server', 429, 'application/json', 'in', 'not-renewed'],
    ['a broken server', 500, 'application/json', 'in', 'not-renewed'],
    ['a refusal without words', 400, 'text/plain', 'expired', 'sign-in-expired'],
    ['a refusal of the client without words', 401, 'text/plain', 'expired', 'sign-in-expired'],
    ['a refusal', 403, 'application/json', 'expired', 'sign-in-expired'],
  ] as const)(
    'ends the sign-in only if the renewal is refused, by %s with %d',
    async (_what, status, type, left, kind) => {
      const give = () => new Response('{}', { status, headers: { 'content-type': type } });
      const window = openWindow(refused, give);
      window.tokens.write(server, signedIn('access-1', 'refresh-1'));
      await expect(window.send()).rejects.toThrow(new RemoteFailure(kind));
      expect(window.state()).toBe(left);
      expect(window.tokens.read(server).secrets.refresh).toBe(left === 'in' ? 'refresh-1' : undefined);
    },
  );

  it('leaves a sign-in that has begun, and how the user is known, so that it can be finished', async () => {
    const window = openWindow(refused);
    const own = { issuer: source.issuer, id: 'own', leadsBack: true };
    const begun = { verifier: 'verifier-1', pendingClient: 'client-2', ownClient: 'own-1' };
    const { secrets, ...record } = signedIn('access-1', 'refresh-1');
    window.tokens.write(server, { ...record, own, pending, secrets: { ...secrets, client: 'client-1', ...begun } });
    await expect(window.send()).rejects.toThrow(new RemoteFailure('sign-in-expired'));
    expect(window.tokens.read(server)).toEqual({ url: server.url, own, pending, signedIn: null, secrets: begun });
    window.tokens.forget(server);
    expect([...window.secrets.values()].join('')).toBe('');
  });
});

describe('what is stored', () => {
  it('is nothing for a server that nobody signed in to, since Keychain would list an empty secret', () => {
    const window = openWindow(refused);
    window.tokens.forget(server);
    expect([...window.secrets]).toEqual([]);
    window.tokens.write(server, signedIn('access-1'));
    window.tokens.forget(server);
    expect([...window.secrets.values()]).toEqual(['']);
  });

  it('counts for its own address alone, and damaged for nothing', () => {
    const window = openWindow(refused);
    window.tokens.write(server, signedIn('access-1'));
    const [name = '', text = ''] = [...window.secrets][0] ?? [];
    expect(window.tokens.read(choiceOf('https://mcp.example.com/other')).signedIn).toBeNull();
    window.secrets.set(name, text.replaceAll('https://mcp.example.com/mcp', 'https://evil.example.com/mcp'));
    expect(window.tokens.read(server).signedIn).toBeNull();
    window.secrets.set(name, text.slice(0, -5));
    expect(window.state()).toBe('out');
  });
});

describe('the answer of a token endpoint', () => {
  const given = { access_token: 'access-1', token_type: 'bearer' };

  it.each([
    [given, { access: 'access-1', refresh: null, seconds: null, scopes: null }],
    [
      { ...given, refresh_token: 'refresh-1', expires_in: 60, scope: 'a  b' },
      { access: 'access-1', refresh: 'refresh-1', seconds: 60, scopes: ['a', 'b'] },
    ],
    [
      { ...given, expires_in: '60' },
      { access: 'access-1', refresh: null, seconds: 60, scopes: null },
    ],
    [
      { ...given, expires_in: 1e12 },
      { access: 'access-1', refresh: null, seconds: 31_536_000, scopes: null },
    ],
    [
      { ...given, expires_in: -1 },
      { access: 'access-1', refresh: null, seconds: null, scopes: null },
    ],
    [
      { ...given, refresh_token: 'two words' },
      { access: 'access-1', refresh: null, seconds: null, scopes: null },
    ],
    [
      { ...given, ok: true, token_type: 'user' },
      { access: 'access-1', refresh: null, seconds: null, scopes: null },
    ],
    [{ ok: false, error: 'invalid_code' }, 'invalid_code'],
    [{ ok: false, error: 'Call me at evil.example' }, 'no usable token'],
    [{ ...given, access_token: 'a\nx-evil: 1' }, 'no usable token'],
    [{ ...given, access_token: 'a'.repeat(16_385) }, 'no usable token'],
    [{ ...given, access_token: 7 }, 'no usable token'],
    [{ ...given, token_type: 'DPoP' }, 'no token of the type Bearer'],
    [null, 'no usable token'],
  ])('%j is read', (body, expected) => {
    expect(readTokens({ status: 200, body })).toEqual(expected);
  });

  it.each([
    [null, null],
    [0, null],
    [0.5, 0.5],
    [Infinity, null],
    ['soon', null],
    [31_535_999, 31_535_999],
    [31_536_001, 31_536_000],
  ])('that lasts %j seconds is read as %j', (lasts, seconds) => {
    expect(readTokens({ status: 200, body: { ...given, expires_in: lasts } })).toMatchObject({ seconds });
  });

  it('F34 names no more scopes than a request can ask for, each once, in characters of its own', () => {
    const many = Array.from({ length: 100 }, (_, at) => `s${at}`);
    const read = (scope: string) => readTokens({ status: 200, body: { ...given, scope } });
    expect(read(['a', 'a', '"b"', 'c\u0007', ...many].join(' '))).toMatchObject({
      scopes: ['a', ...many.slice(0, 63)],
    });
    expect(read('')).toMatchObject({ scopes: [] });
  });

  it.each([
    [{ error: 'invalid_grant' }, 'invalid_grant'],
    [{ error: 'Call me at evil.example' }, 'status 400'],
    [null, 'status 400'],
  ])('H10 that refuses, %j, says no word of the server but a code', (body, expected) => {
    expect(readTokens({ status: 400, body })).toBe(expected);
  });
});

describe('a token that is refused although it was renewed', () => {
  it('is forgotten, and those that listen are called', async () => {
    const window = openWindow(refused, () => token({ access_token: 'access-2', token_type: 'Bearer' }));
    window.tokens.write(server, signedIn('access-1', 'refresh-1'));
    const states: SignInState[] = [];
    window.tokens.subscribe(() => states.push(window.state()));
    await expect(window.send()).rejects.toMatchObject({ kind: 'sign-in-expired' });
    expect(window.carried).toEqual(['Bearer access-1', 'Bearer access-2']);
    expect([window.state(), states.at(-1)]).toEqual(['expired', 'expired']);
    expect([...window.secrets.values()].join()).not.toContain('access-2');
  });

  it('is none where the user signs out while it is on its way', async () => {
    const window = openWindow(refused, () => {
      window.tokens.forget(server, false);
      return token({ access_token: 'access-2', token_type: 'Bearer' });
    });
    window.tokens.write(server, signedIn('access-1', 'refresh-1'));
    await expect(window.send()).rejects.toBeInstanceOf(RemoteFailure);
    expect([window.carried, window.state()]).toEqual([['Bearer access-1'], 'out']);
  });

  it('stays where the authorization server cannot be reached', async () => {
    const window = openWindow(refused, () => {
      throw new TypeError('Failed to fetch');
    });
    window.tokens.write(server, signedIn('access-1', 'refresh-1'));
    await expect(window.send()).rejects.toMatchObject({ kind: 'not-renewed' });
    expect(window.state()).toBe('in');
  });
});
