/** Requests that something is wrong with: each has a stated outcome, and the chat goes on. */
import * as z from 'zod/v4';
import type { Chat } from '../../../../src/core/chat/chat';
import { succeed } from '../../../../src/core/ports/failure';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { interruptedResult } from '../../../../src/core/request/history';
import { formatToolResult } from '../../../../src/core/request/history-text';
import { exceedsWindow } from '../../../../src/core/request/plan-request';
import { factorBounds } from '../../../../src/core/request/token-factor';
import type { EntryBody, Mention } from '../../../../src/core/session/entry';
import { tool } from '../../../../src/core/tools/tool';
import { type ChatBench, chatBench, shown } from '../../../support/chat-bench';
import { entry, result } from '../../../support/entries';
import { fakeVault } from '../../../support/fake-vault';
import { roughTokenizer } from '../../../support/memory-ports';
import {
  call,
  description,
  finish,
  type ScriptedModel,
  type Step,
  say,
  scriptedModel,
} from '../../../support/scripted-model';
import { testTools } from '../../../support/test-tools';

/** A few seconds are enough for ten million characters, on a busy machine too. */
jest.setTimeout(60_000);

const yes: Step[] = [say('Yes.'), finish()];
const window = 64_000;

function benchOf(answers: readonly Step[][], parts: Partial<ChatBench> = {}): ChatBench & { model: ScriptedModel } {
  const model = scriptedModel(answers, { contextWindow: window, cachesPrompts: true });
  return Object.assign(chatBench(parts), { model });
}

async function ask(chat: Chat, text: string, mentions: readonly Mention[] = []): Promise<void> {
  expect((await chat.send(text, mentions)).ok).toBe(true);
  while (chat.current.running) await new Promise((resolve) => setTimeout(resolve, 5));
}

const notes = (paths: readonly string[]): Mention[] => paths.map((id) => ({ kind: 'note', id, label: id }));
const textsOf = ({ messages }: RequestPlan): string[] =>
  messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')));
function planOf(bench: { readonly model: ScriptedModel }, index: number): RequestPlan {
  const plan = bench.model.plans[index];
  if (plan === undefined) throw new Error(`There is no request ${index + 1}.`);
  return plan;
}

/** The next message is sent behind all that was sent before, and answered. */
async function expectToGoOn(chat: Chat, bench: { readonly model: ScriptedModel }): Promise<void> {
  const before = bench.model.plans.at(-1);
  await ask(chat, 'And now?');
  expect(shown(chat.current).slice(-2)).toEqual(['user: And now?', 'answer (complete): Yes.']);
  const after = bench.model.plans.at(-1);
  expect(after).not.toBe(before);
  expect(textsOf(after ?? planOf(bench, 0))).toContain('And now?');
  if (before !== undefined) expect(after?.messages.slice(0, before.messages.length)).toEqual(before.messages);
}

