/** The system prompt of a chat from its first turn on: pinned, rewritten only for a reason that is shown and recorded. */
import type { Chat } from '../../../../src/core/chat/chat';
import { createOrchestrator } from '../../../../src/core/context/prepare-turn';
import type { ContextEvents } from '../../../../src/core/hooks/context-events';
import { escapeText } from '../../../../src/core/markup/escapes';
import type { Message } from '../../../../src/core/ports/message';
import type { ModeId, Tier } from '../../../../src/core/settings/mode';
import { fullRecord, offersOf } from '../../../../src/core/prompt/template-record';
import { builtInTemplates, TieredPromptStore } from '../../../../src/core/prompt/tiered-prompt-store';
import type { PromptRebuilt } from '../../../../src/core/session/entry';
import { defaultSettings } from '../../../../src/core/settings/settings';
import type { Tool } from '../../../../src/core/tools/tool';
import { type ChatBench, chatBench, rested, until } from '../../../support/chat-bench';
import { fakeVault } from '../../../support/fake-vault';
import { call, finish, type ScriptedModel, type Step, say, scriptedModel } from '../../../support/scripted-model';
import { device, hostState } from '../../../support/turn-world';

/** What the template of a mode says in these chats, which have none of the tools that templates ask for. */
function templateHere(mode: ModeId, tier: Tier): string | undefined {
  return builtInTemplates.get(mode, tier, { ...fullRecord(tier, mode), offers: offersOf({ toolNames: ['other'] }) });
}

const big = { contextWindow: 200_000, cachesPrompts: true } as const;
const answers = (count: number): Step[][] => Array.from({ length: count }, () => [say('Fine.'), finish()]);

type Bench = ChatBench & { model: ScriptedModel };

function benchOf(model: Partial<ScriptedModel['description']> = big, files: Record<string, string> = {}): Bench {
  const bench = chatBench({ vault: fakeVault({ 'A.md': 'alpha', ...files }) });
  return Object.assign(bench, { model: scriptedModel(answers(6), model) });
}

async function ask(chat: Chat, text = 'q'): Promise<void> {
  await chat.send(text, []);
  await until(chat, rested);
}

const textsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')));
const systems = ({ model }: Bench): string[] => model.plans.map(({ system }) => system);
const rebuilds = ({ store }: ChatBench): Omit<PromptRebuilt, 'kind' | 'head'>[] =>
  store
    .linesOf('c1')
    .map((line) => JSON.parse(line) as { k: string; b: Omit<PromptRebuilt, 'kind'> })
    .filter(({ k }) => k === 'prompt-rebuilt')
    .map(({ b: { head: _head, ...rest } }) => rest);
const reasons = (bench: ChatBench): string[][] => rebuilds(bench).map((entry) => [...entry.reasons]);

const names = [
  'system-prompt-updated',
  'mode-changed',
  'active-skills-updated',
  'active-tools-updated',
  'active-hooks-updated',
  'active-mcp-updated',
] as const satisfies readonly (keyof ContextEvents)[];

function listen(chat: Chat): [string, unknown][] {
  const heard: [string, unknown][] = [];
  for (const name of names) chat.context.subscribe(name, (event: unknown) => void heard.push([name, event]));
  return heard;
}

afterEach(() => jest.restoreAllMocks());

describe('the start of a chat', () => {
  it.each([
    ['desktop', 200_000, 5],
    ['mobile', 200_000, 4],
    ['mobile', 8_192, 2],
  ] as const)(
    'R105 on %s with a window of %i begins at tier %i, as assistant, without skills and goal',
    async (...row) => {
      const [platform, contextWindow, tier] = row;
      jest.spyOn(hostState, 'device').mockReturnValue({ ...device, platform });
      const bench = benchOf({ contextWindow });
      const chat = await bench.open();
      expect([chat.context.getPromptTier(), chat.context.systemPrompt]).toEqual([null, '']);
      await ask(chat);
      expect(chat.context.getPromptTier()).toBe(tier);
      expect(systems(bench)[0]).toContain(templateHere('assistant', tier));
      expect(systems(bench)[0]).not.toMatch(/<(active_goal|active_skills)/);
      expect(rebuilds(bench)).toMatchObject([{ reasons: ['start'], tier, automatic: true, model: 'test/scripted' }]);
    },
  );

  it('R105 R106 R257 tells of the first prompt with its tokens, and of nothing else', async () => {
    const bench = benchOf();
    const chat = await bench.open();
    const heard = listen(chat);
    await ask(chat);
    const { blocks = [], totals } = bench.model.plans[0] ?? {};
    const head = blocks.filter(({ place, text }) => text !== '' && !/before|after/.test(place));
    const tokens = (totals?.instructions ?? 0) + (totals?.reference ?? 0);
    const sections = [...new Set(head.map(({ section }) => section))];
    expect(heard).toEqual([['system-prompt-updated', { sections, reasons: ['start'], tokens }]]);
    expect(sections).toEqual(expect.arrayContaining(['core-mandates', 'vault-listing']));
    expect(rebuilds(bench)[0]?.sections).toEqual(sections);
  });
});

