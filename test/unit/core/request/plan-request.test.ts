import type { Message } from '../../../../src/core/ports/message';
import type { Block } from '../../../../src/core/ports/request-plan';
import { gatherFacts } from '../../../../src/core/prompt/section';
import { sections } from '../../../../src/core/prompt/sections';
import { acknowledgement } from '../../../../src/core/request/history-text';
import { countMessages, exceedsWindow, type PlanInput, planRequest } from '../../../../src/core/request/plan-request';
import { printPlan } from '../../../../src/core/request/print-plan';
import { tools } from '../../../../src/core/tools';
import { declare } from '../../../../src/core/tools/tool';
import { fakeVault } from '../../../support/fake-vault';
import { roughTokenizer } from '../../../support/memory-ports';
import { description } from '../../../support/scripted-model';
import { never, worldOf } from '../../../support/turn-world';

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const assistant = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });
const writes = (argumentsText: string): Message => ({
  role: 'assistant',
  parts: [{ type: 'tool-call', id: 'call', name: 'create_note', argumentsText }],
});

async function inputOf(changes: Partial<PlanInput> = {}): Promise<PlanInput> {
  const world = worldOf(fakeVault({ 'A.md': 'alpha' }), { contextNotes: ['A.md'] });
  return {
    conversationId: 'c1',
    model: description,
    tier: 3,
    sections,
    facts: await gatherFacts(sections, world, never),
    messages: [user('Hello?')],
    tools,
    tokenizer: roughTokenizer,
    ...changes,
  };
}

