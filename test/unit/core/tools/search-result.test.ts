import fc from 'fast-check';
import {
  fitPassages,
  formatSearchResult,
  parseSearchResult,
  partIn,
  type QuotedPassage,
  type SearchCounts,
  sizeOfPassages,
  summarise,
  unreadIn,
} from '../../../../src/core/tools/search-result';
import { anyCharacter } from '../../../property/any-character';

const line = fc.string({ unit: anyCharacter }).map((text) => text.replace(/[\n]/g, ' '));
const name = line.map((text) => `x${text.replace(/\r/g, '')}y`);
const passage = fc
  .record({
    path: name,
    trail: fc.array(name, { maxLength: 3 }),
    startLine: fc.integer({ min: 1, max: 9_999 }),
    lines: fc.array(fc.oneof(line, fc.constantFrom('', '[2] b.md', 'lines: 1-2', 'heading: x')), {
      minLength: 1,
      maxLength: 5,
    }),
    cut: fc.boolean(),
  })
  .map(({ path, trail, startLine, lines, cut }): QuotedPassage => ({
    path,
    trail,
    startLine,
    endLine: startLine + lines.length - 1,
    text: lines.join('\n'),
    cut,
  }));

test('what is formatted is read back, whatever the notes hold', () => {
  fc.assert(
    fc.property(fc.array(passage, { maxLength: 5 }), (passages) => {
      const result = { summary: 'Some passages.', passages };
      expect(parseSearchResult(formatSearchResult(result))).toEqual(result);
    }),
  );
});

test('the grammar is the one written down', () => {
  const text = formatSearchResult({
    summary: '1 passage in 1 note for: x.',
    passages: [{ path: 'A/B.md', trail: ['One', 'a › b'], startLine: 3, endLine: 4, text: 'first\nsecond', cut: true }],
  });
  expect(text).toBe(
    '1 passage in 1 note for: x.\n\n[1] A/B.md\nheading: One › a ›› b\nlines: 3-4, part\nfirst\nsecond',
  );
});

test('a result that was cut short gives its whole passages', () => {
  const passages = ['a', 'b'].map((path) => ({
    path,
    trail: [],
    startLine: 1,
    endLine: 3,
    text: '1\n2\n3',
    cut: false,
  }));
  const text = formatSearchResult({ summary: 's', passages });
  expect(parseSearchResult(text.slice(0, -2))?.passages).toEqual([passages[0]]);
});

describe('a passage that has to be shorter', () => {
  const sentence = (words: string): string => `${words} ${'and so on '.repeat(12)}`.trim();
  const lines = ['One', '', 'Two', 'Three', 'The keel', 'Four keel', '', 'Five', 'Six'].map((each) =>
    each === '' ? '' : sentence(each),
  );
  const whole: QuotedPassage = {
    path: 'A.md',
    trail: [],
    startLine: 11,
    endLine: 19,
    text: lines.join('\n'),
    cut: false,
  };
  const fitted = (bytes: number, query = 'keel'): string => {
    const [shown] = fitPassages([whole], query, bytes);
    const first = (shown?.text ?? '').split('\n').map((each) => each.slice(0, 9).trim());
    return `${shown?.startLine}-${shown?.endLine}: ${first.join('|')}`;
  };

  it('keeps the lines with the words, and those around them, as many as fit', () => {
    expect(fitted(2_000)).toBe('11-19: One and s||Two and s|Three and|The keel|Four keel||Five and|Six and s');
    expect(fitted(330)).toBe('15-16: The keel|Four keel');
    expect(fitted(460)).toBe('15-18: The keel|Four keel||Five and');
    expect(fitted(600)).toBe('15-19: The keel|Four keel||Five and|Six and s');
    // At the end of the passage, those before it follow.
    expect(fitted(720)).toBe('14-19: Three and|The keel|Four keel||Five and|Six and s');
    expect(fitted(600, 'six')).toBe('15-19: The keel|Four keel||Five and|Six and s');
  });

  it('takes a line that fits to the byte', () => {
    const [shown] = fitPassages([whole], 'keel', 460);
    if (shown === undefined) throw new Error('Nothing fits.');
    const bytes = sizeOfPassages([{ ...shown, cut: true }]);
    expect(fitPassages([whole], 'keel', bytes)).toEqual([shown]);
    expect(fitPassages([whole], 'keel', bytes - 1)[0]?.text).not.toBe(shown.text);
  });

  it('gives each of several its share, those first that have more of the words', () => {
    const others = ['B.md', 'C.md'].map((path) => ({
      ...whole,
      path,
      text: lines.slice(0, 4).join('\n'),
      endLine: 14,
    }));
    const shown = fitPassages([...others, whole], 'keel', 400);
    expect(shown[0]?.path).toBe('A.md');
    expect(formatSearchResult({ summary: '', passages: shown }).length).toBeLessThan(700);
  });
});