describe('the system prompt of a chat', () => {
  it('R002 R026 is what every request of a turn is sent with, whatever tools do meanwhile', async () => {
    const bench = benchOf();
    bench.model = scriptedModel(
      [
        [call('a', 'read', { path: 'A.md' }), finish('tool-calls')],
        [() => bench.vault.put('AGENTS.md', 'New rules.'), call('b', 'read', { path: 'A.md' }), finish('tool-calls')],
        [say('Done.'), finish()],
        ...answers(1),
      ],
      big,
    );
    const chat = await bench.open();
    await ask(chat);
    expect(new Set(systems(bench)).size).toBe(1);
    expect(systems(bench)[0]).toBe(chat.context.systemPrompt);
    await ask(chat);
    expect(systems(bench)[3]).toBe(chat.context.systemPrompt);
    expect(systems(bench)[3]).toContain('New rules.');
  });

  it('R007 K13 stays, without event and record, while nothing that it tells of changes', async () => {
    const bench = benchOf();
    const chat = await bench.open();
    await ask(chat);
    const heard = listen(chat);
    await ask(chat);
    await ask(chat);
    expect(new Set(systems(bench)).size).toBe(1);
    expect(heard).toEqual([]);
    expect(reasons(bench)).toEqual([['start']]);
  });

  it('R007 R254 K13 takes up an edit of the memory note at the next turn, and says so once', async () => {
    const bench = benchOf(big, { 'Docent/memory.md': 'Likes tea.' });
    const chat = await bench.open();
    await ask(chat);
    const heard = listen(chat);
    bench.vault.put('Docent/memory.md', 'Likes coffee.');
    expect(chat.context.systemPrompt).toContain('Likes tea.');
    await ask(chat);
    await ask(chat);
    expect(systems(bench).map((system) => system.includes('Likes coffee.'))).toEqual([false, true, true]);
    expect(heard).toMatchObject([['system-prompt-updated', { sections: ['user-memory'], reasons: ['user-memory'] }]]);
    expect(rebuilds(bench)[1]).toMatchObject({ sections: ['user-memory'], reasons: ['user-memory'] });
    expect(rebuilds(bench)).toHaveLength(2);
  });

  it('K13 names what changed between two sessions, and records nothing when nothing did', async () => {
    const bench = benchOf(big, { 'Docent/memory.md': 'Likes tea.' });
    await ask(await bench.open());
    await ask(await bench.open());
    expect(rebuilds(bench)).toHaveLength(1);
    bench.vault.put('Docent/memory.md', 'Likes coffee.');
    await ask(await bench.open());
    expect(rebuilds(bench)[1]).toMatchObject({ sections: ['user-memory'], reasons: ['reopened'] });
  });

  it('R254 has nothing to update before the first turn, and tells the reason afterwards', async () => {
    const bench = benchOf(big, { 'Docent/memory.md': 'Likes tea.' });
    const chat = await bench.open();
    const heard = listen(chat);
    chat.context.updateSystemInstruction('too early');
    await ask(chat);
    expect(reasons(bench)).toEqual([['start']]);
    expect(heard).toMatchObject([['system-prompt-updated', { reasons: ['start'] }]]);
    chat.context.updateSystemInstruction('memory edited');
    bench.vault.put('Docent/memory.md', 'Likes coffee.');
    await ask(chat);
    expect(reasons(bench)[1]).toEqual(['memory edited', 'user-memory']);
  });

  it('leaves everything as it was when a request is only shown', async () => {
    const bench = benchOf();
    const chat = await bench.open();
    const heard = listen(chat);
    await chat.preview('What if?', [], new AbortController().signal);
    expect([chat.context.systemPrompt, chat.context.getPromptTier(), heard]).toEqual(['', null, []]);
  });

  it.each([
    [16_384, false],
    [200_000, true],
  ])(
    'K1 K13 stays as it is when a message attaches a note, in a window of %i',
    async (contextWindow, cachesPrompts) => {
      const bench = benchOf({ contextWindow, cachesPrompts });
      const chat = await bench.open();
      await ask(chat);
      await chat.send('q', [{ kind: 'note', id: 'A.md', label: 'A' }]);
      await until(chat, rested);
      await ask(chat);
      const hasNote = bench.model.plans.map(({ messages }) => JSON.stringify(messages).includes('alpha'));
      expect(hasNote).toEqual([false, true, true]);
      expect(new Set(systems(bench)).size).toBe(1);
      expect(reasons(bench)).toEqual([['start']]);
    },
  );
});

