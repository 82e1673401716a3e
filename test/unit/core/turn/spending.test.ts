/** What a chat may cost, and what becomes of a request that a server finds too long. */
import type { Chat } from '../../../../src/core/chat/chat';
import { tools } from '../../../../src/core/tools';
import { type ModelEvent, type Prices } from '../../../../src/core/ports/model';
import { chatBench, until } from '../../../support/chat-bench';
import { breakOff, call, finish, say, scriptedModel } from '../../../support/scripted-model';
import { longBench, longModel, snapshotText, stored, talk } from '../context/compaction/long-chat';
import { eventually } from '../../eventually';
import { ask, asking, isInner, resultsIn, subagentBench } from './subagent-bench';

const prices: Prices = { input: 1_000, output: 1_000, date: '2026-11-20' };
const paid = (cost: number): ModelEvent => ({
  type: 'finish',
  reason: 'complete',
  usage: { inputTokens: 10, outputTokens: 5, cost },
});
const rested = ({ running, items }: { running: boolean; items: readonly unknown[] }): boolean =>
  !running && items.length > 1;

function benchWith(answers: Parameters<typeof scriptedModel>[0], settings: object, model = { prices } as object) {
  const scripted = scriptedModel(answers, model);
  const bench = Object.assign(chatBench({}), { model: scripted });
  bench.settings = { ...bench.settings, ...settings };
  return { bench, scripted };
}

