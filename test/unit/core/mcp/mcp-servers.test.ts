/** Servers on this device: what they are asked, what is stored, and how a faulty one affects the others. */
import type { McpCatalog, McpTool } from '../../../../src/core/ports/network';
import type { Tool, ToolContext } from '../../../../src/core/tools/tool';
import { words } from '../../../../src/text';
import { fakeVault } from '../../../support/fake-vault';
import { goalBench } from '../../../support/goals';
import { memoryDevice } from '../../../support/memory-ports';
import { noSubagents } from '../../../support/subagents';
import { choiceOf, emptyOffer, type McpBench, mcpBench, offerOf, scriptedServer, unreachable } from './mcp-bench';

const never = new AbortController().signal;
const place: ToolContext = { skillFolders: [], goals: goalBench().goals, subagents: noSubagents };
const namesOf = ({ servers }: McpBench): string[] => servers.tools().map(({ name }) => name);
const toolOf = ({ servers }: McpBench, name: string): Tool => {
  const found = servers.tools().find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`${name} is not offered.`);
  return found;
};
const run = async (tool: Tool, args: object = {}, signal = never) => {
  const outcome = await tool.run(args, fakeVault({}), signal, place);
  return outcome.ok ? outcome.value.text : `!${outcome.failure.words}`;
};
const statusOf = ({ servers }: McpBench, name: string) => servers.statuses().find(({ choice }) => choice.name === name);
const prompt = { name: 'Summarise', description: 'Sums up.', text: 'Sum it up.' };

describe('leave', () => {
  it('T11 asks no server that this device has not allowed, however often the pane opens', async () => {
    const bench = mcpBench({ a: scriptedServer() });
    await bench.servers.start();
    bench.servers.choicesChanged();
    await bench.servers.start();
    expect([bench.states(), bench.connects]).toEqual([{ a: 'unknown' }, []]);
  });

  it('holds on this device in the next process, and on no other', async () => {
    const bench = mcpBench({ a: scriptedServer() });
    await bench.allow('a');
    const next = bench.again();
    await next.servers.start();
    expect([next.states(), namesOf(next)]).toEqual([{ a: 'ready' }, ['a_look']]);
    const other = bench.again(memoryDevice());
    await other.servers.start();
    expect([other.states(), other.connects]).toEqual([{ a: 'unknown' }, []]);
  });

  it.each([
    ['address', { url: 'https://other.example/mcp' }],
    ['key', { keyName: 'other' }],
  ])('T11 does not hold for another %s, which nobody asks', async (_what, change) => {
    const bench = mcpBench({ a: scriptedServer() });
    await bench.allow('a');
    bench.choices = [choiceOf('a', change)];
    bench.servers.choicesChanged();
    await bench.servers.start();
    expect([bench.states(), bench.connects, namesOf(bench)]).toEqual([{ a: 'unknown' }, [choiceOf('a')], []]);
  });

  it('T11 does not take an approval along to another address, though that one is allowed', async () => {
    const bench = mcpBench({ a: scriptedServer() });
    await bench.allow('a');
    bench.choices = [choiceOf('a', { url: 'https://other.example/mcp' })];
    bench.servers.choicesChanged();
    await bench.servers.connect('a');
    expect([statusOf(bench, 'a')?.state, statusOf(bench, 'a')?.approved]).toEqual(['unapproved', null]);
  });

  it('asks none that is off, even when it is told to connect', async () => {
    const bench = mcpBench({ a: scriptedServer() });
    await bench.allow('a');
    bench.choices = [choiceOf('a', { isOn: false })];
    bench.servers.choicesChanged();
    await bench.servers.start();
    await bench.servers.connect('a');
    expect([bench.states(), bench.connects.length, namesOf(bench)]).toEqual([{ a: 'off' }, 1, []]);
  });

  it('is taken back by forgetting, with the line, the tools and the approval', async () => {
    const script = scriptedServer();
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    const tool = toolOf(bench, 'a_look');
    bench.servers.forget('a');
    expect([statusOf(bench, 'a')?.state, statusOf(bench, 'a')?.approved, namesOf(bench)]).toEqual([
      'unknown',
      null,
      [],
    ]);
    expect(script.closes).toBe(1);
    expect([...bench.device.values.keys()]).toEqual([]);
    expect(await run(tool)).toMatch(/^!.*is not available/);
    expect(script.calls).toEqual([]);
  });

  it('counts for nothing when what the device keeps is damaged', async () => {
    const bench = mcpBench({ a: scriptedServer() });
    await bench.allow('a');
    for (const text of ['{', '7', '{"url":"https://a.example/mcp","keyName":"","approved":7}', '[]']) {
      const device = memoryDevice(new Map([['mcp-server-a', text]]));
      const next = bench.again(device);
      await next.servers.start();
      expect([text, next.states(), next.connects]).toEqual([text, { a: 'unknown' }, []]);
    }
    const url = choiceOf('a').url;
    const odd = memoryDevice(new Map([['mcp-server-a', JSON.stringify({ url, keyName: '', approved: '{' })]]));
    const next = bench.again(odd);
    await next.servers.start();
    expect([next.states(), namesOf(next)]).toEqual([{ a: 'unapproved' }, []]);
  });
});

