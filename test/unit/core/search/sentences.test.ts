/** Sentences of notes, and which of them say most. */
import { heaviestSentences, proseOf, sentencesOf, weigh, weightsOf } from '../../../../src/core/search/passages';
import { stem } from '../../../../src/core/search/query';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';

it('cuts a text into sentences, and loses nothing', () => {
  const text = 'The keel is oak. Is it? “It is!” she said.\nA line without an end\n\n梁は木。とても古い。End';
  const sentences = sentencesOf(text);
  expect(sentences.join('')).toBe(text);
  expect(sentences.map((each) => each.trim())).toEqual([
    'The keel is oak.',
    'Is it?',
    '“It is!”',
    'she said.',
    'A line without an end',
    '梁は木。',
    'とても古い。',
    'End',
  ]);
});

it.each([
  ['', []],
  ['.', ['.']],
  ['\n\nOne', ['\n\n', 'One']],
  ['\nOne\n', ['\nOne\n']],
  ['... One.', ['... ', 'One.']],
  ['See note.md. Or v1.2.3 (e.g. “this.”) now', ['See note.md. ', 'Or v1.2.3 (e.g. ', '“this.”) ', 'now']],
  ['A."."B. C?!” D', ['A."."B. ', 'C?!” ', 'D']],
  ['。。One', ['。。', 'One']],
])('cuts %j into %j', (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences);
});

it('takes time in proportion to the points of a text', async () => {
  await expectCostBelow(200, () => sentencesOf(`${'.'.repeat(50_000)}x`));
});

it('takes running text alone, without marks of lists and quotes', () => {
  const shown = 'The hull was painted in the spring.';
  const hidden = [
    '# The heading of a long section of the note',
    '| a table | with several columns | in a row |',
    '![[A picture of the boat in the harbour.png]]',
    '> [!note] The title of a callout in the note',
    '%% a remark that nobody sees when reading %%',
    '-----------------------------------',
    'Too short.',
    `${'word '.repeat(100)}.`,
  ];
  for (const line of hidden) expect(proseOf(line)).toEqual([]);
  for (const mark of ['', '- ', '* [x] ', '12. ', '> ', '> - ']) expect(proseOf(mark + shown)).toEqual([shown]);
  expect(proseOf(`\`\`\`\r\n${shown}\r\n\`\`\`\r\n${shown}`)).toEqual([shown]);
});

it('counts each word by its stem, small words apart', () => {
  const weights = weightsOf('The boats and the boat. A harbour.');
  expect(weights).toEqual(
    new Map([
      [stem('boat'), 2],
      [stem('harbour'), 1],
    ]),
  );
});

it('weighs the words that come often, and what opens a section', () => {
  const weights = weightsOf('Keel keel keel keel. Mast.');
  const [keel, mast] = ['The keel is here.', 'The mast is here.'].map((each) => weigh(each, weights, 1));
  expect(keel).toBeCloseTo((Math.log(5) / 4) * 1.3);
  expect(mast).toBeCloseTo((Math.log(2) / 4) * 1.3);
  expect(weigh('The keel is here.', weights, 0)).toBeCloseTo((Math.log(5) / 4) * 1.6);
  expect(weigh('And so it is.', weights, 0)).toBe(0);
  expect(weigh('The rudder is here.', weights, 0)).toBe(0);
});

it('picks the heaviest sentences once each, in the order in which they stand', () => {
  const keel = 'The keel of the boat is made of oak and bronze.';
  const bolts = 'The bolts of the keel are bronze, and the keel is oak.';
  const unrelated = 'Yesterday somebody sang quietly under grey clouds.';
  const texts = [`${keel} ${unrelated}`, `${bolts} ${keel}`];
  expect(heaviestSentences(texts, 2)).toEqual([keel, bolts]);
  expect(heaviestSentences(texts, 9)).toEqual([keel, unrelated, bolts]);
  expect(heaviestSentences([unrelated], 0)).toEqual([]);
});
