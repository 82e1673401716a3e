/** Comparing and merging two texts: hunks of lines, words within a hunk, and three-way merges. */
import {
  applyHunks,
  compareComing,
  comparePassages,
  countLines,
  type Hunk,
  hunksOf,
  mergeBack,
  mergeTexts,
  shorten,
  wordsOf,
} from '../../../../../src/core/writing/changeset/diff';

const shown = (hunks: readonly Hunk[]) =>
  hunks.map(({ line, newLine, removed, added }) => `${line}/${newLine} -${removed} +${added}`);

describe('hunks', () => {
  it.each<[string, string, string[]]>([
    ['a\nb\n', 'a\nb\n', []],
    ['', 'a\n', ['1/1 - +a\n']],
    ['a', '', ['1/1 -a +']],
    ['a\nb\nc\n', 'a\nx\nc\n', ['2/2 -b\n +x\n']],
    ['a\nb\nc\n', 'a\nc\n', ['2/2 -b\n +']],
    ['a\nc\n', 'a\nb\nc\n', ['2/2 - +b\n']],
    ['a\nb\nc\nd\ne\n', 'x\nb\nc\ny\nz\ne\n', ['1/1 -a\n +x\n', '4/4 -d\n +y\nz\n']],
    ['a\nb\nc\nd\ne\n', 'b\nc\nd\ny\n', ['1/1 -a\n +', '5/4 -e\n +y\n']],
    ['a\nb', 'a\nb\n', ['2/2 -b +b\n']],
    ['ab\n', 'xb\n', ['1/1 -ab\n +xb\n']],
    ['a\na\n', 'a\n', ['2/2 -a\n +']],
    ['a\na\na\n', 'a\nb\na\n', ['2/2 -a\n +b\n']],
    ['a\nb', 'b', ['1/1 -a\n +']],
    ['b', 'a\nb', ['1/1 - +a\n']],
    ['\n\n', '\n', ['2/2 -\n +']],
  ])('of %j and %j are %j', (before, after, expected) => {
    const hunks = hunksOf(before, after);
    expect(shown(hunks)).toEqual(expected);
    expect(hunks.map(({ index }) => index)).toEqual(hunks.map((_, index) => index));
    expect(hunks.map(({ start, end }) => before.slice(start, end))).toEqual(hunks.map(({ removed }) => removed));
    expect(applyHunks(before, hunks, () => true)).toBe(after);
    expect(applyHunks(before, hunks, () => false)).toBe(before);
  });

  it('are applied where they are accepted', () => {
    const [before, after] = ['a\nb\nc\nd\n', 'A\nb\nC\nd\nE\n'];
    const hunks = hunksOf(before, after);
    const accepted = [0, 1, 2].map((wanted) => applyHunks(before, hunks, ({ index }) => index === wanted));
    expect(accepted).toEqual(['A\nb\nc\nd\n', 'a\nb\nC\nd\n', 'a\nb\nc\nd\nE\n']);
  });

  it('are one for texts that differ in too many lines', () => {
    const lines = (count: number, mark: string) =>
      Array.from({ length: count }, (_, at) => `${at % 2 === 0 ? 'same' : mark}${at}\n`).join('');
    expect(hunksOf(lines(600, 'a'), lines(600, 'b'))).toHaveLength(300);
    expect(hunksOf(lines(604, 'a'), lines(604, 'b'))).toHaveLength(1);
  });

  it('are the same ones when a long text is compared again', () => {
    const long = (mark: string) => `${'x'.repeat(25_000)}${mark}\n`;
    const first = hunksOf(long('a'), long('b'));
    expect(hunksOf(long('a'), long('b'))).toBe(first);
    for (const mark of ['c', 'd', 'e']) hunksOf(long('a'), long(mark));
    expect(hunksOf(long('a'), long('b'))).toBe(first);
    for (const mark of ['c', 'd', 'e', 'f']) hunksOf(long('a'), long(mark));
    const again = hunksOf(long('a'), long('b'));
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
    expect(hunksOf(long('b'), long('a'))).not.toEqual(first);
  });
});

