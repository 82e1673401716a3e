/** Words in a chat are found in messages and answers, in order, in linear time. */
import { findInChat, foldForFind, maxFound, placesBeforeFolding } from '../../../../src/core/chat/find-in-chat';
import { foldTranscript, type TranscriptItem } from '../../../../src/core/chat/transcript';
import type { EntryBody } from '../../../../src/core/session/entry';
import { answer, entry, result, toolCall, user } from '../../../support/entries';
import { expectCostBelow, expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const { signal } = new AbortController();
const itemsOf = (...bodies: readonly EntryBody[]): readonly TranscriptItem[] =>
  foldTranscript(bodies.map((body) => entry(body)));

it('finds each passage, whatever its case and form, and not in tool calls', async () => {
  const items = itemsOf(
    user('The Caf\u00e9 and the CAFE\u0301.'),
    answer(toolCall('t', 'read_note', '{"path":"Café.md"}')),
    result('t', 'café'),
    answer('A **blue** [café](https://x.example/café) and `code`.'),
  );
  expect(await findInChat(items, 'café', signal)).toEqual([
    { place: 0, nth: 0 },
    { place: 0, nth: 1 },
    { place: 1, nth: 0 },
  ]);
  expect(await findInChat(items, 'blue café AND code', signal)).toEqual([{ place: 1, nth: 0 }]);
  expect(await findInChat(items, 'two\nwords', signal)).toEqual([]);
  expect(await findInChat(items, '  ', signal)).toEqual([]);
});

it('finds what is drawn with marks of Markdown, as in code', async () => {
  const items = itemsOf(user('q'), answer('Take `rows[0]`, see [1], 5 * 3.\n```py\nrun(**rows[0])\n```'));
  expect(await findInChat(items, 'rows[0]', signal)).toEqual([
    { place: 1, nth: 0 },
    { place: 1, nth: 1 },
  ]);
  for (const each of ['[1]', '5 * 3', 'run(**rows']) expect(await findInChat(items, each, signal)).toHaveLength(1);
});

it('finds a capital with a dot, and knows where a folded text is in the text', async () => {
  expect(await findInChat(itemsOf(user('\u0130stanbul')), 'istanbul', signal)).toEqual([{ place: 0, nth: 0 }]);
  const syllable = '\u1112\u1161\u11ab';
  const text = `u\u0308 \u0130\u{1f30a}${syllable}.`;
  expect(foldForFind(text)).toBe('\u00fc i\u{1f30a}\ud55c.');
  expect(placesBeforeFolding(text)).toEqual([0, 2, 3, 4, 4, 6, 9, 10]);
  // A syllable of which only the last letter is apart.
  expect(placesBeforeFolding('\ud558\u11ab')).toBeNull();
});

it('looks through 10,000 messages soon, and stops when nobody waits', async () => {
  const items = itemsOf(
    ...Array.from({ length: 5_000 }, (_, index) => [user(`q ${index}`), answer(`Boat ${index}. `.repeat(30))]).flat(),
  );
  await findInChat(items, 'x', signal);
  await expectCostBelow(300, () => findInChat(items, 'boat 4999', signal));
  expect(await findInChat(items, 'boat 4999.', signal)).toHaveLength(30);
  expect(await findInChat(items, 'b', signal)).toHaveLength(maxFound);
  const abort = new AbortController();
  abort.abort();
  expect(await findInChat(items, 'boat', abort.signal)).not.toHaveLength(maxFound);
});

it.each([
  ...['aaaa', '*', '`'].map((piece) => [piece, 80_000] as const),
  // Each may begin a link, which is looked for through many characters, so that less text is as much work.
  ...['](', '[['].map((piece) => [piece, 20_000] as const),
])('takes time in proportion to a text of %j', async (piece, count) => {
  const items = (pieces: number) => itemsOf(answer(piece.repeat(pieces)));
  await expectGrowthBelow(
    3,
    () => findInChat(items(count), 'ab', signal),
    () => findInChat(items(count / 2), 'ab', signal),
  );
});

it.each(['](a', '[[a', '[[', '](', '[[a|'])('looks through a megabyte of %j soon', async (piece) => {
  const [item] = itemsOf(answer(piece.repeat(1_000_000 / piece.length)));
  const spent: number[] = [];
  await expectCostBelow(400, async () => {
    spent.push((await findInChat([{ ...item! }], 'boat', signal)).length);
  });
  expect(spent).toContain(0);
});