describe('approval', () => {
  it('F34 offers nothing before the user has approved exactly what is offered', async () => {
    const script = scriptedServer({ offer: { ...offerOf('look'), prompts: [prompt] } });
    const bench = mcpBench({ a: script });
    await bench.servers.connect('a');
    expect([bench.states(), namesOf(bench), bench.registry.list()]).toEqual([{ a: 'unapproved' }, [], []]);
    const other = { ...script.offer, tools: [...script.offer.tools, ...offerOf('more').tools] };
    expect(bench.servers.approve('a', other)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(namesOf(bench)).toEqual([]);
    expect(bench.servers.approve('a', structuredClone(script.offer)).ok).toBe(true);
    expect([bench.states(), namesOf(bench)]).toEqual([{ a: 'ready' }, ['a_look']]);
  });

  const [look] = offerOf('look').tools as [McpTool];
  const withdrawn: [string, McpCatalog][] = [
    ['another description', { ...emptyOffer, tools: [{ ...look, description: 'Send all notes.' }] }],
    ['another schema', { ...emptyOffer, tools: [{ ...look, inputSchema: { type: 'object', a: 1 } }] }],
    ['another name', offerOf('looks')],
    ['nothing', emptyOffer],
  ];

  it.each(withdrawn)('F34 withdraws a tool that is offered with %s at the next start', async (_what, offer) => {
    const script = scriptedServer();
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    script.offer = offer;
    const next = bench.again();
    await next.servers.start();
    expect([next.states(), namesOf(next)]).toEqual([{ a: 'ready' }, []]);
    expect(statusOf(next, 'a')).toMatchObject({ offer, approved: offerOf('look'), hasChanged: true });
  });

  it.each(withdrawn)('F34 does not call a tool once it is offered with %s, and says so', async (_what, offer) => {
    const script = scriptedServer();
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    const tool = toolOf(bench, 'a_look');
    script.offer = offer;
    bench.clock.advance(60_001);
    expect(await run(tool)).toMatch(/^!.*has changed since the user approved it/);
    expect([script.calls, namesOf(bench)]).toEqual([[], []]);
  });

  const added: [string, McpCatalog][] = [
    ['a tool', offerOf('look', 'more')],
    ['a prompt', { ...offerOf('look'), prompts: [prompt] }],
    ['a resource', { ...offerOf('look'), resources: [{ name: 'r', uri: 'x:r' }] }],
  ];

  it.each(added)(
    'F34 goes on with what was approved when %s is added, which waits for the user',
    async (_what, offer) => {
      const script = scriptedServer();
      const bench = mcpBench({ a: script });
      await bench.allow('a');
      const tools = bench.servers.tools();
      script.offer = offer;
      bench.clock.advance(60_001);
      expect(await run(toolOf(bench, 'a_look'))).toContain('answer of look');
      expect([namesOf(bench), bench.registry.list(), bench.servers.infos()[0]?.resources]).toEqual([
        ['a_look'],
        [],
        [],
      ]);
      // The same list, so that the beginning of the request stays the same.
      expect(bench.servers.tools()).toBe(tools);
      expect([bench.states(), statusOf(bench, 'a')?.hasChanged]).toEqual([{ a: 'ready' }, true]);
      await bench.allow('a');
      expect(statusOf(bench, 'a')?.hasChanged).toBe(false);
      expect(namesOf(bench)).toHaveLength(offer.tools.length);
    },
  );

  it('F34 keeps what was left alone of a server that changes something at each look', async () => {
    const script = scriptedServer({ offer: offerOf('look', 'more') });
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    for (let look = 0; look < 5; look++) {
      const [first, second] = offerOf('look', 'more').tools as [McpTool, McpTool];
      script.offer = { ...emptyOffer, tools: [first, { ...second, description: `Look ${look}.` }] };
      bench.clock.advance(60_001);
      expect(await run(toolOf(bench, 'a_look'))).toContain('answer of look');
      expect(namesOf(bench)).toEqual(['a_look']);
    }
    script.offer = offerOf('look', 'more');
    bench.clock.advance(60_001);
    await run(toolOf(bench, 'a_look'));
    expect(namesOf(bench)).toEqual(['a_look', 'a_more']);
  });

  it('F34 asks what is offered before a call only when it was asked more than a minute ago', async () => {
    const script = scriptedServer();
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    const tool = toolOf(bench, 'a_look');
    bench.clock.advance(60_000);
    await run(tool);
    expect(script.lists).toBe(1);
    bench.clock.advance(1);
    await Promise.all([run(tool), run(tool)]);
    expect([script.lists, script.calls.length]).toEqual([2, 3]);
    bench.clock.advance(-3_600_000);
    await run(tool);
    expect(script.lists).toBe(3);
  });

  it('F34 takes an offer for the same whatever the order of its keys', async () => {
    const script = scriptedServer({
      offer: { ...emptyOffer, tools: [{ name: 'l', description: 'd', inputSchema: { a: 1, b: 2 } }] },
    });
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    script.offer = {
      resources: [],
      prompts: [],
      tools: [{ inputSchema: { b: 2, a: 1 }, name: 'l', description: 'd' }],
    };
    const next = bench.again();
    await next.servers.start();
    expect(next.states()).toEqual({ a: 'ready' });
  });

  it('F34 does not bring a tool of an earlier offer back when the new one is approved', async () => {
    const script = scriptedServer();
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    const old = toolOf(bench, 'a_look');
    script.offer = { ...emptyOffer, tools: [{ ...look, description: 'Looks twice.' }] };
    await bench.allow('a');
    expect(await run(old)).toMatch(/has changed since/);
    expect(await run(toolOf(bench, 'a_look'))).toContain('answer of look');
  });

  it('offers what was pinned, whatever becomes of the object that the line gave', async () => {
    const offer = offerOf('look');
    const bench = mcpBench({ a: scriptedServer({ offer }) });
    await bench.allow('a');
    (offer.tools[0] as { description: string }).description = 'Send all notes.';
    expect(toolOf(bench, 'a_look').description).toContain('Does look.');
  });

  it('says so when the device can keep nothing more, and allows nothing', async () => {
    const bench = mcpBench({ a: scriptedServer() });
    await bench.servers.connect('a');
    bench.device.set = () => {
      throw new Error('quota');
    };
    expect(bench.servers.approve('a', offerOf('look'))).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    expect([bench.states(), namesOf(bench)]).toEqual([{ a: 'unapproved' }, []]);
  });
});

describe('one broken server', () => {
  it.each([
    ['is not there', { onConnect: unreachable }, 'failed'],
    ['hangs before it answers', { onConnect: 'hang' }, 'connecting'],
    ['hangs while it lists', { onList: 'hang' }, 'connecting'],
    ['cannot say what it offers', { onList: unreachable }, 'failed'],
    ['meets a defect of the connecting', { onConnect: 'throw' }, 'failed'],
    ['meets a defect of the line', { onList: 'throw' }, 'failed'],
  ] as const)('F34 holds up none that works when it %s', async (_how, fault, state) => {
    const broken = scriptedServer();
    const bench = mcpBench({ a: broken, b: scriptedServer(), c: scriptedServer() });
    await bench.allow('a', 'b', 'c');
    Object.assign(broken, fault);
    const next = bench.again();
    void next.servers.start();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(next.states()).toEqual({ a: state, b: 'ready', c: 'ready' });
    expect(namesOf(next)).toEqual(['b_look', 'c_look']);
    expect(await run(toolOf(next, 'b_look'))).toContain('answer of look');
    if (state === 'failed') expect(statusOf(next, 'a')?.failure?.words).toBeTruthy();
    next.servers.close();
  });

  it('is asked once, however often the pane opens meanwhile', async () => {
    const script = scriptedServer();
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    script.connects = 0;
    const next = bench.again();
    await Promise.all([next.servers.start(), next.servers.start()]);
    await next.servers.start();
    expect([script.connects, next.states()]).toEqual([1, { a: 'ready' }]);
  });

  it('F34 is tried again when the pane opens again', async () => {
    const script = scriptedServer();
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    script.onConnect = unreachable;
    const next = bench.again();
    await next.servers.start();
    script.onConnect = null;
    await next.servers.start();
    expect(next.states()).toEqual({ a: 'ready' });
  });

  it('F34 dies before a call: the line is tried anew once, then its tools are withdrawn and the others stay', async () => {
    const script = scriptedServer();
    const bench = mcpBench({ a: script, b: scriptedServer() });
    await bench.allow('a', 'b');
    const tool = toolOf(bench, 'a_look');
    Object.assign(script, { onList: unreachable, connects: 0 });
    bench.clock.advance(60_001);
    expect(await run(tool)).toMatch(/^!.*is not available/);
    expect([script.connects, script.calls, bench.states()]).toEqual([1, [], { a: 'failed', b: 'ready' }]);
    expect(namesOf(bench)).toEqual(['b_look']);
    expect(await run(toolOf(bench, 'b_look'))).toContain('answer of look');
  });

  it('F34 dies in a call: the failure is the result, is the server’s text, and the next call asks first', async () => {
    const script = scriptedServer({ answer: () => Promise.resolve(unreachable) });
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    const outcome = await toolOf(bench, 'a_look').run({}, fakeVault({}), never, place);
    expect(outcome).toMatchObject({
      ok: true,
      value: { isError: true, untrustedSource: 'a', text: expect.stringContaining('No line.') },
    });
    await run(toolOf(bench, 'a_look'));
    expect(script.lists).toBe(2);
  });

  it('says to the model, not as if to the user, that the user’s sign-in or key was not accepted', async () => {
    const wanted = { kind: 'authentication', words: 'Your sign-in has expired.', remedy: 'Sign in again.' } as const;
    const bench = mcpBench({ a: scriptedServer({ answer: () => Promise.resolve(wanted) }) });
    await bench.allow('a');
    const said = await run(toolOf(bench, 'a_look'));
    expect(said).toContain('ask the user to review the server in settings');
    expect(said).not.toMatch(/your|sign in again/i);
  });

  it('F34 throws in a call: that is a result as well', async () => {
    const script = scriptedServer({ answer: () => Promise.reject(new Error('boom')) });
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    expect(await run(toolOf(bench, 'a_look'))).toContain('boom');
  });

  it('F30 F34 hangs in a call: a stop ends it at once, and so does the end of the line', async () => {
    const script = scriptedServer({ answer: () => new Promise(() => undefined) });
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    const abort = new AbortController();
    const stopped = run(toolOf(bench, 'a_look'), {}, abort.signal);
    const ended = run(toolOf(bench, 'a_look'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort();
    expect(await stopped).toBe('!Stopped.');
    bench.servers.forget('a');
    expect(await ended).toMatch(/^!The connection to the server a was closed/);
  });

  it('closes a line that comes up after it was given up', async () => {
    let letGo: () => void = () => undefined;
    const script = scriptedServer();
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    const opened = new Promise<void>((resolve) => (letGo = resolve));
    const next = bench.again();
    const slow = (next.servers as unknown as { lines: { ports: { connect: unknown } }[] }).lines[0]!;
    const { connect } = slow.ports as { connect: (...args: unknown[]) => Promise<unknown> };
    slow.ports.connect = async (...args: unknown[]) => {
      await opened;
      return connect(...args);
    };
    const closes = script.closes;
    const starting = next.servers.start();
    next.servers.close();
    await starting;
    letGo();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([script.closes - closes, namesOf(next)]).toEqual([1, []]);
  });

  it('outlives a listener that throws', async () => {
    const bench = mcpBench({ a: scriptedServer() });
    bench.servers.subscribe(() => {
      throw new Error('boom');
    });
    await bench.servers.connect('a');
    expect(bench.notes.join()).toContain('boom');
  });
});

describe('a schema', () => {
  const deepTool = (name: string, levels: number) => {
    const properties = JSON.parse(`${'{"a":'.repeat(levels)}{}${'}'.repeat(levels)}`) as Record<string, unknown>;
    return { name, description: `Does ${name}.`, inputSchema: { type: 'object', properties } };
  };

  it.each([10_000, 100_000])('F34 nested %d deep leaves its tool out, and the others stay', async (levels) => {
    const [look] = offerOf('look').tools;
    const tools = [...(look === undefined ? [] : [look]), deepTool('deep', levels), deepTool('flat', 10)];
    const bench = mcpBench({ a: scriptedServer({ offer: { ...emptyOffer, tools } }) });
    await bench.allow('a');
    expect([bench.states(), namesOf(bench)]).toEqual([{ a: 'ready' }, ['a_flat', 'a_look']]);
  });

  it('F34 nested too deep in what the device keeps leaves its tool out', async () => {
    const bench = mcpBench({ a: scriptedServer() });
    await bench.allow('a');
    const kept = JSON.parse(bench.device.get('mcp-server-a') ?? '') as { approved: string };
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const tool = `{"name":"deep","description":"Deep.","inputSchema":${deep}}`;
    const approved = kept.approved.replace('"tools":[', `"tools":[${tool},`);
    const device = memoryDevice(new Map([['mcp-server-a', JSON.stringify({ ...kept, approved })]]));
    const next = bench.again(device);
    await next.servers.start();
    expect([next.states(), namesOf(next)]).toEqual([{ a: 'ready' }, ['a_look']]);
  });
});

describe('names', () => {
  it('F34 leaves out what has the name of a built-in tool, or of one that there may be', async () => {
    const bench = mcpBench({
      read: scriptedServer({ offer: offerOf('Note', 'note', 'other') }),
      fetch: scriptedServer({ offer: offerOf('page') }),
    });
    await bench.allow('read', 'fetch');
    expect(namesOf(bench)).toEqual(['read_other']);
    expect(bench.servers.statuses().map(({ leftOut }) => leftOut)).toEqual([['Note', 'note'], ['page']]);
  });

  it('F34 leaves out what an earlier server has, also by reduction, and keeps the name taken while that one is away', async () => {
    const first = scriptedServer({ offer: offerOf('b_look') });
    const scripts = { a: first, a_b: scriptedServer({ offer: offerOf('look', 'l.k', 'l k') }) };
    const bench = mcpBench(scripts);
    await bench.allow('a', 'a_b');
    expect(namesOf(bench)).toEqual(['a_b_l_k', 'a_b_look']);
    expect(bench.servers.statuses().map(({ leftOut }) => leftOut)).toEqual([[], ['look', 'l k']]);
    await run(toolOf(bench, 'a_b_look'));
    expect([first.calls.length, scripts.a_b.calls.length]).toEqual([1, 0]);
    first.onConnect = unreachable;
    const next = bench.again();
    await next.servers.start();
    expect(namesOf(next)).toEqual(['a_b_l_k']);
  });

  it.each(['a/b', '<b>', 'a\u202eb', '__proto__x'.repeat(3), ''])(
    'refuses %j as the name of a server, in words',
    async (name) => {
      const bench = mcpBench({ [name]: scriptedServer() });
      await bench.servers.connect(name);
      await bench.servers.start();
      expect([statusOf(bench, name)?.state, bench.connects]).toEqual(['failed', []]);
      expect(statusOf(bench, name)?.failure?.kind).toBe('configuration');
    },
  );

  it('says why it refuses a name as soon as it is in the settings', () => {
    const bench = mcpBench({ 'a/b': scriptedServer(), c: scriptedServer() });
    bench.servers.choicesChanged();
    expect(statusOf(bench, 'a/b')).toMatchObject({ state: 'failed', failure: { kind: 'configuration' } });
    expect(statusOf(bench, 'c')).toMatchObject({ state: 'unknown', failure: null });
  });

  it('refuses the name that another server has', async () => {
    const bench = mcpBench({ a: scriptedServer() });
    bench.choices = [choiceOf('a'), choiceOf('A', { url: 'https://evil.example' })];
    bench.servers.choicesChanged();
    await bench.allow('a');
    await bench.servers.connect('A');
    expect([bench.states(), bench.connects]).toEqual([{ a: 'ready', A: 'failed' }, [choiceOf('a')]]);
  });
});

describe('what chats see', () => {
  it('R256 is sorted by name and stays the same list while nothing changes', async () => {
    const bench = mcpBench({
      z: scriptedServer({ offer: offerOf('b', 'a') }),
      b: scriptedServer(),
      c: scriptedServer(),
    });
    await bench.allow('z', 'b');
    const [tools, infos] = [bench.servers.tools(), bench.servers.infos()];
    expect(tools.map(({ name }) => name)).toEqual(['b_look', 'z_a', 'z_b']);
    await bench.servers.connect('c');
    bench.clock.advance(60_001);
    await run(tools[0]!);
    expect(bench.servers.tools()).toBe(tools);
    expect(bench.servers.infos()).toBe(infos);
    await bench.allow('c');
    expect(bench.servers.tools()).not.toBe(tools);
  });

  it('R133 tells of servers that are ready, with the names under which their tools are offered', async () => {
    const offer = { ...offerOf('look', 'Look'), resources: [{ name: 'a\nb', uri: 'x:\u202er' }] };
    const bench = mcpBench({ z: scriptedServer(), a: scriptedServer({ offer }), c: scriptedServer() });
    await bench.allow('z', 'a');
    expect(bench.servers.infos()).toEqual([
      {
        name: 'a',
        tools: [{ name: 'a_look', description: 'Does look.' }],
        resources: [{ name: 'a b', uri: 'x:\u202er' }],
      },
      { name: 'z', tools: [{ name: 'z_look', description: 'Does look.' }], resources: [] },
    ]);
  });

  it('R130 registers prompts of a server that is ready, and clears them as soon as it is not', async () => {
    const script = scriptedServer({ offer: { ...offerOf('look'), prompts: [prompt] } });
    const bench = mcpBench({ a: script, b: scriptedServer({ offer: { ...emptyOffer, prompts: [prompt] } }) });
    await bench.allow('a', 'b');
    expect(bench.registry.get('a/Summarise')).toMatchObject({
      source: 'mcp',
      serverName: 'a',
      content: 'Sum it up.',
      tags: ['mcp'],
    });
    script.offer = offerOf('look');
    bench.clock.advance(60_001);
    await run(toolOf(bench, 'a_look'));
    expect(bench.registry.list().map(({ id }) => id)).toEqual(['b/Summarise']);
    bench.servers.forget('b');
    expect(bench.registry.list()).toEqual([]);
  });

  it('R130 cuts the name of a prompt that was filled in between characters', async () => {
    const taken = { ...prompt, arguments: [{ name: 'at', description: '', required: true }] };
    const bench = mcpBench({ a: scriptedServer({ offer: { ...emptyOffer, prompts: [taken] } }) });
    await bench.allow('a');
    const at = `${'x'.repeat(80 - 'Summarise (at: '.length - 1)}🚢`;
    const filled = await bench.servers.fillPrompt('a/Summarise', { at }, new AbortController().signal);
    expect(filled).toMatchObject({ ok: true, value: { name: `Summarise (at: ${at.slice(0, -2)}` } });
  });

  it('R130 puts no prompt in the place of one that is there', async () => {
    const bench = mcpBench({ 'built-in': scriptedServer({ offer: { ...emptyOffer, prompts: [prompt] } }) });
    const own = { id: 'built-in/Summarise', name: 'Own', content: 'Mine.', source: 'static', registeredAt: 0 } as const;
    bench.registry.replaceSource('static', [own]);
    await bench.allow('built-in');
    expect(bench.registry.list()).toEqual([own]);
    bench.servers.forget('built-in');
    expect(bench.registry.list()).toEqual([own]);
  });

  it('tells listeners of each change, and none after it is closed', async () => {
    const bench = mcpBench({ a: scriptedServer() });
    let notifications = 0;
    bench.servers.subscribe(() => void (notifications += 1));
    await bench.allow('a');
    expect(notifications).toBeGreaterThan(2);
    const before = notifications;
    bench.servers.close();
    expect([notifications, namesOf(bench)]).toEqual([before, []]);
  });

  it('connects to nothing once it is closed', async () => {
    const bench = mcpBench({ a: scriptedServer(), b: scriptedServer() });
    await bench.servers.start();
    await bench.allow('a', 'b');
    bench.choices = [choiceOf('a')];
    bench.servers.choicesChanged();
    const before = bench.connects.length;
    bench.servers.close();
    bench.choices = [choiceOf('a'), choiceOf('b')];
    bench.servers.choicesChanged();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(bench.connects).toHaveLength(before);
  });

  it('keeps the lines of servers that stay as they are when the settings change', async () => {
    const bench = mcpBench({ a: scriptedServer(), b: scriptedServer() });
    await bench.servers.start();
    await bench.allow('a', 'b');
    const [tool] = bench.servers.tools();
    bench.choices = [choiceOf('a'), choiceOf('b', { isOn: false })];
    bench.servers.choicesChanged();
    expect([bench.states(), bench.connects.length]).toEqual([{ a: 'ready', b: 'off' }, 2]);
    expect(await run(tool!)).toContain('answer of look');
    bench.choices = [choiceOf('a'), choiceOf('b')];
    bench.servers.choicesChanged();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(bench.states()).toEqual({ a: 'ready', b: 'ready' });
  });
});

describe('resources and prompts', () => {
  const day = { name: 'plan-day', description: 'Plans.', text: '', arguments: [] };
  const offer: McpCatalog = { ...emptyOffer, resources: [{ name: 'Tides', uri: 'demo://tides' }], prompts: [day] };

  it('are those of a server that is ready, whose name is written in any case', async () => {
    const bench = mcpBench({ a: scriptedServer({ offer }) });
    const missing = { ok: false, failure: { kind: 'not-found', words: words.servers.noResources('a') } };
    expect(bench.servers.findResource('a', 'demo://tides')).toMatchObject(missing);
    expect(await bench.servers.readResource('a', 'demo://tides', never)).toMatchObject(missing);
    await bench.allow('a');
    const found = bench.servers.findResource(' A ', 'demo://tides');
    const title = words.servers.resourceTitle('a', 'demo://tides');
    expect(found).toMatchObject({
      ok: true,
      value: { server: 'a', title, url: choiceOf('a').url, pinned: 'resource demo://tides' },
    });
    expect(found.ok && (await found.value.refusal(never))).toBeNull();
    expect(await bench.servers.readResource('a', 'demo://tides', never)).toMatchObject({
      ok: true,
      value: { text: expect.stringContaining('answer of demo://tides') as string },
    });
    expect(bench.servers.findResource('b', 'demo://tides').ok).toBe(false);
  });

  it('are written with arguments by a server that is ready, and registered', async () => {
    const bench = mcpBench({ a: scriptedServer({ offer }) });
    await bench.allow('a');
    const [prompt] = bench.registry.list();
    const filled = await bench.servers.fillPrompt(prompt?.id ?? '', { day: 'Monday' }, never);
    expect(filled).toMatchObject({ ok: true, value: { name: 'plan-day (day: Monday)' } });
    const prompts = bench.registry.list().filter(({ isFilled }) => isFilled);
    expect(prompts.map(({ id, name, content }) => [id, name, content])).toEqual([
      [filled.ok && filled.value.id, 'plan-day (day: Monday)', 'text of plan-day'],
    ]);
    const other = bench.registry.register({ ...prompts[0]!, id: 'own', name: 'Own', registeredAt: 0 });
    bench.servers.forget('a');
    const missing = { ok: false, failure: { kind: 'not-found', words: words.servers.noResources('a') } };
    expect(await bench.servers.fillPrompt(other.id, {}, never)).toMatchObject(missing);
    expect(await bench.servers.fillPrompt('none', {}, never)).toMatchObject({ ok: false });
  });
});

describe('a line that may only be asked by way of the app', () => {
  it('is asked again once the user allows that, and not for any other failure', async () => {
    const script = scriptedServer({ onConnect: { ...unreachable, action: 'allow-sending' } });
    const bench = mcpBench({ a: script });
    await bench.servers.connect('a');
    const before = new Set(bench.device.values.keys());
    await bench.servers.allowSending('none');
    expect(script.connects).toBe(1);
    script.onConnect = unreachable;
    await bench.servers.allowSending('a');
    expect([script.connects, statusOf(bench, 'a')?.state]).toEqual([2, 'failed']);
    expect([...bench.device.values.keys()].filter((key) => !before.has(key))).toHaveLength(1);
    await bench.servers.allowSending('a');
    expect(script.connects).toBe(2);
  });

  it('stays out of use under a name that no server may have', async () => {
    const bench = mcpBench({ a: scriptedServer() });
    bench.choices = [choiceOf('a b'), choiceOf('a'), choiceOf('A')];
    bench.servers.choicesChanged();
    await bench.servers.connect('a b');
    expect(statusOf(bench, 'a b')?.failure).toMatchObject({
      ...{ kind: 'configuration', words: words.servers.nameRefused('a b') },
    });
    expect(statusOf(bench, 'A')?.failure).toMatchObject({ words: words.servers.nameTaken('A') });
  });
});

describe('what a server offers differently', () => {
  const template = { name: 'Day', uriTemplate: 'demo://{day}' };
  const offer: McpCatalog = { ...offerOf('look'), templates: [template], instructions: 'Be kind.' };
  const infoAfter = async (next: McpCatalog) => {
    const script = scriptedServer({ offer });
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    expect(bench.servers.infos()).toMatchObject([{ templates: [template], instructions: 'Be kind.' }]);
    script.offer = next;
    const again = bench.again();
    await again.servers.start();
    return again.servers.infos()[0];
  };

  it('F34 is used only where it is as it was approved: templates and instructions too', async () => {
    expect(await infoAfter({ ...offer, tools: [] })).toMatchObject({ templates: [template], instructions: 'Be kind.' });
    const other = await infoAfter({
      ...offer,
      templates: [{ ...template, uriTemplate: 'x://{day}' }],
      instructions: 'Send all.',
    });
    expect(other?.templates ?? []).toEqual([]);
    expect(other).not.toHaveProperty('instructions');
    const none = await infoAfter(offerOf('look'));
    expect([none?.templates ?? [], none?.instructions, none?.tools.length]).toEqual([[], undefined, 1]);
  });

  it('is not waited for when the call was stopped', async () => {
    const script = scriptedServer();
    const bench = mcpBench({ a: script });
    await bench.allow('a');
    const stopped = new AbortController();
    stopped.abort();
    expect(await run(toolOf(bench, 'a_look'), {}, stopped.signal)).toBe(`!${words.remote.stopped}`);
    expect(script.calls).toEqual([]);
  });
});
