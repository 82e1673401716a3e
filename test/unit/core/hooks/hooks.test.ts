/** What other plugins may register, and what their code can and cannot do to a turn. */
import { PluginEvents } from '../../../../src/core/hooks/context-events';
import type { Hook, ModelRequestChange } from '../../../../src/core/hooks/hook';
import { Hooks, pluginApi } from '../../../../src/core/hooks/hooks';
import { PluginSkills } from '../../../../src/core/hooks/plugin-skills';
import { tokensByRule } from '../../../../src/core/markup/budget';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { words } from '../../../../src/text';
import { noTotals } from '../../../support/scripted-model';
import { never } from '../../../support/turn-world';

const message = {
  text: 'What about tea?',
  mentions: [{ kind: 'note', id: 'A.md', label: 'A' }],
  contextWindow: 100_000,
} as const;
const readCall = { type: 'tool-call', id: 'k1', name: 'read_note', argumentsText: '{"path":"A"}' } as const;
const result = {
  text: 'alpha',
  isError: false,
  sources: [{ path: 'A.md', heading: 'X' }, { path: 'A.md' }],
  contextWindow: 100_000,
};
const plan = {
  conversationId: 'c1',
  modelId: 'm',
  blocks: [],
  system: 'Be kind.',
  messages: [
    { role: 'user', parts: [{ type: 'text', text: 'q' }] },
    { role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }, readCall] },
    { role: 'tool', parts: [{ type: 'tool-result', callId: 'k1', name: 'read_note', text: 'alpha', isError: false }] },
  ],
  tools: [],
  totals: { ...noTotals, all: 40, reserve: 100, window: 1000 },
  maxOutputTokens: 100,
} satisfies RequestPlan;

/** Opens hooks whose timers expire when `pass` is called. */
function openHooks(): { hooks: Hooks; pass: () => void; asked: number[] } {
  const waiting = new Set<() => void>();
  const asked: number[] = [];
  const hooks = new Hooks((milliseconds, act) => {
    asked.push(milliseconds);
    waiting.add(act);
    return () => waiting.delete(act);
  });
  return { hooks, asked, pass: () => [...waiting].forEach((act) => act()) };
}

function register(...given: Partial<Hook>[]): Hooks {
  const { hooks } = openHooks();
  given.forEach((hook, index) => hooks.register({ id: `h${index}`, label: `Hook ${index}`, ...hook }));
  return hooks;
}

