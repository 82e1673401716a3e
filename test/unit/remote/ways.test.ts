/** @jest-environment node */
import type { BufferedRequest } from '../../../src/core/ports/network';
import type { McpPorts } from '../../../src/remote/mcp-ports';
import { words } from '../../../src/text';
import { type McpScript, type ScriptedMcpServer, startMcpServer } from '../../support/mcp-server';
import { connect, failureOf, lineTo, never, pageFetch, requestUrl, testKey, valueOf } from './harness';

let server: ScriptedMcpServer;
beforeAll(async () => {
  server = await startMcpServer();
});
afterAll(() => server.close());

const usual: McpScript = { tools: [{ name: 'look' }] };

/** Creates ports with a `fetch` under CORS and with `requestUrl`, and records the requests sent by each. */
function watchedPorts(changes: Partial<McpPorts> = {}) {
  const fetched: RequestInit[] = [];
  const asked: BufferedRequest[] = [];
  const ports: Partial<McpPorts> = {
    fetch: (url, init) => {
      fetched.push(init);
      return pageFetch(url, init);
    },
    requestUrl: (request) => {
      asked.push(request);
      return requestUrl(request);
    },
    ...changes,
  };
  const methodOf = (body: unknown): unknown => (JSON.parse(String(body)) as { method: unknown }).method;
  return {
    ports,
    fetched,
    byFetch: () => fetched.map(({ body }) => methodOf(body)),
    byApp: () => asked.map(({ body }) => methodOf(body)),
  };
}