test('a single passage is read, also where a line of another kind follows', () => {
  const passage = { path: 'a', trail: [], startLine: 1, endLine: 1, text: 'one', cut: false };
  const text = formatSearchResult({ summary: 's', passages: [passage] });
  expect(parseSearchResult(`${text}\nand no blank line`)).toEqual({ summary: 's', passages: [passage] });
  expect(parseSearchResult('s\nand no blank line')).toBeUndefined();
});

describe('a single passage with headings', () => {
  const headings = ['Boats', 'Hull', 'Keel'].map((heading) => `${heading} ${'x'.repeat(60)}`);
  const passage = { path: 'A.md', trail: headings, startLine: 3, endLine: 3, cut: false };
  const fitted = (text: string, more: Partial<QuotedPassage> = {}): QuotedPassage | undefined =>
    fitPassages([{ ...passage, text, ...more }], 'keel', 320)[0];

  it('keeps the last heading alone where all would take half of the room', () => {
    expect(fitted('The keel is oak. '.repeat(12))?.trail).toEqual([headings[2]]);
    expect(fitted('The keel is oak. '.repeat(40), { trail: ['Boats', 'Keel'] })?.trail).toEqual(['Boats', 'Keel']);
  });

  it('is a part of a line only where it was one before, and all of its text has room', () => {
    const text = 'The keel is oak. '.repeat(9).trim();
    expect(fitted(text, { cut: true })).toMatchObject({ text, cut: true });
    expect(fitted(text)).toMatchObject({ text, cut: false });
    const two = fitted(`${text}\n${'y'.repeat(300)}`, { cut: true, endLine: 4 });
    expect(two).toMatchObject({ text, endLine: 3, cut: false });
  });
});

describe('the first line of a result', () => {
  const counts: SearchCounts = {
    ...{ query: 'keel', shown: 1, shownNotes: 1, fitting: 1, isFull: false, canRaiseLimit: false },
    ...{ areInSameNotes: false, searched: 12, unread: 0, absent: [], present: [], isTogether: true },
    ...{ waiting: 0, unindexed: 0, unchecked: 0 },
  };
  const say = (more: Partial<SearchCounts>): string => summarise({ ...counts, ...more });

  it('says what was not looked through, and what could not be read', () => {
    expect(say({ unchecked: 1, unread: 1 })).toBe(
      '1 passage in 1 note for: keel. 1 passage with such words was not looked through for the quoted ones. ' +
        '1 note could not be read.',
    );
    expect(say({ unchecked: 1_200, unread: 3 })).toBe(
      '1 passage in 1 note for: keel. 1,200 passages with such words were not looked through for the quoted ones. ' +
        '3 notes could not be read.',
    );
  });

  it('tells a reader how many notes could not be read, and how many were searched so far', () => {
    expect([0, 1, 1_200].map((unread) => unreadIn(say({ unread })))).toEqual([undefined, '1', '1,200']);
    expect([0, 1_100].map((waiting) => partIn(say({ shown: 0, waiting })))).toEqual([undefined, ['12', '1,112']]);
  });
});
