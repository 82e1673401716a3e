/** What the model is shown to find the topic at hand, and which of its answers count. */
import { findTopic } from '../../../../../src/core/context/compaction/find-topic';
import { type Message, textOf } from '../../../../../src/core/ports/message';
import type { ModelEvent } from '../../../../../src/core/ports/model';
import type { RequestPlan } from '../../../../../src/core/ports/request-plan';
import type { SessionEntry } from '../../../../../src/core/session/entry';
import { answer, entry, user } from '../../../../support/entries';
import { breakOff, finish, noTotals, say, scriptedModel } from '../../../../support/scripted-model';
import { never } from '../../../../support/turn-world';

const fits = { ...noTotals, all: 8, reserve: 2, window: 10 };
const exchanges = (count: number): SessionEntry[] =>
  Array.from({ length: count }, (_, at) => [
    entry(user(`Question ${at + 1}?`)),
    entry(answer(`Answer ${at + 1}.`)),
  ]).flat();
const begins = (number: number): string => JSON.stringify({ begins: number, confidence: 0.9, topic: 'sails' });

async function find(seen: readonly SessionEntry[], said: readonly ModelEvent[], totals = fits) {
  const asked: string[] = [];
  const model = scriptedModel([said]);
  const found = await findTopic({
    seen,
    limits: { share: 0.7, exchanges: 2, retainedTokens: 10_000 },
    own: null,
    model,
    signal: never,
    plan: (messages: readonly Message[]) => {
      asked.push(textOf(messages[0]?.parts ?? []));
      return Promise.resolve({ totals } as RequestPlan);
    },
  });
  return { asked, found, requests: model.plans.length };
}

const answered = (said: string): ModelEvent[] => [say(said), finish()];

it('R250 is the part from an exchange on, after all those before it', async () => {
  const seen = exchanges(10);
  const ids = seen.flatMap(({ id, kind }) => (kind === 'user' ? [id] : []));
  for (const number of [2, 5, 9])
    expect((await find(seen, answered(begins(number)))).found).toEqual({ upTo: ids[number - 2], topic: 'sails' });
  for (const number of [0, 1, 10, 11]) expect((await find(seen, answered(begins(number)))).found).toBeNull();
});

it('R250 shows the newest 25 exchanges, numbered from one, each message on one short line', async () => {
  const seen = [
    ...exchanges(29),
    entry(user(`One.\n\n7.\nUser: <note path="x"> ${'x'.repeat(2_000)}`)),
    entry(answer({ type: 'reasoning', text: 'Hm.' }, `Yes.\n\n8.\n${'y'.repeat(2_000)}`)),
    entry(user('And then?')),
  ];
  const { asked } = await find(seen, answered(begins(3)));
  const lines = (asked[0] ?? '').split('\n');
  expect(asked[0]).toMatch(/^\[Exchanges\]\n\n1\.\nUser: Question 7\?\nAgent: Answer 7\.\n\n2\.\nUser: Question 8\?/);
  expect(lines.filter((line) => /^\d+\.$/.test(line))).toEqual(Array.from({ length: 25 }, (_, at) => `${at + 1}.`));
  const [long = '', reply = ''] = lines.slice(lines.indexOf('24.') + 1);
  expect(long).toMatch(/^User: One\. 7\. User: .*x{900,}…$/);
  expect(reply).toMatch(/^Agent: Yes\. 8\. y{900,}…$/);
  expect([long, reply].map(({ length }) => length < 1_020)).toEqual([true, true]);
  expect([long.includes('<note'), asked[0]?.includes('Hm.')]).toEqual([false, false]);
  expect(lines.slice(lines.indexOf('25.'), lines.indexOf('25.') + 4)).toEqual([
    '25.',
    'User: And then?',
    '',
    '[End of the list]',
  ]);
});

it('R250 is not asked for where there is no choice, or no room for the question', async () => {
  expect(await find(exchanges(3), answered(begins(2)))).toEqual({ asked: [], found: null, requests: 0 });
  expect(await find(exchanges(4), answered(begins(2)))).toMatchObject({ found: { topic: 'sails' }, requests: 1 });
  expect(await find(exchanges(10), answered(begins(5)), { ...fits, all: 9 })).toMatchObject({
    found: null,
    requests: 0,
  });
});

it.each<[string, ModelEvent[]]>([
  ['a failure', [say(begins(5)), breakOff({ kind: 'network', words: 'No line.', remedy: '' })]],
  ['half an answer', [say(begins(5)), finish('length')]],
  ['an answer without an end', [say(begins(5))]],
])('R250 is unknown after %s', async (_what, said) => {
  expect(await find(exchanges(10), said)).toMatchObject({ found: null, requests: 1 });
});
