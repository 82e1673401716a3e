/** Random Markdown for property tests: fragments of every construct, joined without care. */
import * as fc from 'fast-check';

const FRAGMENTS = [
  ...['a', 'word ', 'two words', '\n', '\n\n', '\n\n\n', ' ', '    ', '\t', '\r\n', '\\', '\u202e', '😀', '\u0000'],
  ...['*', '**', '_', '~~', '==', '`', '``', '```', '~~~', '```js\n', '\n```\n', '$', '$$', '\n$$\n', '%%'],
  ...[
    '# ',
    '\n## ',
    '===',
    '\n---\n',
    '- ',
    '\n- ',
    '\n  - ',
    '1. ',
    '\n2) ',
    '- [ ] ',
    '- [x] ',
    '> ',
    '\n> ',
    '> > ',
  ],
  ...[
    '> [!note] T\n',
    '|',
    '| a | b |\n|:-|-:|\n| 1 | 2 |\n',
    '|-',
    '[',
    ']',
    '(',
    ')',
    '[[',
    ']]',
    '![',
    '![[',
    '<',
    '>',
  ],
  ...['[[Ideas]]', '[[Ideas|x]]', '![[photo.png]]', '[x](Notes/Ideas.md)', '[x](https://a.example/?q=1 "t")', '[x][r]'],
  ...[
    '[r]',
    '![r]',
    '[r]: https://r.example\n',
    '[r]: javascript:alert(1)\n',
    '[s]: Notes/Ideas.md "t"\n',
    '[s]',
    '[x][]',
  ],
  ...['![i](https://i.example/i.png)', '![i](data:image/svg+xml,<svg/>)', '<https://b.example>', 'https://c.example/d'],
  ...[
    'www.d.example',
    'e@f.example',
    '[x](javascript:alert(1))',
    '[x](data:text/html,a)',
    '&lt;',
    '&#60;',
    '&colon;',
    '[^1]: a',
    '[^1]',
    '^[b]',
  ],
  ...[
    '<img src=x onerror=alert(1)>',
    '<script>',
    '</script>',
    '<svg onload=x>',
    '<a href="javascript:x">',
    '<br>',
    '<!--',
  ],
  ...[
    '-->',
    '<iframe src="https://g.example">',
    '<style>*{background:url(https://h.example)}</style>',
    '<![CDATA[',
    'style="x"',
  ],
];

export const markdownShaped: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...FRAGMENTS) }, { weight: 1, arbitrary: fc.string() }), {
    maxLength: 24,
  })
  .map((parts) => parts.join(''));

/** A text, and the places where it is cut into growing prefixes. */
export const markdownInPieces: fc.Arbitrary<{ text: string; cuts: number[] }> = markdownShaped.chain((text) =>
  fc
    .array(fc.nat({ max: text.length }), { maxLength: 12 })
    .map((cuts) => ({ text, cuts: cuts.sort((one, other) => one - other) })),
);
