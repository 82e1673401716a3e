/** @jest-environment node */
import type { DeviceStorage } from '../../../src/core/ports/device';
import type { BufferedRequest } from '../../../src/core/ports/network';
import type { ModelEvent } from '../../../src/core/ports/model';
import { listModels } from '../../../src/models/query-server';
import { isBuffered, type Transport } from '../../../src/models/http/transport';
import { admitWith } from '../../support/memory-ports';
import { type ScriptedModel, startScriptedModel } from '../../support/model-server';
import { eventually } from '../eventually';
import { expectSoon } from 'obsidian-workbench/testing/cost';
import {
  ask,
  failureIn,
  formats,
  instantTiming,
  modelAt,
  patient,
  planOf,
  realTiming,
  rowOf,
  testKey,
  textIn,
} from './harness';

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel();
});
afterAll(() => server.close());

function memoryOf(values: Record<string, string> = {}): DeviceStorage & { values: Record<string, string> } {
  return {
    values,
    get: (key) => values[key] ?? null,
    set: (key, value) => {
      if (value === null) delete values[key];
      else values[key] = value;
    },
  };
}

/** A page that may not read the server, and an app function that may. */
function blockedPage(changes: Partial<Transport> = {}) {
  const fetched: string[] = [];
  const asked: BufferedRequest[] = [];
  const transport: Transport = {
    fetch: (url) => {
      // Requests for the context window are sent independently of the conversation, at any time.
      if (/\/api\/(?:show|ps)$/.test(url)) return new Promise(() => undefined);
      fetched.push(url);
      return Promise.reject(new TypeError('Failed to fetch'));
    },
    requestUrl: async (request) => {
      if (!/\/api\/(?:show|ps)$/.test(request.url)) asked.push(request);
      const response = await fetch(request.url, request);
      const headers = Object.fromEntries(response.headers.entries());
      return { status: response.status, headers, arrayBuffer: await response.arrayBuffer() };
    },
    mayGoBuffered: () => true,
    ...changes,
  };
  return { transport, fetched, asked };
}

const noticesIn = (events: readonly ModelEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'notice' ? [event.words] : []));

describe.each(formats)('$format', ({ row, path }) => {
  it('falls back to an answer in one piece, and remembers the server for a day when it fails again', async () => {
    server.setScript([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }, { text: 'Four.' }]);
    const memory = memoryOf();
    const { transport, fetched, asked } = blockedPage({ memory });
    let now = 1_000_000;
    const timing = { ...instantTiming(), now: () => now++ };
    const model = modelAt(server.url + path, row, { transport, timing });
    const first = await ask(model);
    expect(textIn(first)).toBe('One.');
    expect(first.at(-1)).toMatchObject({ type: 'finish', reason: 'complete' });
    expect(noticesIn(first)).toEqual([]);
    expect([fetched.length, asked.length]).toEqual([1, 1]);
    expect(Object.keys(asked[0]?.headers ?? {}).join()).not.toContain('user-agent');

    const second = await ask(model);
    expect(textIn(second)).toBe('Two.');
    expect([fetched.length, asked.length]).toEqual([2, 2]);
    expect(isBuffered(transport, server.url, timing)).toBe(true);
    expect(isBuffered(transport, 'https://other.example', timing)).toBe(false);

    const third = await ask(model);
    expect(textIn(third)).toBe('Three.');
    expect(noticesIn(third)).toEqual([]);
    expect([fetched.length, asked.length]).toEqual([2, 3]);
    now += 86_400_001;
    const fourth = await ask(model);
    expect(textIn(fourth)).toBe('Four.');
    expect(noticesIn(fourth)[0]).toContain('arrive all at once');
    expect([fetched.length, asked.length]).toEqual([3, 4]);
    expect(isBuffered(transport, server.url, timing)).toBe(true);
  });

  it('says so with the first answer, also if tests of the connection found it before', async () => {
    server.setScript([{ text: 'One.' }, { text: 'Two.' }]);
    const fetchNothing = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch'));
    const { transport } = blockedPage({ memory: memoryOf(), fetch: fetchNothing });
    let now = 1_000_000;
    const timing = { ...instantTiming(), now: () => now++ };
    const patientTiming = { ...realTiming, now: timing.now };
    const place = { row, baseUrl: server.url + path, admit: admitWith(testKey) };
    const { signal } = new AbortController();
    for (let tested = 1; tested <= 3; tested++) {
      expect((await listModels({ ...place, transport, timing: patientTiming, signal })).ok).toBe(true);
    }
    const model = modelAt(server.url + path, row, { transport, timing });
    expect(noticesIn(await ask(model))[0]).toContain('arrive all at once');
    expect(noticesIn(await ask(model))).toEqual([]);
  });

  it('streams again after the network failed once, however long ago', async () => {
    server.setScript([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }, { text: 'Four.' }]);
    const memory = memoryOf();
    let failures = 1;
    let now = 1_000_000;
    const timing = { ...instantTiming(), now: () => now++ };
    const { transport, asked } = blockedPage({
      memory,
      fetch: (url, init) => (failures-- > 0 ? Promise.reject(new TypeError('Failed to fetch')) : fetch(url, init)),
    });
    const model = modelAt(server.url + path, row, { transport, timing });
    expect(textIn(await ask(model))).toBe('One.');
    expect(textIn(await ask(model))).toBe('Two.');
    expect([asked.length, memory.values]).toEqual([1, {}]);
    failures = 1;
    expect(textIn(await ask(model))).toBe('Three.');
    expect(isBuffered(transport, server.url, timing)).toBe(false);
    expect(textIn(await ask(model))).toBe('Four.');
    expect(asked).toHaveLength(2);
  });

  it('passes error statuses of the second way on as they are', async () => {
    server.setScript([{ status: 401 }]);
    const { transport } = blockedPage();
    expect(failureIn(await ask(modelAt(server.url + path, row, { transport })))?.kind).toBe('authentication');
    expect(server.requests).toHaveLength(1);
  });

  it('does not repeat a request once an answer has begun', async () => {
    server.setScript([
      { text: 'One two three four five six seven.', delayMs: 2, cutAfterBytes: 900 },
      { text: 'Again.' },
    ]);
    const { transport, asked } = blockedPage({ fetch: (url, init) => fetch(url, init) });
    const events = await ask(modelAt(server.url + path, row, { transport }));
    expect(textIn(events)).toMatch(/^One/);
    expect(textIn(events)).not.toContain('Again');
    expect(asked).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it('stops at once although the second way cannot be cancelled', async () => {
    const { transport } = blockedPage({ requestUrl: () => new Promise(() => undefined) });
    await expectSoon(200, async () => {
      const stopper = new AbortController();
      let stoppedAt = 0;
      setTimeout(() => {
        stoppedAt = Date.now();
        stopper.abort();
      }, 30);
      expect(await ask(modelAt(server.url + path, row, { transport }), planOf(), stopper.signal)).toEqual([]);
      return Date.now() - stoppedAt;
    });
  });
});

