/** Stop answers at once while a text that takes long to count is being counted, wherever the chat is (design 4, R240). */
import type { Chat } from '../../../../../src/core/chat/chat';
import { planNext } from '../../../../../src/core/turn/run-turn';
import { ExactTokenizer } from '../../../../../src/tokens/open';
import { openSlicedCounter } from '../../../../../src/tokens/text-counter';
import { packedO200k } from '../../../tokens/o200k';
import { expectSoon } from 'obsidian-workbench/testing/cost';
import { ask, type LongBench, longBench, longModel, stored } from './long-chat';

/** The processor time of this process, in milliseconds, after which the chat view must respond again. */
const patience = 200;

/** Texts whose counting takes long in slices. */
const slow: readonly (readonly [string, string])[] = [
  ['one letter', 'a'.repeat(300_000)],
  ['one letter of three bytes', '字'.repeat(150_000)],
  ['signs', '=-'.repeat(150_000)],
  ['lines', '\n\t '.repeat(100_000)],
];

const counter = openSlicedCounter({ ranks: packedO200k });

function slowBench(): LongBench {
  const tokenizer = new ExactTokenizer(counter);
  const bench = longBench(longModel({ contextWindow: 200_000, cachesPrompts: true }), { ports: { tokenizer } });
  return bench;
}

jest.setTimeout(60_000);

const tick = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Processor time from the stop until nothing runs any more, in milliseconds. Counting goes on in the same process, and a
 * collection of its memory may fall into it: a figure over the limit is taken again.
 */
async function stopAfter(chat: Chat, milliseconds: number): Promise<number> {
  await tick(milliseconds);
  expect(chat.current.running).toBe(true);
  const start = process.cpuUsage();
  chat.stop();
  while (chat.current.running) await tick(1);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

// Unpacking the ranks is the work of the first count alone.
beforeAll(() => counter.count(['x']));
// One text after the other: what was stopped is still being counted.
afterEach(() => counter.count(['x']));
afterAll(() => counter.close());

it.each(slow)('R240 before a request goes out: %s', async (_name, text) => {
  await expectSoon(patience, async (round) => {
    // What was stopped is still being counted, and would count as work of the next round.
    if (round > 0) await counter.count(['x']);
    const bench = slowBench();
    const chat = await bench.open();
    await ask(chat, 'Hello');
    await chat.send(text, []);
    const time = await stopAfter(chat, 20);
    expect(stored(bench, 'user')).toHaveLength(2);
    expect(bench.model.plans).toHaveLength(1);
    return time;
  });
});

/** A chat after an answer that takes long to count, as the room for the next turn is looked for. */
async function answeredAtLength(): Promise<{ readonly bench: LongBench; readonly chat: Chat }> {
  await counter.count(['x']);
  const bench = slowBench();
  const chat = await bench.open();
  await ask(chat, 'Hello');
  bench.model.reply = () => 'b'.repeat(300_000);
  await chat.send('Say it all', []);
  const isAnswered = (): boolean => stored(bench, 'assistant').length === 2;
  while (!isAnswered()) await tick(1);
  return { bench, chat };
}

it('R240 while room is looked for after an answer', async () => {
  await expectSoon(patience, async () => {
    const { bench, chat } = await answeredAtLength();
    const time = await stopAfter(chat, 5);
    expect(stored(bench, 'summary')).toEqual([]);
    return time;
  });
});

it('R240 while a summary by hand is planned', async () => {
  await expectSoon(patience, async () => {
    const { bench, chat } = await answeredAtLength();
    await stopAfter(chat, 5);
    const drafting = chat.summarise({});
    const time = await stopAfter(chat, 5);
    expect(await drafting).toMatchObject({ ok: false, failure: { kind: 'aborted' } });
    expect([stored(bench, 'summary'), chat.current.summarising]).toEqual([[], false]);
    return time;
  });
});

it('R240 while the next request of a turn is planned, however long that takes', async () => {
  const abort = new AbortController();
  const hooks = { beforeModel: () => Promise.resolve({ changes: [], reports: [] }) };
  const planned = planNext({ plan: () => new Promise(() => undefined), hooks, signal: abort.signal });
  abort.abort();
  expect(await Promise.race([planned, tick(patience).then(() => 'late')])).toBeNull();
});