describe('a request', () => {
  it('carries no cookies, no referrer and no cache, and follows nothing', async () => {
    server.set(usual);
    const { ports, fetched } = watchedPorts();
    const line = await lineTo(server.url, ports);
    await line.callTool('look', {}, never);
    expect(fetched).toHaveLength(4);
    for (const init of fetched) {
      expect(init).toMatchObject({
        method: 'POST',
        redirect: 'manual',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      });
    }
  });

  it('H10 carries the key as a header to the address it was stored for, and nowhere else', async () => {
    server.set({ ...usual, key: testKey });
    const asked: (readonly string[])[] = [];
    const key = (...given: readonly [string, string]): string => {
      asked.push(given);
      return testKey;
    };
    const line = await lineTo(server.url, { admit: key }, { keyName: 'library-key' });
    expect(valueOf(await line.callTool('look', {}, never)).isError).toBe(false);
    expect(asked).toEqual([['library-key', server.url]]);
    for (const { headers, message } of server.requests) {
      expect(headers.authorization).toBe(`Bearer ${testKey}`);
      expect(JSON.stringify({ ...headers, authorization: '', message })).not.toContain('canary');
    }
  });

  it('H10 shows the key in nothing that is handed out', async () => {
    server.set({ ...usual, key: testKey });
    const line = await lineTo(server.url, {}, { keyName: 'library' });
    expect(JSON.stringify(line)).not.toContain('canary');
    expect(Object.keys(line).sort()).toEqual([
      'callTool',
      'close',
      'fillPrompt',
      'omissions',
      'readCatalog',
      'readResource',
      'watch',
    ]);
  });

  it('goes without a key when the server needs none', async () => {
    server.set(usual);
    await lineTo(server.url);
    expect(server.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it.each([
    ['missing', null, words.remote.keyMissingRemedy],
    ['empty', ' ', words.remote.keyMissingRemedy],
    ['unusable', 'two words', words.remote.keyUnusableRemedy],
    ['more than a header', 'a\r\nx-evil: 1', words.remote.keyUnusableRemedy],
  ])('is not sent when the key is %s', async (_how, key, remedy) => {
    server.set(usual);
    const failure = failureOf(await connect(server.url, { admit: () => key }, { keyName: 'library' }));
    expect(failure).toMatchObject({ kind: 'authentication', remedy, action: 'open-settings' });
    expect(server.requests).toHaveLength(0);
  });

  it('tells a key that is refused from one that is wanted', async () => {
    server.set({ ...usual, key: 'another' });
    expect(failureOf(await connect(server.url, {}, { keyName: 'library' })).words).toBe(
      words.remote.keyRefused('library'),
    );
    expect(failureOf(await connect(server.url)).words).toBe(words.remote.keyWanted('library'));
  });
});

describe('a server that lets no page in', () => {
  it('is asked by the app’s own function, and that is remembered for the life of the line', async () => {
    server.set({ ...usual, cors: false });
    const { ports, byFetch, byApp } = watchedPorts();
    const line = await lineTo(server.url, ports);
    valueOf(await line.readCatalog(never));
    expect(valueOf(await line.callTool('look', { at: 'tea' }, never)).text).toContain('tea');
    expect(byFetch()).toEqual(['server/discover', 'initialize']);
    expect(byApp()).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
    expect(server.calls).toHaveLength(1);
  });

  it('answers in events there, too', async () => {
    server.set({ ...usual, cors: false, stream: true, session: true });
    const line = await lineTo(server.url, watchedPorts().ports);
    expect(valueOf(await line.callTool('look', {}, never)).text).toContain('look got');
  });

  it('cannot be asked where the app has no such function', async () => {
    server.set({ ...usual, cors: false });
    const failure = failureOf(await connect(server.url, { fetch: pageFetch }));
    expect(failure.words).toBe(words.remote.unreachable('library', new URL(server.url).host));
  });

  it('F34 is held to 4 MB there, too', async () => {
    server.set({ ...usual, cors: false });
    const line = await lineTo(server.url, watchedPorts().ports);
    server.set({ ...usual, cors: false, behaviours: { 'tools/call': { flood: 5_000_000 } } });
    expect(failureOf(await line.callTool('look', {}, never)).kind).toBe('limit');
  });

  it('F34 with a status that is none is told in words', async () => {
    const odd: NonNullable<McpPorts['requestUrl']> = () =>
      Promise.resolve({ status: 42, headers: {}, arrayBuffer: new ArrayBuffer(0) });
    server.set({ ...usual, cors: false });
    expect(failureOf(await connect(server.url, { fetch: pageFetch, requestUrl: odd })).kind).toBe('network');
  });

  it.each([
    'net::ERR_CERT_AUTHORITY_INVALID',
    'The certificate for this server is invalid. You might be connecting to another one.',
  ])('and whose certificate the device does not trust is told as such, with no second try: %s', async (said) => {
    for (const mayGoBuffered of [() => true, () => false]) {
      const ownFunction = jest.fn(() => Promise.reject(new Error(said)));
      const failure = failureOf(
        await connect('https://mcp.example.com/mcp', {
          fetch: () => Promise.reject(new TypeError('Failed to fetch')),
          requestUrl: ownFunction,
          mayGoBuffered,
        }),
      );
      expect(failure).toMatchObject({
        kind: 'network',
        words: words.remote.certificate('library', 'mcp.example.com'),
        remedy: words.models.certificateRemedy,
      });
      expect(ownFunction).toHaveBeenCalledTimes(1);
    }
  });

  it('that only hides its session from pages is connected to by the app’s own function', async () => {
    server.set({ ...usual, cors: 'no-session', session: true });
    const { ports, byFetch, byApp } = watchedPorts();
    const line = await lineTo(server.url, ports);
    expect(valueOf(await line.callTool('look', {}, never)).isError).toBe(false);
    expect(byFetch()).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
    expect(byApp()).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
  });
});

describe('a call', () => {
  it('H12 is not sent again when the page may not see its answer: it has run', async () => {
    server.set(usual);
    const blind: McpPorts['fetch'] = async (url, init) => {
      const response = await fetch(url, init);
      if (String(init.body).includes('tools/call')) throw new TypeError('Failed to fetch');
      return response;
    };
    const { ports, byApp } = watchedPorts({ fetch: blind });
    const line = await lineTo(server.url, ports);
    const failure = failureOf(await line.callTool('look', {}, never));
    expect(failure).toEqual({
      kind: 'interrupted',
      words: words.remote.cut('library'),
      remedy: words.remote.mayHaveRunRemedy,
    });
    expect(server.calls).toHaveLength(1);
    expect(byApp()).toEqual([]);
  });

  it.each([
    ['cut before its answer', { cut: 'headers' }],
    ['cut within its answer', { cut: 'body' }],
    ['answered by a fault of the server', { status: 503 }],
    ['told to come back later', { status: 429 }],
    ['answered for another', { message: { id: 999 } }],
  ] as const)('H12 is not sent again when it is %s', async (_how, behaviour) => {
    server.set({ ...usual, behaviours: { 'tools/call': behaviour } });
    const line = await lineTo(server.url, { requestUrl });
    failureOf(await line.callTool('look', {}, never));
    expect(server.calls).toHaveLength(1);
    expect(server.requests.filter(({ message }) => message?.method === 'tools/call')).toHaveLength(1);
  });
});