it('does not take requests that fail in the same moment for a server that fails again', async () => {
  const memory = memoryOf();
  let now = 1_000_000;
  const timing = { ...instantTiming(), now: () => now++ };
  const failing: (() => void)[] = [];
  const requestUrl = () => Promise.resolve({ status: 401, headers: {}, arrayBuffer: new ArrayBuffer(0) });
  const { transport } = blockedPage({
    memory,
    requestUrl,
    fetch: () => new Promise((_, reject) => failing.push(() => reject(new TypeError('Failed to fetch')))),
  });
  const model = modelAt('https://api.example/v1', rowOf('openai-compatible'), { transport, timing });
  const asked = [ask(model), ask(model)];
  await eventually(() => failing.length === 2, 'both requests');
  for (const fail of failing) fail();
  await Promise.all(asked);
  expect(isBuffered(transport, 'https://api.example', timing)).toBe(false);
});

it('counts a failure before the user allowed Obsidian to send as the first', async () => {
  const memory = memoryOf();
  let isAllowed = false;
  let now = 1_000_000;
  const timing = { ...instantTiming(), now: () => now++ };
  const requestUrl = () => Promise.resolve({ status: 401, headers: {}, arrayBuffer: new ArrayBuffer(0) });
  const { transport, fetched } = blockedPage({ memory, requestUrl, mayGoBuffered: () => isAllowed });
  const model = modelAt('https://api.example/v1', rowOf('openai-compatible'), { transport, timing });
  for (let tries = 1; tries <= 2; tries++) {
    expect(failureIn(await ask(model))?.words).toContain('doesn’t accept direct requests');
    expect([fetched.length, isBuffered(transport, 'https://api.example', timing)]).toEqual([tries, false]);
  }
  isAllowed = true;
  expect(failureIn(await ask(model))?.kind).toBe('authentication');
  expect([fetched.length, isBuffered(transport, 'https://api.example', timing)]).toEqual([3, true]);
});

it('says that there is no connection when both ways fail, and forgets the server', async () => {
  const memory = memoryOf();
  const refuse = () => Promise.reject(new Error('net::ERR_CONNECTION_REFUSED'));
  const { transport, fetched } = blockedPage({ memory, requestUrl: refuse });
  memory.set('connection:http://localhost:11434', String(instantTiming().now()));
  const waits: number[] = [];
  const events = await ask(modelAt('', rowOf('ollama'), { transport, timing: instantTiming(waits) }));
  expect(failureIn(events)).toMatchObject({ kind: 'network', remedy: expect.stringContaining('server is running') });
  expect([fetched.length, waits.length]).toEqual([3, 3]);
  expect(memory.values).toEqual({});
});