describe('the limit of a chat', () => {
  it('R231 sends nothing that would cost more, and says how much it was', async () => {
    const { bench, scripted } = benchWith(
      [
        [say('Yes.'), paid(5.9)],
        [say('never'), paid(1)],
      ],
      { spendingLimit: 6 },
    );
    const chat = await bench.open();
    await chat.send('a', []);
    await until(chat, rested);
    expect(scripted.plans).toHaveLength(1);
    await chat.send('b', []);
    const { items } = await until(chat, ({ running, items: all }) => !running && all.at(-1)?.type === 'failure');
    expect(scripted.plans).toHaveLength(1);
    const last = items.at(-1);
    if (last?.type !== 'failure') throw new Error('There is no failure.');
    expect(last.failure).toMatchObject({ kind: 'limit', action: 'open-settings' });
    expect(last.failure.words).toContain('This chat has cost $5.90');
    expect(last.failure.words).toContain('your limit is $6.00');
    expect(items.map((item) => (item.type === 'answer' ? (item.usage?.cost ?? 0) : 0))).toEqual([0, 5.9, 0, 0]);
  });

  it('counts what was spent before the chat was opened again', async () => {
    const { bench, scripted } = benchWith([[say('Yes.'), paid(5.9)], [say('never')]], { spendingLimit: 6 });
    const first = await bench.open();
    await first.send('a', []);
    await until(first, rested);
    const again = await bench.open();
    await again.send('b', []);
    await until(again, ({ running, items }) => !running && items.at(-1)?.type === 'failure');
    expect(scripted.plans).toHaveLength(1);
  });

  it('R231 holds in sub-agents as well, with what they have cost so far', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, cost: 2 };
    const bench = subagentBench(
      asking({ generalist: 'Find the leak.' }, (plan) =>
        resultsIn(plan).length === 0
          ? [call('r', 'read_note', { path: 'Boats/Heron.md' }), { type: 'finish', reason: 'tool-calls', usage }]
          : [say('It leaks.'), finish()],
      ),
      {},
      { prices: { input: 0.001, output: 0.001, date: null } },
    );
    bench.settings = { ...bench.settings, spendingLimit: 1 };
    const { calls } = await ask(bench);
    expect(bench.model.plans.filter(isInner)).toHaveLength(1);
    expect(calls[0]?.result?.text).toContain('your limit is $1.00');
    expect(bench.model.plans).toHaveLength(2);
  });

  it('R231 counts what sub-agents cost that run together', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, cost: 0.6 };
    const tasks = { generalist: 'Find the leak.', 'vault-investigator': 'Find the pump.' };
    const bench = subagentBench(
      asking(tasks, () => [
        call('r', 'read_note', { path: 'Boats/Heron.md' }),
        { type: 'finish', reason: 'tool-calls', usage },
      ]),
      {},
      { prices: { input: 0.001, output: 0.001, date: null } },
    );
    bench.settings = { ...bench.settings, spendingLimit: 1 };
    const { chat, calls } = await ask(bench);
    expect(bench.model.plans.filter(isInner)).toHaveLength(2);
    for (const { result } of calls) expect(result?.text).toContain('This chat has cost $1.20');
    expect(chat.current.spent).toBe(1.2);
  });

  it('R231 counts what a sub-agent has cost so far when another request of the chat is paid meanwhile', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, cost: 2 };
    let chat: Chat | null = null;
    const offered = tools.map((tool) => ({
      ...tool,
      run: async (...given: Parameters<typeof tool.run>) => {
        // Such as the one for a title.
        const paidFor = { inputTokens: 10, outputTokens: 5, cost: 0.1 };
        if (tool.name === 'read_note')
          await chat?.annotate({ kind: 'request-beside', model: 'test/scripted', usage: paidFor });
        return tool.run(...given);
      },
    }));
    const bench = subagentBench(
      asking({ generalist: 'Find the leak.' }, () => [
        call('r', 'read_note', { path: 'Boats/Heron.md' }),
        { type: 'finish', reason: 'tool-calls', usage },
      ]),
      {},
      { prices: { input: 0.001, output: 0.001, date: null } },
      offered,
    );
    bench.settings = { ...bench.settings, spendingLimit: 1 };
    chat = await bench.open();
    await chat.send('Which boat leaks?', []);
    await until(chat, rested);
    expect(bench.model.plans.filter(isInner)).toHaveLength(1);
    expect(JSON.stringify(chat.current.items)).toContain('This chat has cost $2.10');
    expect(chat.current.spent).toBe(2.1);
  });

  it('R231 counts what a sub-agent has cost that is stopped', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, cost: 2 };
    const bench = subagentBench(
      asking({ generalist: 'Find the leak.' }, (plan) =>
        resultsIn(plan).length === 0
          ? [call('r', 'read_note', { path: 'Boats/Heron.md' }), { type: 'finish', reason: 'tool-calls', usage }]
          : 'hang',
      ),
    );
    const chat = await bench.open();
    const sent = chat.send('Which boat leaks?', []);
    await eventually(() => bench.model.plans.filter(isInner).length === 2, 'the second request');
    await chat.stop();
    await sent;
    await until(chat, rested);
    expect(chat.current.spent).toBe(2);
  });

  it('R231 counts what summaries cost, whether the user takes them or not', async () => {
    const bench = longBench(longModel({ prices: { input: 0.001, output: 0.001, date: null } }));
    bench.settings = { ...bench.settings, compaction: 'manual' };
    bench.model.summaries = [[say(snapshotText()), paid(2)]];
    const chat = await bench.open();
    await talk(chat, 12);
    expect(chat.current.spent).toBe(0);
    expect(await chat.summarise({})).toMatchObject({ ok: true, value: { body: { by: 'model' } } });
    expect(chat.current.spent).toBe(2);
    expect(stored(bench, 'request-beside')).toMatchObject([{ model: 'test/scripted', usage: { cost: 2 } }]);
    bench.settings = { ...bench.settings, spendingLimit: 1 };
    const again = await bench.open();
    expect(again.current.spent).toBe(2);
    expect(await again.summarise({})).toMatchObject({ ok: true, value: { body: { by: 'extraction' } } });
    expect(bench.model.summaryPlans).toHaveLength(1);
    expect(bench.notes.at(-1)).toContain('your limit is $1.00');
  });

  it('lets pass what has no price', async () => {
    const { bench, scripted } = benchWith([[say('Yes.'), finish()]], { spendingLimit: 0 }, {});
    const chat = await bench.open();
    await chat.send('a', []);
    await until(chat, rested);
    expect(scripted.plans).toHaveLength(1);
  });

  it('tells at the amount that was asked for, and goes on', async () => {
    const answers = [
      [say('Yes.'), paid(2)],
      [say('Still.'), paid(1)],
    ];
    const { bench, scripted } = benchWith(answers, { spendingNotice: 1 });
    const chat = await bench.open();
    await chat.send('a', []);
    expect((await until(chat, rested)).notice ?? null).toBeNull();
    await chat.send('b', []);
    const { notice } = await until(chat, ({ running, items }) => !running && items.length > 3);
    expect(notice).toContain('This chat has cost about $2.00');
    expect(scripted.plans).toHaveLength(2);
  });
});

