/**
 * What a server does with the streams of its answers: it breaks them off, numbers their events or does not, and refuses
 * to go on.
 *
 * @jest-environment node
 */
import type { McpConnection, McpReply } from '../../../src/core/ports/network';
import { limits, type Timing } from '../../../src/remote/mcp-ports';
import { words } from '../../../src/text';
import { eventually } from '../eventually';
import { failureOf, lineTo, never, valueOf } from './harness';

interface Asked {
  readonly httpMethod: string;
  readonly headers: Headers;
  readonly message: { readonly id?: number; readonly method?: string; readonly params?: { _meta?: unknown } };
}

const events = (...texts: readonly string[]): Response =>
  new Response(texts.join(''), { headers: { 'content-type': 'text/event-stream' } });
const json = (id: unknown, result: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ jsonrpc: '2.0', id, result }), {
    headers: { 'content-type': 'application/json', ...headers },
  });
const refusal = (status: number): Response => new Response('', { status });
const numbered = (id: string, data: object | '' = ''): string =>
  `id: ${id}\ndata: ${data === '' ? '' : JSON.stringify(data)}\n\n`;
const seen = (id: unknown): object => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: 'Seen.' }] },
});

/** A question that a server asks the user. */
const form = { mode: 'form', message: 'Which?', requestedSchema: { type: 'object', properties: {} } };

/** Nothing takes time but what the test waits for. */
const atOnce: Timing = {
  after: (milliseconds, act) => {
    if (milliseconds > 10_000) return () => undefined;
    const timer = setTimeout(act, 0);
    return () => clearTimeout(timer);
  },
};

/** A server with a session; it answers calls, and requests for streams, as the test says. */
async function serverThat(answers: {
  readonly call: (asked: Asked) => Response;
  readonly resume?: (asked: Asked, count: number) => Response | Promise<Response>;
  /** What replies to the server get; unless given, a yes. */
  readonly reply?: () => Promise<Response>;
  readonly timing?: Timing;
}): Promise<{ line: McpConnection; asked: readonly Asked[]; methods: () => readonly string[] }> {
  const asked: Asked[] = [];
  let sessions = 0;
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    const message = JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Asked['message'];
    const request = { httpMethod: init.method ?? 'GET', headers: new Headers(init.headers), message };
    asked.push(request);
    const { id, method } = message;
    if (request.httpMethod === 'DELETE') return new Response(null, { status: 204 });
    if (request.httpMethod === 'GET') {
      const count = asked.filter(({ httpMethod }) => httpMethod === 'GET').length;
      return (await answers.resume?.(request, count)) ?? refusal(405);
    }
    if (method === undefined && answers.reply !== undefined) return answers.reply();
    if (id === undefined || method === undefined) return new Response(null, { status: 202 });
    if (method === 'server/discover') return refusal(400);
    if (method === 'tools/call') return answers.call(request);
    if (method === 'tools/list') return json(id, { tools: [{ name: 'look', inputSchema: { type: 'object' } }] });
    const about = { protocolVersion: '2025-06-18', serverInfo: { name: 'library', version: '1' } };
    const headers = { 'mcp-session-id': `session-${++sessions}` };
    return json(id, { ...about, capabilities: { tools: {} } }, headers);
  };
  const line = await lineTo('https://mcp.example.com/mcp', { fetch, timing: answers.timing ?? atOnce });
  return { line, asked, methods: () => asked.map(({ httpMethod, message }) => message.method ?? httpMethod) };
}

