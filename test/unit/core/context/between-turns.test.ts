/** What changes while a chat runs: taken up between turns, with its reason, and never inside one (K13). */
import * as z from 'zod/v4';
import type { Chat } from '../../../../src/core/chat/chat';
import { createOrchestrator, prepareTurn } from '../../../../src/core/context/prepare-turn';
import { succeed } from '../../../../src/core/ports/failure';
import { NoteCache } from '../../../../src/core/prompt/facts/attached-notes';
import { sections } from '../../../../src/core/prompt/sections';
import type { PromptRebuilt } from '../../../../src/core/session/entry';
import { defaultSettings, type Settings } from '../../../../src/core/settings/settings';
import { type Tool, tool } from '../../../../src/core/tools/tool';
import { type ChatBench, chatBench, rested, until } from '../../../support/chat-bench';
import { fakeVault } from '../../../support/fake-vault';
import { roughTokenizer } from '../../../support/memory-ports';
import {
  breakOff,
  call,
  description,
  finish,
  type ScriptedModel,
  type Step,
  say,
  scriptedModel,
} from '../../../support/scripted-model';
import { device, promptSettings, hostState, turnContext } from '../../../support/turn-world';

type Bench = ChatBench & { model: ScriptedModel };

const window = { contextWindow: 200_000, cachesPrompts: true } as const;
const answer = (): Step[] => [say('Fine.'), finish()];

/** A turn of two requests, with something that happens before its first answer, and two turns after it. */
function benchOf(beforeAnswer: (bench: Bench) => void, files: Record<string, string> = {}): Bench {
  const bench: Bench = Object.assign(chatBench({ vault: fakeVault({ 'A.md': 'alpha', ...files }) }), {
    model: scriptedModel(
      [
        [() => beforeAnswer(bench), call('a', 'read', { path: 'A.md' }), finish('tool-calls')],
        answer(),
        answer(),
        answer(),
      ],
      window,
    ),
  });
  return bench;
}

async function ask(chat: Chat): Promise<void> {
  await chat.send('q', []);
  await until(chat, rested);
}

const systems = ({ model }: Bench): string[] => model.plans.map(({ system }) => system);
const declared = ({ model }: Bench): string[][] => model.plans.map(({ tools }) => tools.map(({ name }) => name));
const reasons = ({ store }: ChatBench): string[][] =>
  store
    .linesOf('c1')
    .map((line) => JSON.parse(line) as { k: string; b: PromptRebuilt })
    .filter(({ k }) => k === 'prompt-rebuilt')
    .map(({ b }) => [...b.reasons]);

afterEach(() => jest.restoreAllMocks());

/** Changes settings in both places that the prompt reads: the settings of the chat and those of its facts. */
function change(bench: Bench, part: Partial<Settings>): void {
  bench.settings = { ...bench.settings, ...part };
  jest.spyOn(hostState, 'settings').mockReturnValue({ ...promptSettings, ...part });
}

it.each([
  [
    'a setting',
    'additional-instructions',
    'British spelling.',
    (bench: Bench) => change(bench, { additionalInstructions: 'British spelling.' }),
  ],
  [
    'the memory note',
    'user-memory',
    'Likes coffee.',
    (bench: Bench) => bench.vault.put('Docent/memory.md', 'Likes coffee.'),
  ],
  [
    'the conventions of the vault',
    'project-context',
    'New rules.',
    (bench: Bench) => bench.vault.put('AGENTS.md', 'New rules.'),
  ],
] as const)('R255 %s that changes during a turn is told from the next one on, with its reason', async (...row) => {
  const [, reason, added, beforeAnswer] = row;
  const bench = benchOf(beforeAnswer, { 'Docent/memory.md': 'Likes tea.' });
  const chat = await bench.open();
  await ask(chat);
  expect(systems(bench)).toHaveLength(2);
  expect(systems(bench)[1]).toBe(systems(bench)[0]);
  await ask(chat);
  await ask(chat);
  expect(systems(bench).map((system) => system.includes(added))).toEqual([false, false, true, true]);
  expect(reasons(bench)).toHaveLength(2);
  expect(reasons(bench)[1]?.join()).toContain(reason);
});