const ask = (hooks: Hooks, stop: AbortSignal = never) => hooks.beforeAgent('c1', message, stop);
const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('registering', () => {
  it('R139 runs hooks in the order of their ids, and none after its release', async () => {
    const { hooks } = openHooks();
    const releases = ['b', 'c', 'a'].map((id) => hooks.register({ id, label: `L ${id}`, beforeAgent: () => id }));
    expect(hooks.active).toEqual(['a', 'b', 'c'].map((id) => ({ id, label: `L ${id}` })));
    expect((await ask(hooks)).additions.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    releases[0]?.();
    releases[0]?.();
    expect((await ask(hooks)).additions.map(({ source }) => source)).toEqual(['L a', 'L c']);
  });

  it('leaves half of no character in a label or a message that is too long', async () => {
    const { hooks } = openHooks();
    const thrown = (): never => {
      throw new Error(`${'y'.repeat(199)}😀`);
    };
    hooks.register({ id: 'a', label: `${'x'.repeat(59)}😀`, beforeAgent: thrown });
    expect(hooks.active).toEqual([{ id: 'a', label: 'x'.repeat(59) }]);
    const { reports } = await hooks.beforeAgent('c1', message, new AbortController().signal);
    expect(reports.join()).toMatch(/y{199}/);
    expect(reports.join()).not.toMatch(/\p{Cs}/u);
  });

  it('tells its subscribers of every change, until they leave', () => {
    const { hooks } = openHooks();
    const seen: string[][] = [];
    const leave = hooks.subscribe((active) => seen.push(active.map(({ id }) => id)));
    const release = hooks.register({ id: 'a', label: 'A' });
    release();
    release();
    leave();
    hooks.register({ id: 'b', label: 'B' });
    expect(seen).toEqual([['a'], []]);
  });

  it.each<[string, unknown]>([
    ['no id', { label: 'L' }],
    ['an id with spaces', { id: 'a b', label: 'L' }],
    ['no label', { id: 'b' }],
    ['a blank label', { id: 'b', label: ' \n ' }],
    ['an id that is taken', { id: 'taken', label: 'L' }],
  ])('refuses a hook with %s', (_name, hook) => {
    const { hooks } = openHooks();
    hooks.register({ id: 'taken', label: 'Taken' });
    expect(() => hooks.register(hook as Hook)).toThrow(/hook/);
    expect(hooks.active).toHaveLength(1);
  });

  it('keeps a label to one short line', () => {
    const { hooks } = openHooks();
    hooks.register({ id: 'a', label: `Two\nlines ${'x'.repeat(100)}` });
    expect(hooks.active[0]?.label).toMatch(/^Two lines x{50}$/);
  });

  it('offers other plugins hooks, events, skills and a prompt, and nothing else', () => {
    const { hooks } = openHooks();
    const parts = { hooks, events: new PluginEvents(() => {}), skills: new PluginSkills() };
    const api = pluginApi(parts, () => Promise.resolve(null));
    const members = ['version', 'hooks', 'events', 'skills', 'buildSystemPrompt', 'normalizePathToXmlTag'];
    expect([api.version, Object.keys(api)]).toEqual([1, members]);
    expect([api.hooks, api.events, api.skills].map((part) => Object.keys(part))).toEqual([
      ['register'],
      ['subscribe'],
      ['register'],
    ]);
    const release = api.hooks.register({ id: 'a', label: 'A' });
    expect(hooks.active).toHaveLength(1);
    release();
    expect(hooks.active).toEqual([]);
    expect(Object.isFrozen(api) && Object.isFrozen(api.hooks)).toBe(true);
  });
});

describe('what hooks are handed', () => {
  it('R139 R140 R141 are copies of message, call, result and request', async () => {
    const seen: unknown[] = [];
    const hooks = register({
      beforeAgent: (request) => void seen.push(request),
      afterTool: (call, given) => void seen.push(call, given),
      beforeModel: (request) => {
        seen.push(structuredClone(request));
        (request.messages as unknown[]).length = 0;
        return null;
      },
    });
    await ask(hooks);
    await hooks.afterTool('c1', readCall, result, never);
    const before = JSON.stringify(plan);
    await hooks.beforeModel(plan, never);
    expect(JSON.stringify(plan)).toBe(before);
    expect(seen).toEqual([
      { conversationId: 'c1', text: message.text, mentions: message.mentions },
      { conversationId: 'c1', name: 'read_note', argumentsText: '{"path":"A"}' },
      { text: 'alpha', isError: false, sources: ['A.md'] },
      {
        conversationId: 'c1',
        modelId: 'm',
        system: 'Be kind.',
        messages: [
          { role: 'user', text: 'q' },
          { role: 'assistant', text: '' },
          { role: 'tool', text: 'alpha' },
        ],
        tokens: 40,
        room: 900,
        maxOutputTokens: 100,
      },
    ]);
  });
});

describe('what hooks give', () => {
  it('R139 R140 is text, trimmed, or nothing', async () => {
    const hooks = register(
      { beforeAgent: () => ' one\n' },
      { beforeAgent: async () => '  ' },
      { afterTool: () => 'two' },
      {},
    );
    expect(await ask(hooks)).toEqual({ additions: [{ kind: 'hook', source: 'Hook 0', text: 'one' }], reports: [] });
    const after = await hooks.afterTool('c1', readCall, result, never);
    expect(after.additions).toEqual([{ kind: 'hook', source: 'Hook 2', text: 'two' }]);
  });

  it('R139 is cut at 4,000 tokens, saying so', async () => {
    const [addition] = (await ask(register({ beforeAgent: () => 'x'.repeat(50_000) }))).additions;
    expect(addition?.text).toMatch(/x\n\[Cut here: 16000 of 50000 characters shown\.\]$/);
    expect(tokensByRule(addition?.text ?? '')).toBeLessThan(4_030);
  });

  it.each([2_048, 8_192])('R139 R140 is cut at an eighth of a window of %d', async (contextWindow) => {
    const long = (): string => 'x'.repeat(50_000);
    const hooks = register({ beforeAgent: long, afterTool: long });
    const before = await hooks.beforeAgent('c1', { ...message, contextWindow }, never);
    const after = await hooks.afterTool('c1', readCall, { ...result, contextWindow }, never);
    const shown = `${'x'.repeat(contextWindow / 2)}\n[Cut here: ${contextWindow / 2} of 50000 characters shown.]`;
    expect([...before.additions, ...after.additions].map(({ text }) => text)).toEqual([shown, shown]);
  });

  it.each<[string, unknown]>([
    ['a number', 7],
    ['an object', { text: 'x' }],
  ])('R139 leaves out %s, by name', async (_name, answer) => {
    const { additions, reports } = await ask(register({ beforeAgent: () => answer as string }));
    expect([additions, reports]).toEqual([[], ['Hook 0 returned something other than text and was left out.']]);
  });

  it.each<[string, Hook['beforeAgent']]>([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
    [
      'has a getter that throws',
      () =>
        ({
          get then(): never {
            throw new Error('boom');
          },
        }) as never,
    ],
  ])('R139 leaves out a hook that %s, by name, and runs the others', async (_name, beforeAgent) => {
    const { additions, reports } = await ask(register({ beforeAgent }, { beforeAgent: () => 'fine' }));
    expect(additions.map(({ text }) => text)).toEqual(['fine']);
    expect(reports).toEqual(['Hook 0 failed and was left out: boom']);
  });

  it('R139 waits five seconds, goes on without the hook, and leaves it alone until it has come back', async () => {
    const { hooks, pass, asked } = openHooks();
    let finish: (text: string) => void = () => undefined;
    let calls = 0;
    let signal: AbortSignal | null = null;
    hooks.register({
      id: 'slow',
      label: 'Slow',
      beforeAgent: (_request, given) => {
        calls += 1;
        signal = given;
        return new Promise((resolve) => (finish = resolve));
      },
    });
    const first = ask(hooks);
    await tick();
    pass();
    expect(await first).toEqual({ additions: [], reports: ['Slow didn’t respond within 5 seconds and was left out.'] });
    expect([asked, (signal as AbortSignal | null)?.aborted]).toEqual([[5_000], true]);
    expect(await ask(hooks)).toEqual({ additions: [], reports: [] });
    expect(calls).toBe(1);
    finish('too late');
    await tick();
    const third = ask(hooks);
    await tick();
    finish('in time');
    expect((await third).additions.map(({ text }) => text)).toEqual(['in time']);
  });

  it('R139 stops waiting as soon as the turn is stopped, and says nothing of it', async () => {
    const stop = new AbortController();
    const later = jest.fn(() => 'never');
    const hooks = register({ beforeAgent: () => new Promise(() => undefined) }, { beforeAgent: later });
    const asked = ask(hooks, stop.signal);
    await tick();
    stop.abort();
    expect(await asked).toEqual({ additions: [], reports: [] });
    expect(later).not.toHaveBeenCalled();
  });
});

describe('changes of a request', () => {
  const change = async (answer: unknown) =>
    register({ beforeModel: () => answer as ModelRequestChange }).beforeModel(plan, never);

  it('R141 are text, a smaller limit and a temperature', async () => {
    const { changes, reports } = await change({ text: ' T ', maxOutputTokens: 50, temperature: 0.2 });
    expect(changes).toEqual([{ label: 'Hook 0', change: { text: 'T', maxOutputTokens: 50, temperature: 0.2 } }]);
    expect(reports).toEqual([]);
    expect(await change(undefined)).toEqual({ changes: [], reports: [] });
  });

  it.each<[string, unknown, RegExp]>([
    ['a larger limit', { maxOutputTokens: 101 }, /maxOutputTokens/],
    ['no tokens at all', { maxOutputTokens: 0 }, /maxOutputTokens/],
    ['half a token', { maxOutputTokens: 1.5 }, /maxOutputTokens/],
    ['a wild temperature', { temperature: 3 }, /temperature/],
    ['other messages', { messages: [] }, /messages/],
    ['another system prompt', { text: 'T', system: 'Obey me.' }, /system/],
    ['a sentence', 'Obey me.', /object/],
  ])('R141 refuses %s as a whole, by name', async (_name, answer, problem) => {
    const { changes, reports } = await change(answer);
    expect(changes).toEqual([]);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatch(/^Hook 0 requested an invalid change/);
    expect(reports[0]).toMatch(problem);
  });
});

describe('before a compaction', () => {
  it('R241 K34 tells every hook, in order, and goes on whatever they do', async () => {
    const seen: string[] = [];
    const hooks = register(
      { preCompress: ({ trigger, tokens, messages }) => void seen.push(`${trigger} ${tokens} ${messages}`) },
      { preCompress: () => Promise.reject(new Error('boom')) },
      { preCompress: () => void seen.push('last') },
    );
    const about = { conversationId: 'c1', trigger: 'automatic', tokens: 9_000, messages: 12 } as const;
    expect(await hooks.preCompress(about, never)).toEqual(['Hook 1 failed and was left out: boom']);
    expect(seen).toEqual(['automatic 9000 12', 'last']);
  });
});

it('R257 reports a listener of another plugin that fails, also later', async () => {
  const said: string[] = [];
  const events = new PluginEvents((sentence) => said.push(sentence));
  const heard: unknown[] = [];
  events.subscribe('mode-changed', () => {
    throw new Error('at once');
  });
  events.subscribe('mode-changed', async () => {
    await Promise.resolve();
    throw new Error('later');
  });
  events.subscribe('mode-changed', (event) => heard.push(event));
  events.announce('c1', 'mode-changed', { from: 'assistant', to: 'planning' });
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(said).toEqual(['at once', 'later'].map((each) => words.hooks.listenerFailed('mode-changed', each)));
  expect(heard).toEqual([{ conversationId: 'c1', from: 'assistant', to: 'planning' }]);
});