describe('the stream of a call that has begun and breaks off', () => {
  it('is taken up again from its last event, and the call runs once', async () => {
    const { line, asked, methods } = await serverThat({
      call: () => events(numbered('7')),
      resume: (_request, count) =>
        count === 1 ? events(numbered('8')) : events(numbered('9', seen(asked.at(-3)?.message.id))),
    });
    expect(valueOf(await line.callTool('look', {}, never)).text).toBe('Seen.');
    expect(methods().filter((method) => method === 'tools/call')).toHaveLength(1);
    expect(asked.slice(-2).map(({ headers }) => headers.get('last-event-id'))).toEqual(['7', '8']);
    expect(asked.at(-1)?.headers.get('mcp-session-id')).toBe('session-1');
  });

  it.each([404, 400, 401, 405, 429, 500])(
    'H12 is not sent again, and may have run, when taking it up is refused with %s',
    async (status) => {
      const { line, methods } = await serverThat({ call: () => events(numbered('7')), resume: () => refusal(status) });
      expect(failureOf(await line.callTool('look', {}, never))).toEqual({
        kind: 'interrupted',
        words: words.remote.cut('library'),
        remedy: words.remote.mayHaveRunRemedy,
      });
      expect(methods().filter((method) => method === 'tools/call')).toHaveLength(1);
    },
  );

  it('H12 may have run when the server is not there to take it up', async () => {
    const { line, methods } = await serverThat({
      call: () => events(numbered('7')),
      resume: () => Promise.reject(new TypeError('Failed to fetch')),
    });
    expect(failureOf(await line.callTool('look', {}, never)).remedy).toBe(words.remote.mayHaveRunRemedy);
    expect(methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('is stopped while it waits to be taken up', async () => {
    const stop = new AbortController();
    const { line } = await serverThat({
      call: () => events(numbered('7')),
      resume: () => {
        stop.abort();
        return refusal(404);
      },
    });
    expect(failureOf(await line.callTool('look', {}, stop.signal)).kind).toBe('aborted');
  });

  it('without numbers is not taken up', async () => {
    const { line, methods } = await serverThat({ call: () => events('data: \n\n') });
    expect(failureOf(await line.callTool('look', {}, never)).words).toBe(words.remote.unanswered('library'));
    expect(methods()).not.toContain('GET');
  });

  it('F34 that gives nothing but numbers is left after 30 more', async () => {
    const { line, methods } = await serverThat({
      call: () => events(numbered('0')),
      resume: (_request, count) => events(numbered(`${count}`)),
    });
    expect(failureOf(await line.callTool('look', {}, never))).toMatchObject({
      words: words.remote.unanswered('library'),
      remedy: words.remote.mayHaveRunRemedy,
    });
    expect(methods().filter((method) => method === 'GET')).toHaveLength(30);
  });
});

it('a server that refuses a newer revision, in place of naming its own, is asked with an older one', async () => {
  const revisions: unknown[] = [];
  const fetch = (_url: string, init: RequestInit): Promise<Response> => {
    const { id, method, params } = JSON.parse(typeof init.body === 'string' ? init.body : '{}');
    if (method !== 'initialize') return Promise.resolve(id === undefined ? new Response(null) : refusal(400));
    const { protocolVersion } = params;
    revisions.push(protocolVersion);
    if (protocolVersion > '2025-06-18') return Promise.resolve(refusal(400));
    return Promise.resolve(json(id, { protocolVersion, serverInfo: { name: 'a', version: '1' }, capabilities: {} }));
  };
  const set = jest.fn();
  (await lineTo('https://mcp.example.com/mcp', { fetch, timing: atOnce, memory: { get: () => null, set } })).close();
  expect(revisions).toEqual(['2025-11-25', '2025-06-18']);
  expect(set).toHaveBeenCalledWith('mcp-revision-https://mcp.example.com/mcp', '2025-06-18');
});

it('the answer to a request may repeat its number as a text, as gateways do, and no other', async () => {
  const { line } = await serverThat({ call: ({ message }) => events(numbered('1', seen(String(message.id)))) });
  expect(valueOf(await line.callTool('look', {}, never)).text).toBe('Seen.');
  const other = await serverThat({ call: ({ message }) => events(numbered('1', seen(`${message.id}1`))) });
  expect(failureOf(await other.line.callTool('look', {}, never)).words).toBe(words.remote.misdirected('library'));
});

describe('a question that a server asks the user during a call', () => {
  const question = {
    ...{ jsonrpc: '2.0', id: 'ask', method: 'elicitation/create' },
    params: form,
  };
  const dataOf = (message: object): string => `data: ${JSON.stringify(message)}\n\n`;

  /** A user who does not answer, but sees when the question is withdrawn. */
  function silentUser() {
    const signals: AbortSignal[] = [];
    const ask = (_question: unknown, signal: AbortSignal): Promise<McpReply> => {
      signals.push(signal);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ action: 'cancel' })));
    };
    return { ask, signals };
  }

  it('is withdrawn when the call ends without its answer, and is not answered then', async () => {
    const { line, asked } = await serverThat({
      call: ({ message }) => events(dataOf(question), dataOf(seen(message.id))),
    });
    const { ask, signals } = silentUser();
    expect(valueOf(await line.callTool('look', {}, never, { ask })).text).toBe('Seen.');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const count = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(asked).toHaveLength(count);
  });

  /** A server that asks in the stream that belongs to no request, and does not answer the call. */
  async function askingElsewhere() {
    const stream = new TransformStream<Uint8Array, Uint8Array>();
    const writer = stream.writable.getWriter();
    const open = new ReadableStream<Uint8Array>();
    const type = { 'content-type': 'text/event-stream' };
    const { line, asked } = await serverThat({
      call: () => {
        void writer.write(new TextEncoder().encode(dataOf(question)));
        return new Response(open, { headers: type });
      },
      resume: () => new Response(stream.readable, { headers: type }),
    });
    line.watch?.(() => undefined);
    await eventually(() => asked.some(({ httpMethod }) => httpMethod === 'GET'), 'the stream of its own');
    return { line, asked };
  }

  it('in the stream of its own is withdrawn when the user stops the call', async () => {
    const { line, asked } = await askingElsewhere();
    const { ask, signals } = silentUser();
    const stop = new AbortController();
    const call = line.callTool('look', {}, stop.signal, { ask });
    await eventually(() => signals.length === 1, 'the question');
    stop.abort();
    expect(failureOf(await call).kind).toBe('aborted');
    await eventually(() => signals[0]?.aborted === true, 'the end of the question');
    await eventually(
      () => asked.some(({ message }) => message.method === 'notifications/cancelled'),
      'the notice that the call was stopped',
    );
    expect(asked.filter(({ message }) => message.id !== undefined && message.method === undefined)).toEqual([]);
    line.close();
  });

  it('in the stream of its own is answered while the call waits', async () => {
    const { line, asked } = await askingElsewhere();
    const stop = new AbortController();
    const call = line.callTool('look', {}, stop.signal, { ask: () => Promise.resolve({ action: 'decline' }) });
    const reply = (): unknown => asked.find(({ message }) => message.method === undefined && message.id !== undefined);
    await eventually(() => reply() !== undefined, 'the reply');
    expect(reply()).toMatchObject({ message: { id: 'ask', result: { action: 'decline' } } });
    stop.abort();
    await call;
    line.close();
  });
});

