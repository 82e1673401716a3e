import fc from 'fast-check';
import { formatSearchResult, parseSearchResult, type QuotedPassage } from '../../../../src/core/tools/search-result';

const line = fc.string({ unit: 'binary' }).map((text) => text.replace(/[\n]/g, ' '));
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