it('pinned notes are written again for a smaller window that the user sets', async () => {
  const notes = ['P.md', 'Q.md', 'R.md'];
  const bench = benchOf(() => undefined, Object.fromEntries(notes.map((path) => [path, 'A long day. '.repeat(3_000)])));
  const chat = await bench.open();
  await chat.choose({ contextNotes: notes });
  await ask(chat);
  const smaller = scriptedModel([answer(), answer()], { ...window, contextWindow: 40_000 });
  Object.assign(bench, { model: smaller });
  change(bench, { contextWindow: 40_000 });
  await ask(chat);
  await ask(chat);
  const [first, second] = smaller.plans;
  expect(first!.totals.reference).toBeLessThan(0.4 * 40_000);
  expect(first!.totals.all + first!.totals.reserve).toBeLessThan(40_000);
  expect(second!.system).toBe(first!.system);
});

it('R107 a message that is sent again after the mode was changed is told of it, once', async () => {
  const failed: Step[] = [breakOff({ kind: 'network', words: 'Offline.', remedy: '' })];
  const model = scriptedModel([failed, failed, failed, answer(), answer(), answer()], window);
  const bench: Bench = Object.assign(chatBench(), { model });
  const chat = await bench.open();
  const notices = (): number =>
    JSON.stringify(model.plans.at(-1)?.messages).split('The user changed the mode of this chat').length - 1;
  const again = async (): Promise<number> => {
    chat.resend();
    await until(chat, rested);
    return notices();
  };
  await chat.send('q', [{ kind: 'note', id: 'A.md', label: 'A' }]);
  await until(chat, rested);
  const before = notices();
  await chat.choose({ mode: 'planning' });
  const told = [await again(), await again()];
  await chat.choose({ mode: 'assistant' });
  told.push(await again());
  await ask(chat);
  expect([before, ...told, notices()]).toEqual([0, 1, 1, 2, 2]);
  expect(JSON.stringify(model.plans.at(-1)?.messages).split('alpha')).toHaveLength(2);
  // So is one that is answered again.
  await chat.choose({ mode: 'developer' });
  await chat.answerAgain(chat.current.items.find(({ type }) => type === 'user')?.id ?? '');
  await until(chat, rested);
  const sent = JSON.stringify(model.plans.at(-1)?.messages);
  expect([sent.includes('from Assistant to Builder'), sent.split('alpha').length - 1, notices()]).toEqual([true, 1, 1]);
});

it('R255 another model is asked from the next turn on, and is the reason of the new prompt', async () => {
  const other = scriptedModel([answer()], { ...window, id: 'test/other' });
  const bench = benchOf((own) => {
    own.models.set('test/other', succeed(other));
    own.settings = { ...own.settings, model: 'test/other' };
  });
  const chat = await bench.open();
  await ask(chat);
  expect([bench.model.plans.length, other.plans.length]).toEqual([2, 0]);
  await ask(chat);
  expect([bench.model.plans.length, other.plans.length]).toEqual([2, 1]);
  expect(reasons(bench)[1]).toContain('model');
});

it('R255 another way of approving changes is told from the next turn on', async () => {
  const bench = benchOf(() => void chat.choose({ permission: 'read-only' }));
  Object.assign(bench.ports, { pendingReview: () => null });
  const chat = await bench.open();
  await ask(chat);
  expect(systems(bench)[1]).toBe(systems(bench)[0]);
  await ask(chat);
  const modes = systems(bench).map((system) => /Permission mode ([\w -]+):/.exec(system)?.[1]);
  expect([modes[0] === modes[2], modes[2]]).toEqual([false, 'Read only']);
  expect(reasons(bench)[1]?.join()).toContain('permission');
});

it('R255 another way of approving changes is a reason of its own', async () => {
  const vault = fakeVault({});
  const ports = {
    vault,
    notes: new NoteCache(vault),
    sections,
    tools: [],
    tokenizer: roughTokenizer,
    agentFolder: () => 'Docent',
    hostState: { settings: () => promptSettings, device: () => device, editor: () => null },
    refresh: () => Promise.resolve(),
  };
  const orchestrator = createOrchestrator(ports);
  const { signal } = new AbortController();
  const first = await prepareTurn(ports, description, turnContext({ permissionMode: 'review' }), signal, {
    orchestrator,
  });
  const again = { orchestrator, current: first.prompt };
  const same = await prepareTurn(ports, description, turnContext({ permissionMode: 'review' }), signal, again);
  expect(same.change).toBeNull();
  const { change: changed } = await prepareTurn(
    ports,
    description,
    turnContext({ permissionMode: 'auto-edit' }),
    signal,
    again,
  );
  expect(changed?.sections).toContain('permissions');
  expect(changed?.reasons).toEqual(['turn-state.permissionMode']);
});