it.each([
  'net::ERR_CERT_AUTHORITY_INVALID',
  'net::ERR_CERT_DATE_INVALID',
  'The certificate for this server is invalid. You might be connecting to another one.',
  'java.security.cert.CertPathValidatorException: Trust anchor for certification path not found.',
])(
  'says that it is the certificate which keeps a server from being reached, and does not try again: %s',
  async (said) => {
    for (const mayGoBuffered of [() => true, () => false]) {
      const { transport, fetched } = blockedPage({ mayGoBuffered, requestUrl: () => Promise.reject(new Error(said)) });
      const events = await ask(modelAt('https://box.example:8443/v1', rowOf('openai-compatible'), { transport }));
      expect(failureIn(events)).toMatchObject({
        kind: 'network',
        words: expect.stringContaining('certificate of box.example:8443'),
        remedy: expect.stringContaining('system'),
      });
      expect(fetched).toHaveLength(1);
    }
  },
);

it.each([204, 205, 304])('takes an answer of status %i, which has no body, for one', async (status) => {
  const { transport } = blockedPage({
    requestUrl: () => Promise.resolve({ status, headers: {}, arrayBuffer: new ArrayBuffer(0) }),
  });
  const events = await ask(modelAt('', rowOf('ollama'), { transport, timing: instantTiming([]) }));
  expect(failureIn(events)?.kind).not.toBe('network');
});

it.each([
  ['ollama', 'OLLAMA_ORIGINS'],
  ['lmstudio', 'Enable CORS'],
])('names the setting of %s that lets a page read its answers', async (id, setting) => {
  const asked: BufferedRequest[] = [];
  const { transport } = blockedPage({
    wholeAnswers: 'refuse',
    requestUrl: (request) => {
      asked.push(request);
      return Promise.resolve({ status: 200, headers: {}, arrayBuffer: new ArrayBuffer(0) });
    },
  });
  const events = await ask(modelAt('', rowOf(id), { transport }));
  expect(failureIn(events)).toMatchObject({ kind: 'configuration', remedy: expect.stringContaining(setting) });
  // The question carries neither the key nor a word of the conversation.
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ method: 'GET', headers: {} });
  expect(asked[0]?.body).toBeUndefined();
});

it('tells a dead line from a refusal when whole answers are refused', async () => {
  const { transport } = blockedPage({ wholeAnswers: 'refuse', requestUrl: () => Promise.reject(new Error('offline')) });
  expect(failureIn(await ask(modelAt('', rowOf('ollama'), { transport })))?.kind).toBe('network');
});

it('does not try the second way when the first answered slowly, or not by a TypeError', async () => {
  const { transport, asked } = blockedPage({
    fetch: (_url, init) =>
      new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  });
  const limits = { ...patient, firstByteMilliseconds: 50 };
  const model = modelAt('https://api.example/v1', rowOf('openai-compatible'), {
    transport,
    timing: realTiming,
    limits,
  });
  expect(failureIn(await ask(model))).toMatchObject({
    kind: 'network',
    words: expect.stringContaining('didn’t respond'),
  });
  expect(asked).toEqual([]);
});

it('names the longer wait for an answer that comes whole', async () => {
  const { transport } = blockedPage({ requestUrl: () => new Promise(() => undefined) });
  const limits = { ...patient, firstByteMilliseconds: 120_000 };
  const model = modelAt('https://api.example/v1', rowOf('openai-compatible'), { transport, limits });
  expect(failureIn(await ask(model))?.words).toContain('didn’t respond within 600 seconds');
});

it('reads an answer that came whole after the usual limit', async () => {
  let time = 0;
  const bytes = new TextEncoder().encode('data: {"choices":[{"delta":{"content":"Tea"}}]}\n\ndata: [DONE]\n\n');
  const { transport } = blockedPage({
    requestUrl: () => {
      time += 200_000;
      return Promise.resolve({ status: 200, headers: {}, arrayBuffer: bytes.buffer as ArrayBuffer });
    },
  });
  const after = (milliseconds: number, act: () => void): (() => void) => {
    if (milliseconds === 0) act();
    return () => undefined;
  };
  const timing = { now: () => time, random: () => 0.5, after };
  const limits = { ...patient, firstByteMilliseconds: 120_000 };
  const model = modelAt('https://api.example/v1', rowOf('openai-compatible'), { transport, timing, limits });
  expect(textIn(await ask(model))).toBe('Tea');
});

it('asks without cookies, referrer, cache or redirects', async () => {
  let seen: RequestInit = {};
  const transport: Transport = {
    fetch: (_url, init) => {
      seen = init;
      return Promise.resolve(new Response('{}', { status: 401 }));
    },
  };
  await ask(modelAt('https://api.example/v1', rowOf('openai-compatible'), { transport }));
  expect(seen).toMatchObject({
    credentials: 'omit',
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
  });
  expect(seen.headers).toEqual({ 'content-type': 'application/json', authorization: `Bearer ${testKey}` });
});

it('takes the opaque answer of a browser to a redirect for one', async () => {
  const opaque = { type: 'opaqueredirect', status: 0, ok: false, headers: new Headers(), body: null };
  const { transport, asked } = blockedPage({ fetch: () => Promise.resolve(opaque as unknown as Response) });
  const events = await ask(modelAt('https://api.example/v1', rowOf('openai-compatible'), { transport }));
  expect(failureIn(events)).toMatchObject({
    kind: 'configuration',
    words: expect.stringContaining('redirected the request'),
  });
  expect(asked).toEqual([]);
});