describe('planning a request', () => {
  it.each([
    [16_384, false],
    [200_000, true],
  ])('R203 K6 K7 has every block once, in its place, in a window of %i', async (contextWindow, cachesPrompts) => {
    const world = worldOf(fakeVault({ 'A.md': 'alpha', 'B.md': 'beta' }), {
      contextNotes: ['A.md'],
      mentions: [{ kind: 'note', id: 'B.md', label: 'B' }],
    });
    const facts = await gatherFacts(sections, world, never);
    const plan = planRequest(await inputOf({ facts, model: { ...description, contextWindow, cachesPrompts } }));
    const order = plan.blocks.map(({ place }) => place).filter((place, at, all) => place !== all[at - 1]);
    // Nothing of the turn comes before what stays.
    expect(order).toEqual(['system', 'first-message', 'before-message']);
    const textsAt = (place: Block['place']): string[] =>
      plan.blocks.filter((block) => block.place === place && block.text !== '').map(({ text }) => text);
    expect(plan.system).toBe(textsAt('system').join('\n\n'));
    expect(plan.system).toContain('alpha');
    const texts = plan.messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')));
    expect(texts).toEqual([...textsAt('first-message'), 'Hello?']);
    // What goes with a message is stored with it, so a plan adds it to no other.
    expect(textsAt('before-message').join()).toContain('beta');
  });

  it('is pure: equal input gives an equal plan', async () => {
    const input = await inputOf();
    expect(JSON.stringify(planRequest(input))).toBe(JSON.stringify(planRequest({ ...input })));
  });

  it('R022 has an empty system prompt when nothing is to say', async () => {
    expect(planRequest(await inputOf({ sections: [] })).system).toBe('');
  });

  it('declares native tools sorted by name, whatever the order of the list', async () => {
    const forward = planRequest(await inputOf());
    const backward = planRequest(await inputOf({ tools: [...tools].reverse() }));
    const names = forward.tools.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    expect(JSON.stringify(backward.tools)).toBe(JSON.stringify(forward.tools));
    expect(forward.tools[0]?.parameters).toMatchObject({ type: 'object' });
  });

  it('makes the schema of a tool once', () => {
    for (const tool of tools) expect(declare(tool).parameters).toBe(declare(tool).parameters);
  });

  it('declares no tools to a model that has none natively', async () => {
    const plan = planRequest(await inputOf({ model: { ...description, nativeTools: false } }));
    expect(plan.tools).toEqual([]);
    expect(plan.totals.tools).toBe(0);
  });

  it.each([
    [16_384, 2_048, 2_048],
    [16_384, 8_192, 4_096],
    [8_193, 4_096, 2_048],
    [200_000, 64_000, 16_384],
    [200_000, 8_000, 8_000],
  ])(
    'K23 of a window of %i and a limit of %i it keeps %i for the answer',
    async (contextWindow, outputLimit, reserve) => {
      const plan = planRequest(await inputOf({ model: { ...description, contextWindow, outputLimit } }));
      expect(plan.totals.reserve).toBe(reserve);
      expect(plan.maxOutputTokens).toBe(reserve);
    },
  );

  it.each([
    [8_192, 4_096, 1_024, 2_048],
    [4_096, 2_048, 512, 1_024],
    [4_096, 300, 300, 300],
    [2_048, 2_048, 512, 512],
  ])(
    'K23 of a window of %i and a limit of %i it keeps %i, and an answer may use up to %i while they are free',
    async (contextWindow, outputLimit, reserve, most) => {
      const model = { ...description, contextWindow, outputLimit };
      const small = { model, sections: [], tools: [] };
      const empty = planRequest(await inputOf(small));
      expect(empty.totals.reserve).toBe(reserve);
      expect(empty.maxOutputTokens).toBe(most);
      for (const share of [0.7, 0.8, 0.86, 0.9, 1.2]) {
        const text = 'word '.repeat(Math.floor((contextWindow * share * 4) / 5));
        const { totals, maxOutputTokens } = planRequest(await inputOf({ ...small, messages: [user(text)] }));
        const free = contextWindow - totals.all;
        expect(maxOutputTokens).toBeLessThanOrEqual(Math.max(reserve, free));
        expect(maxOutputTokens).toBeGreaterThanOrEqual(Math.min(most, Math.max(reserve, Math.floor(free * 0.9))));
      }
    },
  );

  it.each([
    ['twice the longest answer', [assistant('word '.repeat(320)), assistant('Yes.')], 800],
    ['half at least', [assistant('Yes.')], 512],
    ['no more than usual', [assistant('word '.repeat(2_000))], 1_024],
    ['what a call writes', [assistant('Done.'), writes('word '.repeat(400))], 1_000],
    ['the usual before the first answer', [writes('x')], 1_024],
    ['nothing learned from the reply to a summary', [assistant(acknowledgement)], 1_024],
  ])(
    'K23 a tiny window leaves for the answer what the answers of the chat take: %s',
    async (_name, answers, reserve) => {
      const messages = answers.flatMap((answer) => [user('And?'), answer]);
      const tiny = { model: { ...description, contextWindow: 8_192, outputLimit: 4_096 }, sections: [], tools: [] };
      const plan = planRequest(await inputOf({ ...tiny, messages }));
      expect(Math.abs(plan.totals.reserve - reserve)).toBeLessThanOrEqual(2);
      const large = { ...tiny, model: { ...description, contextWindow: 16_384, outputLimit: 2_048 } };
      expect(planRequest(await inputOf({ ...large, messages })).totals.reserve).toBe(2_048);
    },
  );

  it('adds up every zone, and all of them to the whole', async () => {
    const messages = [user('one'), assistant('two'), user('three three')];
    const { totals, blocks, system, tools: declared } = planRequest(await inputOf({ messages }));
    const inZone = (zone: string) => blocks.reduce((sum, each) => (each.zone === zone ? sum + each.tokens : sum), 0);
    expect(totals.history).toBe(countMessages(messages.slice(0, 2), roughTokenizer));
    expect(totals.turn).toBe(inZone('turn') + countMessages(messages.slice(2), roughTokenizer));
    expect(totals.tools).toBe(roughTokenizer.count(JSON.stringify(declared)));
    expect(totals.all).toBe(totals.instructions + totals.reference + totals.history + totals.turn + totals.tools);
    expect(totals.all).toBeGreaterThan(roughTokenizer.count(system));
    expect(totals.exact).toBe(false);
  });

  it('exceeds the window when request and answer need more than it holds, and not before', async () => {
    const plan = planRequest(await inputOf());
    const fits = { ...plan, totals: { ...plan.totals, all: 100, reserve: 50, window: 150 } };
    expect(exceedsWindow(fits)).toBe(false);
    expect(exceedsWindow({ ...fits, totals: { ...fits.totals, all: 101 } })).toBe(true);
  });

  it('prints everything that is sent', async () => {
    const messages: Message[] = [
      user('Question'),
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Which note?' },
          { type: 'tool-call', id: 'k1', name: 'read_note', argumentsText: '{"path":"A"}' },
        ],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'k1', name: 'read_note', text: 'no note', isError: true }],
      },
    ];
    const plan = planRequest(await inputOf({ messages }));
    const text = printPlan(plan);
    expect(text).toContain(plan.system);
    expect(text).toContain('[call k1] read_note {"path":"A"}');
    expect(text).toContain('[result k1] read_note (error)\nno note');
    expect(text).toContain('=== assistant ===\n[reasoning] Which note?\n\n[call k1]');
    const [block] = plan.blocks;
    const shortened = { ...block!, section: 'files', outcome: 'trimmed', reason: 'over its budget' } as const;
    const lines = printPlan({ ...plan, blocks: [block!, shortened] }).split('\n');
    const [first = '', second = ''] = lines.slice(lines.indexOf('sections:') + 1);
    expect(first).toMatch(new RegExp(`^  ${block!.section} \\(${block!.zone}\\): ≈?\\d+, \\w+$`));
    expect(second).toMatch(/^ {2}files \(\w+\): ≈?\d+, trimmed, over its budget$/);
    for (const { name } of tools) expect(text).toContain(`\n${name}: `);
  });
});
