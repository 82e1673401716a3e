/** The messages of reference texts before the conversation, and where each tier of them ends. */
import type { Message } from '../../../../src/core/ports/message';
import { pairsOfTurn, replies } from '../../../../src/core/prompt/world';
import { startOfTurn, tierMessages } from '../../../../src/core/request/reference-blocks';

const say = (role: 'user' | 'assistant', text: string): Message => ({ role, parts: [{ type: 'text', text }] });
const block = (tier: string | undefined, text: string, place = 'reference') => ({ section: 'map', place, tier, text });
const messagesOf = (...blocks: readonly object[]) => tierMessages(blocks as never);

it.each<[readonly string[], readonly string[], object]>([
  [[], [], {}],
  [['L1'], ['L1'], { L2: 1 }],
  [['L2'], ['L2'], { L2: 1 }],
  [['L1', 'L2'], ['L1', 'L2'], { L2: 3 }],
  [['L3'], ['L3'], { L3: 1 }],
  [['L3', 'active', 'L2', 'L1'], ['L1', 'L2', 'L3', 'active'], { L2: 3, L3: 5 }],
  [['active'], ['active'], {}],
])('of the tiers %j are %j, and end at %j', (tiers, order, ends) => {
  const found = messagesOf(...tiers.map((tier) => block(tier, tier)));
  expect(found.ends).toEqual(ends);
  expect(found.messages).toEqual(order.flatMap((tier) => [say('user', tier), say('assistant', replies.ok)]));
});

it('have the texts of one tier in one message, and nothing that is empty or stands elsewhere', () => {
  const { messages } = messagesOf(
    block('L1', 'one'),
    block('L1', ''),
    block('L1', 'two'),
    block('L2', 'system', 'system'),
    block(undefined, 'rest'),
  );
  expect(messages.map(({ parts }) => (parts[0] as { readonly text: string }).text)).toEqual([
    'one\n\ntwo',
    replies.ok,
    'rest',
    replies.ok,
  ]);
});

it('are the same objects while the blocks of a tier are, in whichever list, and others if one of them is not', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((text) => block('L1', text));
  const first = (...blocks: readonly (object | undefined)[]) => messagesOf(...(blocks as object[])).messages[0];
  const before = first(one, two);
  expect(first(block('L2', 'other'), one, two)).toBe(before);
  expect(first(one, three)).toEqual(say('user', 'one\n\nthree'));
  expect(first(one)).toEqual(say('user', 'one'));
  expect(first(one, two)).toEqual(before);
});

describe('a turn', () => {
  const pairs = Object.values(pairsOfTurn).map(({ header, reply }) => [
    say('user', `${header}\nText.`),
    say('assistant', reply),
  ]);
  const [pair = []] = pairs;
  const [opening, reply] = pair as [Message, Message];
  const header = Object.values(pairsOfTurn)[0]?.header ?? '';
  const before = [say('user', 'Hi.'), say('assistant', 'Hello.')];
  const question = say('user', 'Why?');

  it.each<[string, readonly Message[], number]>([
    ['alone', [question], 0],
    ['after others', [...before, question], 2],
    ['with a pair of its own', [...pair, question], 0],
    ['with all pairs, after others', [...before, ...pairs.flat(), question], 2],
    ['not with the pair of an earlier turn', [...pair, ...before, question], pair.length + 2],
    ['after a header with another reply', [opening, say('assistant', 'Hm.'), question], 2],
    ['after a reply to another message', [say('user', 'Hi.'), reply, question], 2],
    ['after a message that only begins like a header', [say('user', `${header}s\n`), reply, question], 2],
    [
      'after a header in two parts',
      [{ ...opening, parts: [...opening.parts, ...opening.parts] } as Message, reply, question],
      2,
    ],
    ['after a header that the model wrote', [{ ...opening, role: 'assistant' } as Message, reply, question], 2],
    ['nowhere after an answer', before, 2],
    ['nowhere after results', [...before, { ...question, carriesResults: true } as Message], 3],
    ['nowhere in nothing', [], 0],
  ])('begins %s', (_where, messages, start) => {
    expect(startOfTurn(messages)).toBe(start);
  });
});
