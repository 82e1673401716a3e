import fc from 'fast-check';
import {
  fitPassages,
  formatSearchResult,
  parseSearchResult,
  type QuotedPassage,
  sizeOfPassages,
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
  const fit = (bytes: number, query = 'keel'): string => {
    const [shown] = fitPassages([whole], query, bytes);
    const first = (shown?.text ?? '').split('\n').map((each) => each.slice(0, 9).trim());
    return `${shown?.startLine}-${shown?.endLine}: ${first.join('|')}`;
  };

  it('keeps the lines with the words, and those around them, as many as fit', () => {
    expect(fit(2_000)).toBe('11-19: One and s||Two and s|Three and|The keel|Four keel||Five and|Six and s');
    expect(fit(330)).toBe('15-16: The keel|Four keel');
    expect(fit(460)).toBe('15-18: The keel|Four keel||Five and');
    expect(fit(600)).toBe('15-19: The keel|Four keel||Five and|Six and s');
    // At the end of the passage, those before it follow.
    expect(fit(720)).toBe('14-19: Three and|The keel|Four keel||Five and|Six and s');
    expect(fit(600, 'six')).toBe('15-19: The keel|Four keel||Five and|Six and s');
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
