import { toolAgentsOf } from '../../../../src/core/context/chat-tools';
import { contextStatusOf, levelOf, tierForWindow } from '../../../../src/core/context/context-window';
import { prepareTurn } from '../../../../src/core/context/prepare-turn';
import { foldTurnMemory, turnContextOf } from '../../../../src/core/context/turn-context';
import { NoteCache } from '../../../../src/core/prompt/facts/attached-notes';
import { sections } from '../../../../src/core/prompt/sections';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { tools } from '../../../../src/core/tools';
import { fakeVault } from '../../../support/fake-vault';
import { roughTokenizer } from '../../../support/memory-ports';
import { description } from '../../../support/scripted-model';
import { device, never, hostState, turnContext } from '../../../support/turn-world';

const kilo = 1024;

describe('tier for a window', () => {
  it.each([
    [1 * kilo, 1],
    [2 * kilo, 1],
    [4 * kilo, 1],
    [4 * kilo + 1, 2],
    [6 * kilo, 2],
    [8 * kilo, 2],
    [12 * kilo, 3],
    [16 * kilo, 3],
    [16 * kilo + 1, 4],
    [20 * kilo, 4],
    [32 * kilo, 4],
    [32 * kilo + 1, 5],
    [48 * kilo, 5],
    [64 * kilo, 5],
    [128 * kilo, 5],
    [1024 * kilo, 5],
  ])('R088 R089 R090 R091 R092 R261 a window of %i tokens is tier %i', (window, tier) => {
    expect(tierForWindow(window)).toBe(tier);
  });
});

const byHand = { ...defaultSettings, compaction: 'manual', contextStatus: 'always' } as const;

describe('context status', () => {
  it.each([
    [0, 'ok'],
    [74.99, 'ok'],
    [75, 'warning'],
    [89.99, 'warning'],
    [90, 'critical'],
    [250, 'critical'],
  ])('K36 %d of 100 is %s', (used, level) => {
    expect(levelOf(used, 100)).toBe(level);
  });

  it('K36 judges the unrounded share', () => {
    const totals = { all: 7_496, window: 10_000, reserve: 0 };
    expect(contextStatusOf(totals, byHand)).toMatchObject({ percentUsed: 75, status: 'ok' });
  });

  it('K36 counts all that a tiny window holds, since nothing is summarised there before it is full', () => {
    const automatic = { ...defaultSettings, contextStatus: 'always' } as const;
    const totals = { all: 2_888, window: 4_096, reserve: 1_024 };
    expect(contextStatusOf(totals, automatic)).toMatchObject({ maxTokens: 3_072, percentUsed: 94, status: 'critical' });
    const larger = { all: 9_613, window: 16_384, reserve: 4_096 };
    expect(contextStatusOf(larger, automatic)).toMatchObject({ maxTokens: 9_830, percentUsed: 98 });
  });

  it('K36 is critical when there is no room at all', () => {
    expect(levelOf(0, 0)).toBe('critical');
    expect(contextStatusOf({ all: 5, window: 10, reserve: 10 }, byHand)).toMatchObject({ percentUsed: 100 });
  });

  it('R145 counts against the window less the reply reserve', () => {
    expect(contextStatusOf({ all: 3_000, window: 5_000, reserve: 1_000 }, byHand)).toEqual({
      usedTokens: 3_000,
      maxTokens: 4_000,
      percentUsed: 75,
      status: 'warning',
      statusMessage: '1000 tokens are left.',
      atLimit: 'left-out',
    });
  });

  it.each([
    ['manual', true, 'left-out'],
    ['manual', false, 'left-out'],
    ['automatic', true, 'saved-and-summarized'],
    ['automatic', false, 'summarized'],
  ] as const)(
    'R148 knows what happens at the limit with %s summaries, state first: %s',
    (compaction, first, atLimit) => {
      const settings = { ...byHand, compaction, saveStateFirst: first };
      for (const window of [4 * kilo, 16 * kilo]) {
        expect(contextStatusOf({ all: 1, window, reserve: 0 }, settings)).toMatchObject({ atLimit });
      }
    },
  );

  it('R145 K36 K23 counts up to the point of compaction where that comes first, at every size of window', () => {
    const totals = { all: 7_200, window: 12_000, reserve: 2_000 };
    const status = contextStatusOf(totals, { ...byHand, compaction: 'automatic' });
    expect(status).toMatchObject({ maxTokens: 8_000, percentUsed: 90, status: 'critical' });
    const large = { all: 60_000, window: 210_000, reserve: 10_000 };
    expect(contextStatusOf(large, { ...byHand, compaction: 'automatic' })).toMatchObject({ maxTokens: 100_000 });
    const capped = { ...byHand, compaction: 'automatic', compactionCap: 50_000 } as const;
    expect(contextStatusOf(large, capped)).toMatchObject({ maxTokens: 50_000, status: 'critical' });
  });

  it.each([
    ['auto', 32 * kilo, true],
    ['auto', 32 * kilo + 1, false],
    ['always', 1024 * kilo, true],
    ['never', 4 * kilo, false],
  ] as const)('R149 with %s and a window of %i it is told: %s', (setting, window, isShown) => {
    expect(contextStatusOf({ all: 1, window, reserve: 0 }, { ...byHand, contextStatus: setting }) !== null).toBe(
      isShown,
    );
  });

  it('R149 is told in a large window once it fills', () => {
    const auto = { ...byHand, contextStatus: 'auto' } as const;
    const at = (all: number) => contextStatusOf({ all, window: 200_000, reserve: 0 }, auto)?.status ?? null;
    expect([at(149_999), at(150_000), at(180_000)]).toEqual([null, 'warning', 'critical']);
  });
});