describe('the tier of a chat', () => {
  it('R094 is one: what the chat is pinned to is what its prompts have', async () => {
    const bench = benchOf();
    const chat = await bench.open();
    await ask(chat);
    for (const tier of [1, 4] as const) {
      await chat.choose({ tier });
      await ask(chat);
      expect([chat.context.getPromptTier(), chat.context.selectedTier]).toEqual([tier, tier]);
      expect(systems(bench).at(-1)).toContain(templateHere('assistant', tier));
    }
    expect(rebuilds(bench).map(({ tier, automatic }) => [tier, automatic])).toEqual([
      [5, true],
      [1, false],
      [4, false],
    ]);
    expect(reasons(bench)[1]).toContain('tier');
  });

  it('R096 K3 does not flip when the window is found to be another, in this session or a later one', async () => {
    const bench = benchOf({ contextWindow: 16_384 });
    const chat = await bench.open();
    await ask(chat);
    bench.model = scriptedModel(answers(3), { contextWindow: 20_480 });
    await ask(chat);
    await ask(await bench.open());
    expect(systems(bench)).toHaveLength(2);
    for (const system of systems(bench)) expect(system).toContain(templateHere('assistant', 3));
    expect(chat.context.getPromptTier()).toBe(3);
  });

  it('R096 K3 may change at a compaction, and is recorded then', async () => {
    const bench = benchOf({ contextWindow: 16_384 });
    const chat = await bench.open();
    await ask(chat);
    bench.model = scriptedModel(answers(3), { contextWindow: 20_480 });
    chat.context.repin();
    await ask(chat);
    await ask(chat);
    expect(chat.context.getPromptTier()).toBe(4);
    expect(reasons(bench)).toHaveLength(2);
    expect(reasons(bench)[1]).toEqual(expect.arrayContaining(['tier', 'compaction']));
  });

  it('R095 K3 follows another model and a window that the user sets', async () => {
    const bench = benchOf({ contextWindow: 16_384 });
    const chat = await bench.open();
    await ask(chat);
    bench.model = scriptedModel(answers(3), { id: 'test/other', contextWindow: 8_192 });
    await ask(chat);
    expect(chat.context.getPromptTier()).toBe(2);
    expect(reasons(bench)[1]).toEqual(expect.arrayContaining(['model', 'tier']));
    bench.settings = { ...defaultSettings, contextWindow: 4_096 };
    bench.model = scriptedModel(answers(3), { id: 'test/other', contextWindow: 4_096 });
    await ask(chat);
    expect(chat.context.getPromptTier()).toBe(1);
  });
});