describe('bad input', () => {
  it('a tool result of 10 MB is sent as its two ends and stays within reach whole', async () => {
    const line = 'The barometer stood still all night.\n';
    const whole = `FIRST\n${line.repeat(Math.ceil(10_000_000 / line.length))}LAST`;
    const parameters = () => z.object({ path: z.string() });
    const base = { agent: 'notes', description: 'd', effect: 'reads' } as const;
    const run = () => Promise.resolve(succeed({ text: whole, sources: [] }));
    const read = tool({ ...base, name: 'read', parameters, title: () => 'Read', run });
    const bench = benchOf([[call('a', 'read', { path: 'A.md' }), finish('tool-calls')], yes, yes], {
      kit: { ...testTools(), tools: [read] },
    });
    const chat = await bench.open();
    await ask(chat, 'Read it.');
    const plan = planOf(bench, 1);
    const sent = textsOf(plan).at(-1) ?? '';
    expect(sent).toMatch(
      /^FIRST\n[^]*\n\[\d+ characters are left out here\. Call recall_output with handle "[^"]+" to see it\.\]\n[^]*LAST$/,
    );
    expect(roughTokenizer.count(sent)).toBeLessThanOrEqual(8_200);
    expect(roughTokenizer.count(sent)).toBeGreaterThan(4_000);
    expect(exceedsWindow(plan)).toBe(false);
    expect(bench.store.linesOf('c1').some((stored) => stored.includes('LAST') && stored.length > whole.length)).toBe(
      true,
    );
    await expectToGoOn(chat, bench);
  });

  it('a note larger than the window is shortened and says by how much', async () => {
    const bench = benchOf([yes, yes], { vault: fakeVault({ 'Long.md': 'sea 🌊\n'.repeat(100_000) }) });
    const chat = await bench.open();
    await ask(chat, 'What of it?', notes(['Long.md']));
    const text = textsOf(planOf(bench, 0)).join('\n');
    expect(text).toMatch(
      /\[This note of about [\d,]+ tokens is shown in part, with its beginning; the rest is left out\.\]/,
    );
    expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    expect(exceedsWindow(planOf(bench, 0))).toBe(false);
    await expectToGoOn(chat, bench);
  });

  it('of 5,000 mentions as many are named as there is room for, and the rest is counted', async () => {
    const paths = Array.from({ length: 5_000 }, (_, index) => `A note of some name, number ${index}.md`);
    const bench = benchOf([yes, yes], {
      vault: fakeVault(Object.fromEntries(paths.map((path) => [path, `of ${path}`]))),
    });
    const chat = await bench.open();
    await ask(chat, 'All of these.', notes(paths));
    expect(textsOf(planOf(bench, 0)).join('\n')).toMatch(/number 0\.md\n[^]*… and [\d,]+ more notes\./);
    expect(exceedsWindow(planOf(bench, 0))).toBe(false);
    await expectToGoOn(chat, bench);
  });

  it('R215 a call whose result was lost gets one that says so', async () => {
    const bench = benchOf([[call('a', 'read', { path: 'A.md' }), finish('tool-calls')], yes, yes]);
    // The app ends between the call and its result.
    const isAnswered = (): boolean => bench.store.linesOf('c1').some((line) => line.includes('"k":"assistant"'));
    bench.store.fault = () => (isAnswered() ? 'lost' : 'full');
    await ask(await bench.open(), 'Read it.');
    expect(bench.store.linesOf('c1').join('\n')).not.toContain('text of A.md');
    bench.store.fault = () => 'full';
    bench.model.plans.splice(1);
    const chat = await bench.open();
    await ask(chat, 'Go on.');
    expect(
      planOf(bench, 1)
        .messages.map(({ role }) => role)
        .slice(-3),
    ).toEqual(['assistant', 'tool', 'user']);
    expect(textsOf(planOf(bench, 1))).toContain(interruptedResult);
    await expectToGoOn(chat, bench);
  });

  it('a window that is given too small is refused in words before anything is sent, and set right', async () => {
    const bench = benchOf([yes, yes]);
    const real = bench.model;
    const tight = { ...real, description: { ...description, contextWindow: 1_024 } };
    const chat = await Object.assign(bench, { model: tight }).open();
    const long = 'Is this too much? '.repeat(300);
    await ask(chat, long);
    expect(real.plans).toEqual([]);
    expect(shown(chat.current)).toEqual([`user: ${long}`, 'failure: context-length']);
    Object.assign(bench, { model: real });
    await expectToGoOn(chat, { model: real });
    // A fill level is that of the current window, not of the smaller one before it.
    expect(textsOf(planOf(bench, 0)).join('\n')).not.toContain('<context_status>');
  });

  it('a window that is given too large ends in the words of the provider', async () => {
    const words = { kind: 'context-length', words: 'Too long for the model.', remedy: 'Shorten it.' } as const;
    const bench = benchOf([[{ type: 'failure', failure: words }], yes]);
    const chat = await bench.open();
    await ask(chat, 'Too much?');
    expect(shown(chat.current).at(-1)).toBe('failure: context-length');
    await expectToGoOn(chat, bench);
  });

  it.each([0, 1, 90_000_000])(
    'a report of %s tokens for a request changes no word, and counts little',
    async (tokens) => {
      const learned = new Map<string, number>();
      const { correctFactor } = await import('../../../../src/core/request/token-factor');
      const factors = {
        of: (id: string) => learned.get(id) ?? 1,
        learn: (id: string, reported: number, counted: number) =>
          void learned.set(id, correctFactor(null, reported, counted)?.value ?? 1),
      };
      const absurd: Step[] = [
        say('Yes.'),
        { type: 'finish', reason: 'complete', usage: { inputTokens: tokens, outputTokens: 1 } },
      ];
      const bench = benchOf([absurd, yes], {
        ports: { factors, tokenizer: { count: roughTokenizer.count, exact: true } },
      });
      const chat = await bench.open();
      await ask(chat, 'One?');
      expect(factors.of(description.id)).toBeLessThanOrEqual(factorBounds.most);
      expect(factors.of(description.id)).toBeGreaterThanOrEqual(factorBounds.least);
      await expectToGoOn(chat, bench);
      expect(planOf(bench, 1).system).toBe(planOf(bench, 0).system);
    },
  );
});

it.each(['masked', undefined] as const)('never sends half a character of a result that is cut: %s', (form) => {
  for (const shift of ['', 'x']) {
    const text = shift + '😀'.repeat(4_000);
    const shown = { head: 400 + shift.length, tail: 401 };
    const cut = entry({ ...result('r', text), shown } as EntryBody);
    const sent = formatToolResult(cut as Parameters<typeof formatToolResult>[0], form);
    expect(sent.length).toBeLessThan(text.length);
    expect(sent).toMatch(/\n😀/);
    expect(sent.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')).not.toMatch(/[\ud800-\udfff]/);
  }
});