describe('words', () => {
  it('of a hunk are the same, removed, or added', () => {
    expect(wordsOf('the old boat', 'the new boat')).toEqual([
      { kind: 'same', text: 'the ' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
      { kind: 'same', text: ' boat' },
    ]);
    expect(wordsOf('', '')).toEqual([]);
  });

  it('are not compared where there are too many characters or edits', () => {
    expect(wordsOf('a'.repeat(20_000), 'b'.repeat(20_000))).toHaveLength(2);
    expect(wordsOf('a'.repeat(20_000), 'b'.repeat(20_001))).toBeNull();
    expect(wordsOf('a b', 'c d', 3)).toBeNull();
    expect(wordsOf('a b', 'c d', 4)).not.toBeNull();
  });

  const joined = (parts: readonly { readonly kind: string; readonly text: string }[], ...kinds: string[]): string =>
    parts.flatMap(({ kind, text }) => (kinds.includes(kind) ? [text] : [])).join('');

  it('of a long passage are compared line by line', () => {
    const line = (words: number, mark: string) => Array.from({ length: words }, (_, at) => `${mark}${at}`).join(' ');
    const before = `top\n${line(250, 'a')}\nmiddle\none old word\nend`;
    const after = `top\n${line(250, 'b')}\nmiddle\none new word\nend`;
    const parts = comparePassages(before, after);
    expect([joined(parts, 'same', 'removed'), joined(parts, 'same', 'added')]).toEqual([before, after]);
    expect(parts).toEqual([
      { kind: 'same', text: 'top\n' },
      { kind: 'removed', text: `${line(250, 'a')}\n` },
      { kind: 'added', text: `${line(250, 'b')}\n` },
      { kind: 'same', text: 'middle\n' },
      { kind: 'same', text: 'one ' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
      { kind: 'same', text: ' word\n' },
      { kind: 'same', text: 'end' },
    ]);
    expect(comparePassages('a b', 'a c').map(({ kind }) => kind)).toEqual(['same', 'removed', 'added']);
  });

  it.each<[string, string, string]>([
    ['nothing', '', 'pending:The old boat sails.'],
    ['the same words', 'The old', 'same:The old|pending: boat sails.'],
    ['a new word', 'The new', 'same:The |added:new|pending:old boat sails.'],
    ['all but a word', 'The boat sails.', 'same:The |removed:old |same:boat sails.'],
    ['the whole', 'The old boat sails.', 'same:The old boat sails.'],
  ])('of a wording that is still coming are compared with what it has reached: %s', (_what, soFar, expected) => {
    const parts = compareComing('The old boat sails.', soFar);
    expect(parts.map(({ kind, text }) => `${kind}:${text}`).join('|')).toBe(expected);
  });

  it('of a wording that is still coming are looked for in 200 characters more than it has', () => {
    const before = (length: number) => `${'x'.repeat(length)} found and more`;
    expect(compareComing(before(198), 'found')).toContainEqual({ kind: 'same', text: 'found' });
    expect(compareComing(before(210), 'found')).toEqual([
      { kind: 'added', text: 'found' },
      { kind: 'pending', text: before(210) },
    ]);
  });

  it('of a very long wording are not compared before it is complete', () => {
    const [fits, long] = [8_000, 8_001].map((length) => `start ${'x'.repeat(length - 6)}`) as [string, string];
    expect(compareComing('start of it', fits)[0]).toEqual({ kind: 'same', text: 'start ' });
    expect(compareComing('start of it', long)).toEqual([
      { kind: 'added', text: long },
      { kind: 'pending', text: 'start of it' },
    ]);
  });
});

describe('a merge', () => {
  const base = 'a\nb\nc\nd\n';

  it.each<[string, string, string, string | null]>([
    ['takes what only the others changed', base, 'a\nB\nc\nd\n', 'a\nB\nc\nd\n'],
    ['takes what only the user changed', 'a\nB\nc\nd\n', base, 'a\nB\nc\nd\n'],
    ['takes what both changed alike', 'a\nB\nc\nd\n', 'a\nB\nc\nd\n', 'a\nB\nc\nd\n'],
    ['takes both where they are apart', 'A\nb\nc\nd\n', 'a\nb\nC\nd\n', 'A\nb\nC\nd\n'],
    ['takes both in either order', 'a\nb\nC\nd\n', 'A\nb\nc\nd\n', 'A\nb\nC\nd\n'],
    ['takes alike changes of a line next to others', 'A\nB\nc\nd\n', 'A\nB\nc\nD\n', 'A\nB\nc\nD\n'],
    ['does not take two changes of a line', 'a\nB\nc\nd\n', 'a\nX\nc\nd\n', null],
    ['does not take changes of lines next to one another', 'A\nb\nc\nd\n', 'a\nB\nc\nd\n', null],
    ['takes an addition before a changed line', 'a\nnew\nb\nc\nd\n', 'a\nB\nc\nd\n', 'a\nnew\nB\nc\nd\n'],
    ['takes an addition after a changed line', 'a\nB\nc\nd\n', 'a\nb\nnew\nc\nd\n', 'a\nB\nnew\nc\nd\n'],
    ['takes an addition at the end after a changed line', `${base}new\n`, 'a\nb\nc\nD\n', 'a\nb\nc\nD\nnew\n'],
    ['does not take two additions at a place', 'a\nX\nb\nc\nd\n', 'a\nY\nb\nc\nd\n', null],
    ['takes the deletion of a line below an addition', 'a\nnew\nb\nc\nd\n', 'a\nc\nd\n', 'a\nnew\nc\nd\n'],
    ['does not take an addition below a last line that lost its end', `${base}new\n`, 'a\nb\nc\nD', null],
  ])('%s', (_what, mine, theirs, merged) => {
    expect(mergeTexts(mine, base, theirs)).toBe(merged);
  });

  it('does not take an addition that repeats the changed line', () => {
    expect(mergeTexts('a\na\n', 'a\n', 'b\n')).toBeNull();
  });

  it('leaves the line endings of the current text, and gives them to new lines', () => {
    expect(mergeTexts('a\r\nb\r\n', 'a\nb\n', 'a\nB\nc\n')).toBe('a\r\nB\r\nc\r\n');
    expect(mergeTexts('A\nb\nc\n', 'a\r\nb\r\nc\r\n', 'a\r\nb\r\nC\r\n')).toBe('A\nb\nC\n');
    expect(mergeTexts('x\r\na\r\nb\r\n', 'a\nb\n', 'a\nb\nc\n')).toBe('x\r\na\r\nb\r\nc\r\n');
    expect(mergeTexts('a\r\nb\nc\n', 'a\nb\nc\n', 'A\nb\nc\nd\n')).toBe('A\r\nb\nc\nd\n');
    expect(mergeTexts('a', 'b', 'b\r\nc')).toBeNull();
    expect(mergeTexts('A\r\nb\r\n', 'a\nb\n', 'X\nb\n')).toBeNull();
  });

  it('gives line endings back where an undo has only these to give back', () => {
    expect(mergeBack('a\nb\n', 'a\nb\n', 'a\r\nb\r\n')).toBe('a\r\nb\r\n');
    expect(mergeBack('A\nb\nc\n', 'a\nb\nc\n', 'a\nb\nc\r\n')).toBe('A\nb\nc\r\n');
    // All line endings were changed since.
    expect(mergeBack('a\r\nb\r\n', 'a\nb\n', 'a\nB\n')).toBe('a\r\nB\r\n');
    expect(mergeBack('a\nX\n', 'a\nb\n', 'a\nB\n')).toBeNull();
  });
});

describe('an undo', () => {
  const front = (status: string): string => `---\nstatus: ${status}\n---\n`;

  it.each<[string, string, string, string]>([
    ['shares an empty line with it', '# Other\n\nMilk.\n', '# Plan\n\nEnd.\n', '# Plan\n\nSecret.\n\nEnd.\n'],
    [
      'shares a rule with it',
      '# Other\n\n---\n\nMilk.\n',
      'Plan.\n\n---\n\nEnd.\n',
      'Plan.\n\n---\n\nSecret.\n\nEnd.\n',
    ],
    ['begins otherwise', 'Milk.\n', 'End.\n', 'Secret.\nEnd.\n'],
    ['ends otherwise', 'Milk.\n', 'Plan.\n', 'Plan.\n\nSecret.\n'],
    ['is empty', '', 'End.\n', 'Secret.\nEnd.\n'],
    ['was written where all was removed', '\nMilk.\n', '\n', 'Secret.\n\n'],
    [
      'has one line of it by chance',
      'Milk.\n\nEggs.\n\nTODO\n',
      'Plan.\n\nEnd.\n\nTODO\n',
      'Plan.\n\nEnd.\n\nSecret.\n',
    ],
    ['has its properties', `${front('done')}Milk.\n`, `${front('done')}Secret.\n`, `${front('draft')}Secret.\n`],
    [
      'has its properties, and text below',
      `${front('done')}\nMilk.\n`,
      `${front('done')}\nPlan.\n`,
      `${front('done')}\nSecret.\n\nPlan.\n`,
    ],
  ])('puts nothing into another note that %s', (_what, mine, base, theirs) => {
    expect(mergeBack(mine, base, theirs)).toBeNull();
    const [windows, ours] = [base, theirs].map((text) => text.replaceAll('\n', '\r\n')) as [string, string];
    expect(mergeBack(mine, windows, ours)).toBeNull();
  });

  it.each<[string, string, string, string, string]>([
    ['above it', 'Other.\n\nEnd.\n', 'Plan.\n\nEnd.\n', 'Plan.\n\nA.\n\nEnd.\n', 'Other.\n\nA.\n\nEnd.\n'],
    ['below it', 'Plan.\n\nOther.\n', 'Plan.\n\nEnd.\n', 'Plan.\n\nA.\n\nEnd.\n', 'Plan.\n\nA.\n\nOther.\n'],
    ['around it, in a short note', 'Other.\n\nB.\n', 'Plan.\n\nB.\n', 'Plan.\n\nA.\n', 'Other.\n\nA.\n'],
    ['below an addition', 'Plan.\n\nB.\n\nMore.\n', 'Plan.\n\nB.\n', 'Plan.\n', 'Plan.\n\nMore.\n'],
    [
      'in a first line that was removed above it',
      'The plan, and more.\n',
      'The plan.\n',
      'A.\nThe plan.\n',
      'A.\nThe plan, and more.\n',
    ],
    [
      'below its properties',
      `${front('done')}The plan, and more.\n`,
      `${front('done')}The plan.\n`,
      `${front('draft')}The plan.\n`,
      `${front('draft')}The plan, and more.\n`,
    ],
    [
      'below properties that were alone',
      `${front('done')}Plan.\n`,
      front('done'),
      front('draft'),
      `${front('draft')}Plan.\n`,
    ],
    [
      'below properties that were taken away',
      'The plan, and more.\n',
      'The plan.\n',
      `${front('draft')}The plan.\n`,
      `${front('draft')}The plan, and more.\n`,
    ],
  ])('gives back what was there in a note that the user changed %s', (_what, mine, base, theirs, merged) => {
    expect(mergeBack(mine, base, theirs)).toBe(merged);
  });
});

it('shortens a line to 160 characters, without the blanks around it', () => {
  expect(shorten(` ${'x'.repeat(160)} `)).toBe('x'.repeat(160));
  expect(shorten('x'.repeat(161))).toBe(`${'x'.repeat(160)}…`);
});

it('counts the ends of lines', () => {
  expect(['', 'a', 'a\n', '\na\nb', '\n\n'].map(countLines)).toEqual([0, 0, 1, 2, 2]);
});