describe('the state of a chat', () => {
  const choices = {
    model: 'test/scripted',
    mode: 'planning',
    permission: 'review',
    tier: 'auto',
    contextNotes: ['A.md'],
    selectedPrompt: 'P.md',
    selectedWorkspace: null,
    sectionsOff: [],
  } as const;
  const memory = foldTurnMemory([]);
  const state = {
    conversationId: 'c9',
    choices,
    tier: 3,
    rebuilt: false,
    settings: defaultSettings,
    tools,
    servers: [],
    mentions: [],
    editor: null,
    memory,
    hooked: false,
    goal: null,
    lastPlan: null,
    start: device,
    lastDay: null,
    permission: 'read-only',
    review: null,
    compacted: { previousContext: null, activeSkills: [] },
    forms: { sections: {}, notes: {} },
  } as const;

  it('R159 uses the id of the conversation as session id and the workspace as workspace id', () => {
    expect(turnContextOf(state, description)).toMatchObject({
      sessionId: 'c9',
      workspaceId: 'default',
      mode: 'planning',
      contextNotes: ['A.md'],
      selectedPrompt: 'P.md',
    });
    const chosen = { ...state, choices: { ...choices, selectedWorkspace: 'W.md' } };
    expect(turnContextOf(chosen, description)).toMatchObject({ workspaceId: 'W.md', selectedWorkspace: 'W.md' });
  });

  it('R016 takes from the model, not from its window, whether it needs less guidance', () => {
    const isModern = (changes: object): boolean => turnContextOf(state, { ...description, ...changes }).modernModel;
    expect(isModern({ contextWindow: 1_000_000 })).toBe(false);
    expect(isModern({ contextWindow: 8_192, modern: true })).toBe(true);
  });

  it('R154 R160 K20 describes tools in the prompt only when the model has none natively', () => {
    expect(turnContextOf(state, description).toolAgents).toBeNull();
    const agents = turnContextOf(state, { ...description, nativeTools: false }).toolAgents;
    expect(agents?.flatMap((agent) => agent.tools).sort()).toEqual(tools.map(({ name }) => name).sort());
  });

  it('R154 groups the live tools by agent, each with what it is for', () => {
    const agents = toolAgentsOf(tools);
    expect(new Set(agents.map(({ name }) => name)).size).toBe(agents.length);
    for (const agent of agents) expect([agent.name, agent.description.length > 5]).toEqual([agent.name, true]);
  });
});

describe('preparing a turn', () => {
  const ports = (vault = fakeVault({ 'A.md': 'alpha' })) => ({
    vault,
    notes: new NoteCache(vault),
    sections,
    tools,
    tokenizer: roughTokenizer,
    agentFolder: () => 'Docent',
    hostState,
    refresh: () => Promise.resolve(),
  });

  it('freezes the facts: a change of the vault within the turn changes no request', async () => {
    const vault = fakeVault({ 'A.md': 'alpha' });
    const turn = await prepareTurn(ports(vault), description, turnContext({ contextNotes: ['A.md'] }), never);
    const first = await turn.plan([]);
    vault.put('A.md', 'changed');
    vault.put('B.md', 'new');
    expect((await turn.plan([])).system).toBe(first.system);
    expect(first.system).toContain('alpha');
  });

  it('reads each attached note once and nothing else', async () => {
    const vault = fakeVault({ 'A.md': 'alpha', 'B.md': 'beta', 'Docent/prompts/P.md': 'prompt' });
    await prepareTurn(ports(vault), description, turnContext({ contextNotes: ['A.md', 'A.md'] }), never);
    expect(vault.reads).toEqual(['A.md']);
  });

  it('tells nothing of what the app turns out to exclude, however early it was looked at', async () => {
    const vault = fakeVault({ 'A.md': 'alpha', 'Secret.md': 'sesame' });
    const refresh = async (): Promise<void> => {
      await Promise.resolve();
      vault.remove('Secret.md');
    };
    const context = turnContext({ contextNotes: ['Secret.md'], contextWindow: 200_000 });
    const turn = await prepareTurn({ ...ports(vault), refresh }, description, context, never);
    const { system } = await turn.plan([]);
    expect(system).not.toContain('sesame');
    expect(system).toContain('A.md');
  });
});
