/** @jest-environment node */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { McpConnection, McpProgress, McpQuestion, McpReply } from '../../../src/core/ports/network';
import { eventually } from '../eventually';
import { failureOf, lineTo, never, valueOf } from './harness';

/** Time as it passes, because these servers answer when they want. */
const timing = {
  after(milliseconds: number, act: () => void): () => void {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Starts a server in a process of its own. */
async function startServer(file: string, mode: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [path.resolve('test/support/mcp-server', file), mode]);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (data: Buffer) => resolve(String(data).trim()));
    child.stderr?.on('data', (data: Buffer) => reject(new Error(String(data))));
  });
  return { url, child };
}

function remembering() {
  const held = new Map<string, string>();
  const memory = {
    get: (key: string) => held.get(key) ?? null,
    set: (key: string, value: string | null) => void (value === null ? held.delete(key) : held.set(key, value)),
  };
  return { memory, held };
}

/** Counts the requests by the method of JSON-RPC. */
function counting() {
  const methods: string[] = [];
  const counted: typeof fetch = (url, init) => {
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as { method?: string }) : {};
    methods.push(body.method ?? init?.method ?? '');
    return fetch(url, init);
  };
  return { methods, fetch: (url: string, init: RequestInit) => counted(url, init) };
}

const all = [
  ['sdk-server.mjs', 'sessions', '2025-11-25'],
  ['sdk-server.mjs', 'stateless', '2025-11-25'],
  ['stateless-server.mjs', 'modern', '2026-07-28'],
  ['stateless-server.mjs', 'dual', '2026-07-28'],
] as const;

describe.each(all)('a server of the official SDK, %s %s', (file, mode, revision) => {
  let child: ChildProcess;
  let line: McpConnection;
  let url: string;
  let changes = 0;
  const { memory, held } = remembering();
  const isModern = revision === '2026-07-28';

  beforeAll(async () => {
    ({ url, child } = await startServer(file, mode));
    line = await lineTo(url, { timing, memory });
    line.watch!(() => (changes += 1));
  });
  afterAll(() => {
    line.close();
    child.kill();
  });

  const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> =>
    valueOf(await line.callTool(name, args, never)).text;

  it('is asked once for its revision, which is remembered', async () => {
    expect([...held.values()]).toEqual([revision]);
    const first = counting();
    (await lineTo(url, { timing, fetch: first.fetch })).close();
    // A server of the new revision refuses the question without its headers, and no other server sees them.
    expect(first.methods.filter((method) => method === 'server/discover')).toHaveLength(isModern ? 2 : 1);
    const again = counting();
    (await lineTo(url, { timing, memory, fetch: again.fetch })).close();
    expect(again.methods[0]).toBe(isModern ? 'server/discover' : 'initialize');
  });

  it('lists what it has', async () => {
    const { tools, prompts, resources, instructions } = valueOf(await line.readCatalog(never));
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['add-tool', 'ask', 'echo', 'picture', 'steps']),
    );
    expect(tools.find(({ name }) => name === 'ask')).toMatchObject({
      title: 'Ask the user',
      annotations: { readOnlyHint: true },
    });
    expect(prompts.find(({ name }) => name === 'greet')?.arguments).toEqual([
      { name: 'who', description: '', required: true },
    ]);
    expect(resources).toEqual([{ name: 'a', uri: 'demo://a' }]);
    expect(instructions).toBe('Look before you leap.');
  });

  it('answers a call, in text, in rows and in images', async () => {
    expect(await call('echo', { said: 'tea' })).toBe('tea');
    expect(await call('rows')).toBe('See the structured content.\n\n{"rows":[11,22,33]}');
    const { text, images } = valueOf(await line.callTool('picture', {}, never));
    expect(text).toBe('Here it is.\n\n[image 1: image/png, 1 KB]');
    expect(images?.map(({ mediaType, bytes }) => [mediaType, bytes.slice(1, 4)])).toEqual([
      ['image/png', new Uint8Array([0x50, 0x4e, 0x47])],
    ]);
  });

  it('gives a resource and a prompt that was filled in', async () => {
    const read = valueOf(await line.readResource!('demo://a', never));
    expect(read.text).toBe('demo://a\nThe text of a.');
    const filled = valueOf(await line.fillPrompt!('greet', { who: 'Ann' }, never));
    expect(filled).toContain('Hello Ann.');
  });

  it('tells how far a call has come', async () => {
    const told: McpProgress[] = [];
    const progressed = (progress: McpProgress): void => void told.push(progress);
    const answer = await line.callTool('steps', { steps: 3 }, never, { progressed });
    expect(valueOf(answer).text).toBe('done');
    if (mode === 'stateless') return expect(told).toEqual([]);
    expect(told.at(-1)).toEqual({ progress: 3, total: 3, message: 'step 3' });
  });

  it('hears that a call was stopped', async () => {
    if (mode === 'stateless') return;
    const stop = new AbortController();
    const progressed = (): void => stop.abort();
    const stopped = await line.callTool('steps', { steps: 200, pause: 20 }, stop.signal, { progressed });
    expect(failureOf(stopped).kind).toBe('aborted');
    for (let tries = 0; tries < 50; tries++) if ((await call('cancelled')) === 'cancelled 1') break;
    expect(await call('cancelled')).toBe('cancelled 1');
  });

  it('asks the user during a call, and gets the answer or none', async () => {
    if (mode === 'stateless') return;
    const asked: McpQuestion[] = [];
    const replying = (reply: McpReply) => ({
      ask: (question: McpQuestion) => {
        asked.push(question);
        return Promise.resolve(reply);
      },
    });
    const given = { action: 'accept', content: { boat: 'Ada' } } as const;
    expect(valueOf(await line.callTool('ask', {}, never, replying(given))).text).toBe('The boat is Ada.');
    expect(valueOf(await line.callTool('ask', {}, never, replying({ action: 'decline' }))).text).toBe('No boat.');
    expect(asked[0]).toMatchObject({
      kind: 'form',
      message: 'Which boat?',
      fields: [{ name: 'boat', required: true }],
    });
    expect(valueOf(await line.callTool('open-page', {}, never, replying({ action: 'accept' }))).text).toBe('opened');
    expect(asked.at(-1)).toEqual({
      kind: 'page',
      message: 'Log in there.',
      url: 'https://example.com/login?boat=1',
    });
  });

  it('tells that its tools have changed', async () => {
    if (mode === 'stateless') return;
    for (let tries = 0; tries < 50 && changes === 0; tries++) await call('add-tool');
    await eventually(() => changes > 0, 'the notice');
    expect(valueOf(await line.readCatalog(never)).tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^late/)]),
    );
  });

  it('answers after its stream was closed', async () => {
    if (isModern) return;
    expect(await call('poll')).toBe('after the stream was closed');
    expect((await call('large', { kilobytes: 400 })).slice(0, 14)).toBe('The beginning.');
    expect(await call('same')).toBe('{"high":"14:20"}');
  });
});