describe('the stream of what belongs to no request', () => {
  it('is opened again with the next session after the server has lost the one before', async () => {
    const change = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n\n`;
    const isFirst = ({ headers }: Asked): boolean => headers.get('mcp-session-id') === 'session-1';
    const { line, methods } = await serverThat({
      call: (asked) => (isFirst(asked) ? refusal(404) : events(`data: ${JSON.stringify(seen(asked.message.id))}\n\n`)),
      resume: (asked) => (isFirst(asked) ? refusal(404) : events(change)),
    });
    let changes = 0;
    line.watch?.(() => (changes += 1));
    const openings = (): number => methods().filter((method) => method === 'GET').length;
    await eventually(() => openings() === 5, 'the last opening that may fail');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(openings()).toBe(5);
    expect(valueOf(await line.callTool('look', {}, never)).text).toBe('Seen.');
    await eventually(() => changes > 0, 'the change of the catalog');
    line.close();
  });

  it('is not opened again when the server has none', async () => {
    const { line, methods } = await serverThat({ call: () => refusal(500) });
    line.watch?.(() => undefined);
    line.watch?.(() => undefined);
    await eventually(() => methods().includes('GET'), 'its opening');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(methods().filter((method) => method === 'GET')).toHaveLength(1);
    line.close();
  });

  it('is opened for a new session although that of the old one has no end', async () => {
    const streams: WritableStreamDefaultWriter<Uint8Array>[] = [];
    const { line, asked } = await serverThat({
      call: ({ headers, message }) =>
        headers.get('mcp-session-id') === 'session-1' ? refusal(404) : events(numbered('1', seen(message.id))),
      resume: () => {
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        streams.push(writable.getWriter());
        return new Response(readable, { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    let changes = 0;
    line.watch?.(() => (changes += 1));
    await eventually(() => streams.length === 1, 'the first stream');
    expect(valueOf(await line.callTool('look', {}, never)).text).toBe('Seen.');
    await eventually(() => streams.length === 2, 'the second stream');
    const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    await streams[1]?.write(new TextEncoder().encode(`data: ${JSON.stringify(notice)}\n\n`));
    await eventually(() => changes === 1, 'the notice');
    const opened = asked.filter(({ httpMethod }) => httpMethod === 'GET');
    expect(opened.map(({ headers }) => headers.get('mcp-session-id'))).toEqual(['session-1', 'session-2']);
    line.close();
    // Neither is read any more.
    await Promise.allSettled(streams.map(({ closed }) => closed));
  });

  /** Time in which all waits end at once but those for an answer, with the waits between two openings of the stream. */
  function waitsBetweenOpenings() {
    const waits: number[] = [];
    const { connectMilliseconds, probeMilliseconds, listMilliseconds } = limits;
    const ofAnswers: readonly number[] = [connectMilliseconds, probeMilliseconds, listMilliseconds];
    let isOpen = false;
    const after: Timing['after'] = (milliseconds, act) => {
      if (!isOpen && ofAnswers.includes(milliseconds)) return () => undefined;
      const timer = setTimeout(() => {
        waits.push(milliseconds);
        act();
      }, 30);
      return () => clearTimeout(timer);
    };
    return { waits, timing: { after }, opened: () => void (isOpen = true) };
  }

  it('is opened again after its last event, and as late as the server wants', async () => {
    const change = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    const { waits, timing, opened } = waitsBetweenOpenings();
    const { line, asked } = await serverThat({
      call: () => refusal(500),
      resume: (_asked, count) => {
        if (count === 1) return events('retry: 90000\n', numbered('7'));
        if (count === 2) return events(numbered('8', change));
        return count === 3 ? refusal(400) : refusal(405);
      },
      timing,
    });
    opened();
    let changes = 0;
    line.watch?.(() => (changes += 1));
    const openings = (): readonly Asked[] => asked.filter(({ httpMethod }) => httpMethod === 'GET');
    await eventually(() => openings().length === 4, 'the last opening');
    expect(openings().map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '7', '8', null]);
    expect(waits.slice(0, 2)).toEqual([90_000, 90_000]);
    expect(changes).toBe(1);
    line.close();
  });

  it('F34 is opened ever more seldom while it ends at once', async () => {
    const { waits, timing, opened } = waitsBetweenOpenings();
    const { line, methods } = await serverThat({ call: () => refusal(500), resume: () => events(), timing });
    opened();
    line.watch?.(() => undefined);
    await eventually(() => methods().filter((method) => method === 'GET').length === 7, 'the seventh opening');
    expect(waits.slice(0, 6)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    line.close();
  });

  const repliesIn = (asked: readonly Asked[]): number =>
    asked.filter(({ httpMethod, message }) => httpMethod === 'POST' && message.method === undefined).length;
  const asking = (count: number, method: string, params: object): string =>
    Array.from(
      { length: count },
      (_, at) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: at, method, params })}\n\n`,
    ).join('');

  it('F34 does not make it reply without end to a server that takes no reply', async () => {
    const { line, asked } = await serverThat({
      call: () => refusal(500),
      resume: (_asked, count) => (count === 1 ? events(asking(1_000, 'roots/list', {})) : refusal(405)),
      reply: () => new Promise<Response>(() => undefined),
    });
    line.watch?.(() => undefined);
    await eventually(
      () => asked.filter(({ httpMethod }) => httpMethod === 'GET').length === 2,
      'the end of the stream',
    );
    expect(repliesIn(asked)).toBe(8);
    line.close();
  });

  it('is replied to again and again by one that waits for each reply', async () => {
    let next = 0;
    const stream = new TransformStream<Uint8Array, Uint8Array>();
    const writer = stream.writable.getWriter();
    const ask = (): void => {
      const ping = { jsonrpc: '2.0', id: `ping-${(next += 1)}`, method: 'ping' };
      void writer.write(new TextEncoder().encode(`data: ${JSON.stringify(ping)}\n\n`));
    };
    const { line, asked } = await serverThat({
      call: () => refusal(500),
      resume: () => new Response(stream.readable, { headers: { 'content-type': 'text/event-stream' } }),
      reply: () => {
        if (next < 30) setTimeout(ask, 0);
        return Promise.resolve(new Response(null, { status: 202 }));
      },
    });
    line.watch?.(() => undefined);
    ask();
    await eventually(() => repliesIn(asked) === 30, 'the last reply');
    line.close();
  });

  it.each([
    ['asks whether Docent is still there', 30, 'ping', {}],
    ['asks the user', 10, 'elicitation/create', form],
  ])('goes on with a call during which it %s %d times', async (_what, count, method, params) => {
    const stream = new TransformStream<Uint8Array, Uint8Array>();
    const writer = stream.writable.getWriter();
    let [callId, next]: [unknown, number] = [null, 0];
    const goOn = (): void => {
      const asks = { jsonrpc: '2.0', id: `ask-${(next += 1)}`, method, params };
      const message = next > count ? seen(callId) : asks;
      void writer.write(new TextEncoder().encode(`data: ${JSON.stringify(message)}\n\n`));
    };
    const { line, asked } = await serverThat({
      call: ({ message }) => {
        callId = message.id;
        goOn();
        return new Response(stream.readable, { headers: { 'content-type': 'text/event-stream' } });
      },
      reply: () => {
        setTimeout(goOn, 0);
        return Promise.resolve(new Response(null, { status: 202 }));
      },
    });
    const ask = (): Promise<McpReply> => Promise.resolve({ action: 'decline' });
    expect(valueOf(await line.callTool('look', {}, never, { ask })).text).toBe('Seen.');
    expect(repliesIn(asked)).toBe(count);
    line.close();
  });

  it('F34 asks the user no more than ten times for a call', async () => {
    const stream = new TransformStream<Uint8Array, Uint8Array>();
    const writer = stream.writable.getWriter();
    const type = { 'content-type': 'text/event-stream' };
    const { line, asked } = await serverThat({
      call: () => {
        void writer.write(new TextEncoder().encode(asking(1_000, 'elicitation/create', form)));
        return new Response(new ReadableStream<Uint8Array>(), { headers: type });
      },
      resume: () => new Response(stream.readable, { headers: type }),
    });
    line.watch?.(() => undefined);
    await eventually(() => asked.some(({ httpMethod }) => httpMethod === 'GET'), 'the stream');
    const stop = new AbortController();
    let questions = 0;
    const ask = (): Promise<McpReply> => {
      questions += 1;
      return new Promise(() => undefined);
    };
    const call = line.callTool('look', {}, stop.signal, { ask });
    await eventually(() => questions > 0, 'the first question');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(questions).toBe(10);
    stop.abort();
    await call;
    line.close();
  });
});

describe('a server without sessions', () => {
  const result = (id: unknown, members: object): Response => json(id, { resultType: 'complete', ...members });

  /** Reads the resource; returns what the headers say it is about. */
  async function askedAbout(uri: string): Promise<string | null> {
    const asked: Asked[] = [];
    const fetch = (_url: string, init: RequestInit): Promise<Response> => {
      const message = JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Asked['message'];
      asked.push({ httpMethod: init.method ?? 'GET', headers: new Headers(init.headers), message });
      if (message.method === 'server/discover') {
        const about = { supportedVersions: ['2026-07-28'], capabilities: { resources: {} } };
        return Promise.resolve(result(message.id, { ...about, serverInfo: { name: 'library', version: '1' } }));
      }
      return Promise.resolve(result(message.id, { contents: [{ uri, text: 'Seen.' }] }));
    };
    const line = await lineTo('https://mcp.example.com/mcp', { fetch, timing: atOnce });
    expect(valueOf(await line.readResource!(uri, never)).text).toContain('Seen.');
    return asked.find(({ message }) => message.method === 'resources/read')?.headers.get('mcp-name') ?? null;
  }

  it('may ask for answers in ten rounds of a call', async () => {
    let rounds = 0;
    const fetch = (_url: string, init: RequestInit): Promise<Response> => {
      const message = JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Asked['message'];
      const about = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
      const asking = {
        resultType: 'input_required',
        inputRequests: { more: { method: 'elicitation/create', params: form } },
      };
      return Promise.resolve(
        message.method === 'server/discover'
          ? result(message.id, { ...about, serverInfo: { name: 'library', version: '1' } })
          : result(message.id, asking),
      );
    };
    const line = await lineTo('https://mcp.example.com/mcp', { fetch, timing: atOnce });
    const ask = (): Promise<McpReply> => {
      rounds += 1;
      return Promise.resolve({ action: 'accept', content: {} });
    };
    expect(await line.callTool('look', {}, never, { ask })).toMatchObject({ ok: false });
    expect(rounds).toBe(10);
  });

  it('is asked again, after a wait, by a server that needs more time and asks nothing', async () => {
    const waits: number[] = [];
    const calls: unknown[] = [];
    const fetch = (_url: string, init: RequestInit): Promise<Response> => {
      const message = JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Asked['message'];
      const about = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
      if (message.method === 'server/discover')
        return Promise.resolve(result(message.id, { ...about, serverInfo: { name: 'library', version: '1' } }));
      calls.push(message.params);
      const waiting = { resultType: 'input_required', requestState: 'later' };
      return Promise.resolve(
        result(message.id, calls.length === 1 ? waiting : { content: [{ type: 'text', text: 'Done.' }] }),
      );
    };
    const timing: Timing = {
      after: (milliseconds, act) => {
        waits.push(milliseconds);
        return atOnce.after(milliseconds, act);
      },
    };
    const line = await lineTo('https://mcp.example.com/mcp', { fetch, timing });
    waits.length = 0;
    expect(valueOf(await line.callTool('look', {}, never)).text).toBe('Done.');
    expect(calls).toHaveLength(2);
    expect(calls[0]).not.toHaveProperty('requestState');
    expect(calls[1]).toMatchObject({ name: 'look', requestState: 'later' });
    expect(calls[1]).not.toHaveProperty('inputResponses');
    expect(waits).toContain(limits.retryMilliseconds / 4);
  });

  const decode = (header: string | null): string => {
    const [, encoded = ''] = /^=\?base64\?(.*)\?=$/.exec(header ?? '') ?? [];
    return Buffer.from(encoded, 'base64').toString('utf8');
  };

  it('gets the address of a resource in a header as it is, if a header can carry it', async () => {
    expect(await askedAbout('note://a b')).toBe('note://a b');
  });

  it.each(['note://späte', ' note://a', 'note://a ', 'note://a\nb', '=?base64?YQ==?='])(
    'gets the address %j in base64',
    async (uri) => {
      expect(decode(await askedAbout(uri))).toBe(uri);
    },
  );

  it.each([200, 400])(
    'is asked again if it was of an earlier revision and begins no session, with %s',
    async (status) => {
      const methods: unknown[] = [];
      const fetch = (_url: string, init: RequestInit): Promise<Response> => {
        const { id, method } = JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Asked['message'];
        methods.push(method);
        if (method === 'initialize') {
          const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'No such method.' } });
          return Promise.resolve(new Response(body, { status, headers: { 'content-type': 'application/json' } }));
        }
        const about = { supportedVersions: ['2026-07-28'], capabilities: {} };
        return Promise.resolve(result(id, { ...about, serverInfo: { name: 'library', version: '1' } }));
      };
      const set = jest.fn();
      const memory = { get: () => '2025-11-25', set };
      (await lineTo('https://mcp.example.com/mcp', { fetch, timing: atOnce, memory })).close();
      expect(methods).toEqual(['initialize', 'server/discover']);
      expect(set).toHaveBeenCalledWith('mcp-revision-https://mcp.example.com/mcp', '2026-07-28');
    },
  );

  it('F34 gets an address of any length', async () => {
    const uri = `note://${'é'.repeat(200_000)}`;
    expect(decode(await askedAbout(uri))).toBe(uri);
  });
});
