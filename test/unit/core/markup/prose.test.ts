/** How prose for models is joined, listed, and shortened. */
import {
  collapseBlankLines,
  counted,
  grouped,
  lines,
  nameOnLine,
  numberSteps,
  oneLine,
  points,
  sentences,
  shortLine,
  sizeOf,
} from '../../../../src/core/markup/prose';

it('joins what there is of lines, points, and sentences', () => {
  const parts = ['One.', undefined, false, '', 'Two.'] as const;
  expect([lines(...parts), points(...parts), sentences(...parts)]).toEqual([
    'One.\nTwo.',
    '- One.\n- Two.',
    'One. Two.',
  ]);
  expect([lines(undefined), points(false), sentences('')]).toEqual(['', '', '']);
});

it.each<[string, string, string]>([
  [
    'numbers steps without a gap',
    numberSteps('#. Look.\n  #. No.\n#. Write.\nA #. B'),
    '1. Look.\n  #. No.\n2. Write.\nA #. B',
  ],
  ['puts a text on one line', oneLine(' a\n\n b\t c '), 'a b c'],
  [
    'has each kind of line break in a name as a space',
    nameOnLine('a\n\r\v\fb\u0085c\u2028d\u2029e  f'),
    'a b c d e  f',
  ],
  ['has at most one blank line between two', collapseBlankLines('a\n\n\n\nb\n\nc\n\n\nd'), 'a\n\nb\n\nc\n\nd'],
  ['says one of a thing', counted(1, 'note'), '1 note'],
  ['says none of a thing', counted(0, 'note'), '0 notes'],
  ['says many of a thing', counted(1_200, 'note'), '1,200 notes'],
  ['has no comma in three digits', grouped(999), '999'],
  ['has a comma before each three digits', grouped(1_234_567), '1,234,567'],
  ['says nothing is no kilobytes', sizeOf(0), '0 KB'],
  ['counts a begun kilobyte', sizeOf(1), '1 KB'],
  ['counts full kilobytes', sizeOf(1_024), '1 KB'],
  ['counts one more than is full', sizeOf(1_025), '2 KB'],
  ['groups kilobytes', sizeOf(2_000 * 1_024), '2,000 KB'],
  ['leaves a short text as it is', shortLine('abc\nd', 5), 'abc d'],
  ['ends a long text with an ellipsis', shortLine('abc\nde', 5), 'abc …'],
  ['cuts no character in two', shortLine('ab🚀cd', 4), 'ab…'],
])('%s', (_what, written, expected) => {
  expect(written).toBe(expected);
});
