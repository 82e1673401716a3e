/** The judge of content finds all that a Markdown tokenizer finds: remote images, and links that open programs. */
import fc from 'fast-check';
import { Lexer, Marked, type Token } from 'marked';
import { activeContentIn } from '../../src/core/writing/guard/active-content';

/** Pieces that hide an address from a reader of labels, quotes, lists, code, and HTML. */
const pieces = [
  ...['![', '[', ']', '](', '][', ']:', ')', '(', '<', '>', '"', "'", '\\', '`', '``', '!', ' ', '  ', '\n', '\n\n'],
  ...['> ', '- ', '1. ', '    ', '\t', '*', '_', '~~', '|', '#', 'a', 'b', 'a b', '&#104;', '&colon;', '\\]', '\\['],
  ...[
    'https://x.org/a.png',
    'https:',
    '//x.org/b',
    'javascript:x',
    '[b](obsidian://open)',
    '[a](javascript:x)',
    '[a]: https://x.org/c.png',
  ],
  ...['![a](https://x.org/d.png)', '![b][a]', '[a]', '```', '~~~', '<b title="', '">', '<!--', '-->', '$', '%%'],
];

interface Found {
  readonly images: boolean;
  readonly programs: boolean;
}

function byTokenizer(text: string): Found {
  let [images, programs] = [false, false];
  const visit = (token: Token): void => {
    if (token.type !== 'image' && token.type !== 'link') return;
    const href = String((token as { href?: unknown }).href ?? '');
    if (token.type === 'image' && /^(?:https?:|\/\/)/i.test(href)) images = true;
    if (/^(?:javascript|obsidian):/i.test(href)) programs = true;
  };
  // The walk is the library's own; nothing is drawn.
  new Marked().walkTokens(new Lexer({ gfm: true, breaks: true }).lex(text), visit);
  return { images, programs };
}

it('T4 T5 the judge misses nothing that the tokenizer finds', () => {
  let [images, programs] = [0, 0];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 24 }), (parts) => {
      const text = parts.join('');
      const tokens = byTokenizer(text);
      const kinds = activeContentIn('N.md', text).map(({ kind }) => kind);
      if (tokens.images) {
        images += 1;
        expect(kinds).toContain('remote-image');
      }
      if (tokens.programs) {
        programs += 1;
        expect(kinds).toContain('scheme');
      }
    }),
    { numRuns: 8_000 },
  );
  expect(images).toBeGreaterThan(200);
  expect(programs).toBeGreaterThan(50);
});
