/** Where a quote is in its note: found by its letters, in any formatting. */
import { findQuote } from '../../../src/ui/components/open-citation';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';

const note = [
  '# Keel',
  '',
  '## Bolts',
  'Tighten the *keel bolts* [by hand](https://a.example) first.',
  '',
  '- Then go [[Yard|around]] twice, with `M12` washers.',
  '- Grease them.',
].join('\n');

it.each([
  ['Tighten the keel bolts by hand first.', { from: 3, to: 3 }],
  ['Tighten the keel bolts by hand first.Then go around twice, with M12 washers.', { from: 3, to: 5 }],
  ['Grease them.', { from: 6, to: 6 }],
  ['Nobody wrote this.', null],
  ['…', null],
])('finds %j', (quoted, lines) => {
  expect(findQuote(note, quoted)).toEqual(lines);
});

it('finds the ends of a quote whose middle is cut', () => {
  const long = Array.from(
    { length: 30 },
    (_, n) => `Line ${n} of the long passage about the keel and all of its bolts.`,
  );
  const quoted = `${long[4]} ${long[5]} … ${long[8]} ${long[9]}`;
  expect(findQuote(long.join('\n'), quoted)).toEqual({ from: 4, to: 9 });
});

it('searches a megabyte in time', async () => {
  await expectCostBelow(300, () => findQuote('[[a|'.repeat(250_000), 'b'.repeat(10_000)));
});