describe('the tools of a chat', () => {
  const ran: string[] = [];
  const brought = (name: string): Tool =>
    tool({
      name,
      agent: 'notes',
      description: 'From an MCP server.',
      effect: 'reads',
      parameters: () => z.object({}),
      title: () => name,
      run: () => {
        ran.push(name);
        return Promise.resolve(succeed({ text: `${name} ran`, sources: [] }));
      },
    });
  const setTools = (bench: Bench, tools: readonly Tool[]): unknown => Object.assign(bench.kit, { tools });

  beforeEach(() => void ran.splice(0));

  it('R256 are sent sorted by name, whatever order they came in', async () => {
    const bench = benchOf(() => undefined);
    const own = bench.kit.tools;
    setTools(bench, [brought('zebra'), ...own, brought('ant')]);
    await ask(await bench.open());
    expect(declared(bench)[0]).toEqual(['ant', 'break', 'hang', 'read', 'refuse', 'zebra']);
  });

  it('R256 stay as they are within a turn: what comes is offered by the next one', async () => {
    const bench: Bench = benchOf((own) => setTools(own, [...own.kit.tools, brought('ant')]));
    const chat = await bench.open();
    const heard: unknown[] = [];
    chat.context.subscribe('active-tools-updated', (tools) => void heard.push([...tools].sort()));
    await ask(chat);
    expect(declared(bench)[1]).toEqual(declared(bench)[0]);
    expect(heard).toEqual([]);
    await ask(chat);
    expect(declared(bench)[2]).toEqual(['ant', 'break', 'hang', 'read', 'refuse']);
    expect(heard).toEqual([['ant', 'break', 'hang', 'read', 'refuse']]);
  });

  it('R256 that come while a turn is being prepared cannot be called in it', async () => {
    const bench = benchOf(() => undefined);
    bench.model = scriptedModel(
      [[call('a', 'ant'), finish('tool-calls')], answer(), [call('b', 'ant'), finish('tool-calls')], answer()],
      window,
    );
    const late = (): void => {
      if (bench.kit.tools.length === 4) setTools(bench, [...bench.kit.tools, brought('ant')]);
    };
    Object.assign(bench.ports, { refresh: () => Promise.resolve(late()) });
    const chat = await bench.open();
    await ask(chat);
    expect(declared(bench)[0]).not.toContain('ant');
    expect(ran).toEqual([]);
    await ask(chat);
    expect(declared(bench)[2]).toContain('ant');
    expect(ran).toEqual(['ant']);
  });

  it('R255 R256 that go are told as the reason where the prompt names them', async () => {
    const bench = benchOf((own) => setTools(own, own.kit.tools.slice(1)));
    Object.assign(bench.model.description, { nativeTools: false });
    const chat = await bench.open();
    const heard: unknown[] = [];
    chat.context.subscribe('system-prompt-updated', (event) => void heard.push(event.reasons));
    await ask(chat);
    heard.splice(0);
    await ask(chat);
    expect(systems(bench).map((system) => /Tools: read,/.test(system))).toEqual([true, true, false]);
    expect(heard).toEqual([expect.arrayContaining([expect.stringContaining('tool')])]);
    expect(reasons(bench)[1]?.join()).toContain('tool');
  });
});

it('R255 what is undone before the next turn changes nothing', async () => {
  const bench = benchOf((own) => change(own, { additionalInstructions: 'British spelling.' }));
  const chat = await bench.open();
  await ask(chat);
  change(bench, { additionalInstructions: defaultSettings.additionalInstructions });
  await ask(chat);
  expect(new Set(systems(bench)).size).toBe(1);
  expect(reasons(bench)).toEqual([['start']]);
});