describe('a server that holds less than was thought', () => {
  const tooLong = breakOff({ kind: 'context-length', words: 'Too long.', remedy: 'Shorten it.' });
  const long = Array.from({ length: 12 }, (_, at) => [say(`Answer ${at}. ${'words and more '.repeat(60)}`), finish()]);

  /** Asks questions until the next request is too long, and then one more; resolves when that one has this end. */
  async function askTooLong(chat: Chat, end: 'answer' | 'failure') {
    for (const at of long.keys()) {
      await chat.send(`Question ${at}`, []);
      await until(chat, ({ running, items }) => !running && items.length >= 2 * (at + 1));
    }
    await chat.send('The last question', []);
    return until(chat, ({ running, items }) => !running && items.at(-1)?.type === end);
  }

  it('F21 gets the same question once more with less, and answers', async () => {
    const { bench, scripted } = benchWith(
      [...long, [tooLong], [say('Now it fits.'), finish()]],
      {
        compaction: 'manual',
      },
      {},
    );
    const chat = await bench.open();
    const { items } = await askTooLong(chat, 'answer');
    const [refused, fitting] = scripted.plans.slice(-2);
    expect(scripted.plans).toHaveLength(long.length + 2);
    expect(fitting?.totals.all).toBeLessThanOrEqual((refused?.totals.all ?? 0) * 0.75);
    expect(JSON.stringify(fitting?.messages)).toContain('The last question');
    expect(JSON.stringify(items)).toContain('Now it fits.');
    expect(items.filter(({ type }) => type === 'failure')).toEqual([]);
    // Nothing is lost: what was left out stays in the log.
    expect(JSON.stringify(items)).toContain('Answer 0.');
  });

  it('F21 is not asked a third time: then the user chooses what to leave out', async () => {
    const { bench, scripted } = benchWith([...long, [tooLong], [tooLong]], { compaction: 'manual' }, {});
    const chat = await bench.open();
    const { items } = await askTooLong(chat, 'failure');
    expect(scripted.plans).toHaveLength(long.length + 2);
    expect(items.at(-1)).toMatchObject({ failure: { kind: 'context-length' } });
  });

  it('F21 a question that cannot be made shorter is not sent again', async () => {
    const { bench, scripted } = benchWith([[tooLong]], {}, {});
    const chat = await bench.open();
    await chat.send('Only this', []);
    const { items } = await until(chat, ({ running, items: all }) => !running && all.at(-1)?.type === 'failure');
    expect(scripted.plans).toHaveLength(1);
    expect(items.at(-1)).toMatchObject({ failure: { kind: 'context-length' } });
  });
});

describe('what is shown of a turn under way', () => {
  it('F17 is that it waits and why, until something comes', async () => {
    const waiting: ModelEvent = { type: 'waiting', words: 'Busy.', milliseconds: 7_000 };
    const notice: ModelEvent = { type: 'notice', words: 'In one piece.' };
    const { bench } = benchWith(
      [
        [waiting, notice, say('Here.'), finish()],
        [say('Again.'), finish()],
      ],
      {},
      {},
    );
    const chat = await bench.open();
    const seen: unknown[] = [];
    chat.subscribe(({ waiting: shown }) => void seen.push(shown?.words ?? null));
    await chat.send('a', []);
    const state = await until(chat, rested);
    expect(seen).toContain('Busy.');
    expect(seen.at(-1)).toBeNull();
    expect(state.notice).toBe('In one piece.');
    await chat.send('b', []);
    expect((await until(chat, ({ running, items }) => !running && items.length > 3)).notice ?? null).toBeNull();
  });
});