describe('the events of a chat', () => {
  it.each([
    [16_384, false, 3],
    [200_000, true, 5],
  ] as const)(
    'R257 R107 K4 report a new mode at the turn that applies it, and keep the head, in a window of %i',
    async (contextWindow, cachesPrompts, tier) => {
      const bench = benchOf({ contextWindow, cachesPrompts });
      const chat = await bench.open();
      await ask(chat);
      const heard = listen(chat);
      await chat.choose({ mode: 'planning' });
      expect(heard).toEqual([]);
      await ask(chat);
      await ask(chat);
      expect(heard).toEqual([['mode-changed', { from: 'assistant', to: 'planning' }]]);
      expect(chat.context.getPromptTier()).toBe(tier);
      expect(new Set(systems(bench)).size).toBe(1);
      expect(systems(bench)[0]).toContain(templateHere('assistant', tier));
      const [firstLine = ''] = templateHere('planning', tier)?.split('\n') ?? [];
      const notices = bench.model.plans.map(
        ({ messages }) =>
          textsOf(messages).filter((text) => text.includes('The user changed the mode of this chat')).length,
      );
      expect(notices).toEqual([0, 1, 1]);
      expect(textsOf(bench.model.plans[1]?.messages.slice(-1) ?? []).join('\n')).toContain(escapeText(firstLine));
    },
  );

  it('K4 take the mode into the head when it is written anew in any case: for another model', async () => {
    const bench = benchOf();
    const chat = await bench.open();
    await ask(chat);
    await chat.choose({ mode: 'debugger' });
    await ask(chat);
    bench.model = scriptedModel(answers(2), { ...big, id: 'test/other' });
    await ask(chat);
    await ask(chat);
    for (const system of systems(bench)) expect(system).toContain(templateHere('debugger', 5));
    expect(systems(bench)).toHaveLength(2);
    expect(JSON.stringify(bench.model.plans[1]?.messages).split('The user changed the mode of this chat')).toHaveLength(
      2,
    );
  });

  it('K4 take the mode into the head when it is written anew in any case: for another tier', async () => {
    const bench = benchOf();
    const chat = await bench.open();
    await ask(chat);
    await chat.choose({ mode: 'planning', tier: 3 });
    await ask(chat);
    await ask(chat);
    for (const system of systems(bench).slice(1)) expect(system).toContain(templateHere('planning', 3));
    // The head has the template, so the message only names the mode.
    const [firstLine = ''] = templateHere('planning', 3)?.split('\n') ?? [];
    const texts = bench.model.plans.flatMap(({ messages }) => textsOf(messages));
    expect(texts.filter((text) => text.includes(escapeText(firstLine)))).toEqual([]);
    expect(new Set(systems(bench)).size).toBe(2);
  });

  it('R257 tell of hooks and tools that came or went', async () => {
    const bench = benchOf();
    const chat = await bench.open();
    await ask(chat);
    const heard = listen(chat);
    const release = bench.hooks.register({ id: 'tide', label: 'Tides' });
    await ask(chat);
    release();
    await ask(chat);
    const about = (name: string): unknown[] => heard.filter(([each]) => each === name).map(([, event]) => event);
    expect(about('active-hooks-updated')).toEqual([['tide'], []]);
    expect(about('system-prompt-updated')).toMatchObject([
      { reasons: ['turn-state.hooked'] },
      { reasons: ['turn-state.hooked'] },
    ]);
    (bench.kit.tools as Tool[]).pop();
    await ask(chat);
    expect(about('active-tools-updated')).toEqual([bench.kit.tools.map(({ name }) => name)]);
    expect([...about('active-skills-updated'), ...about('active-mcp-updated')]).toEqual([]);
  });

  it('R257 tell of a skill whose text came with a message', async () => {
    const path = 'Docent/skills/tides/SKILL.md';
    const bench = benchOf(big, { [path]: '---\nname: tides\ndescription: Reads tides.\n---\nHigh water first.' });
    const chat = await bench.open();
    await ask(chat);
    const heard = listen(chat);
    await chat.send('When is high water?', [{ kind: 'skill', id: path, label: 'tides' }]);
    await until(chat, rested);
    await ask(chat);
    expect(heard.filter(([name]) => name === 'active-skills-updated')).toEqual([['active-skills-updated', [path]]]);
  });

  it('R257 end with the release, and with the chat', async () => {
    const bench = benchOf({ contextWindow: 16_384 });
    const chat = await bench.open();
    let count = 0;
    const release = chat.context.subscribe('system-prompt-updated', () => void (count += 1));
    await ask(chat);
    release();
    await chat.choose({ tier: 1 });
    await ask(chat);
    expect(count).toBe(1);
    const heard = listen(chat);
    chat.close();
    await chat.choose({ tier: 2 });
    await chat.send('q', []);
    await until(chat, rested);
    expect(heard).toEqual([]);
  });
});

describe('the orchestrator of a chat', () => {
  it('R005 R104 notes which template stood in for the one that was asked for', () => {
    const store = new TieredPromptStore();
    store.load([{ id: 'assistant', templates: { 3: 'Stand-in.' } }]);
    const notes: string[] = [];
    const note = (words: string): void => void notes.push(words);
    const orchestrator = createOrchestrator({ vault: fakeVault({}), sections: [], templates: store, note });
    expect(orchestrator.getSystemPromptForTierAndMode('planning', 5)).toBe('Stand-in.');
    expect(notes).toEqual(['Planner has no template for level 5. Docent uses that of Assistant at level 3.']);
    orchestrator.getSystemPromptForTierAndMode('assistant', 3);
    expect(notes).toHaveLength(1);
  });
});
