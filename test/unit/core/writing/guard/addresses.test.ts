/** Addresses in every spelling in which Markdown, HTML, YAML, and browsers read them. */
import { activeContentIn } from '../../../../../src/core/writing/guard/active-content';
import { decodeYamlEscapes, webAddressesIn } from '../../../../../src/core/writing/guard/addresses';

it('reads the escapes of YAML, of which the letter case decides how long they are', () => {
  expect(decodeYamlEscapes('\\x68\\u0074\\U00000074\\U0001F600\\U0001f600')).toBe('htt\u{1f600}\u{1f600}');
  expect(decodeYamlEscapes('a\\\n   b\\\r\n\tc\\/d\\"e\\\\f\\tg\\Nh')).toBe('abc/d"e\\f\tg\nh');
  expect(decodeYamlEscapes('a\\nb\\rc\\Nd\\Le\\Pf\\_g\\th')).toBe('a\nb\nc\nd\ne\nf g\th');
  expect(decodeYamlEscapes('\\U00110000\\UFFFFFFFFx')).toBe('x');
});

it.each(['https\\U0000003a//x.org/a.png', '\\U00000068ttps\\u003a//x.org/a.png', 'https:\\U0000002f/x.org/a.png'])(
  'finds an image in a property, however its address is escaped: %s',
  (address) => {
    const kinds = activeContentIn('N.md', `---\ncover: "${address}"\n---\n`).map(({ kind, runner }) => [kind, runner]);
    expect(kinds).toContainEqual(['remote-image', 'x.org']);
  },
);

const found = (text: string): string[] => activeContentIn('N.md', text).map(({ kind, runner }) => `${kind} ${runner}`);

it.each(['&#x00000000073;', '&#0000000000115;', '&#x00000000073', '&#0115;', '&#x73;'])(
  'reads a character reference with as many zeros as HTML allows: %s',
  (reference) => {
    expect(found(`<a href="${reference}hortcuts:run">x</a>`)).toEqual(['html a']);
  },
);

it('reads the plus sign of a scheme that is written as a reference', () => {
  expect(found('[x](web&plus;app:run)')).toEqual(['scheme web+app']);
});

it.each(['&#1;', '&#x1f;', '\u0001', '&#1;&#32;&Tab;'])('drops what browsers drop before an address: %j', (before) => {
  expect(found(`<a href="${before}shortcuts:run">x</a>`)).toEqual(['html a']);
  expect(found(`[x](${before}shortcuts:run)`)).toEqual(['scheme shortcuts']);
  expect(found(`![x](${before}https://x.org/a.png)`)).toEqual(['remote-image x.org']);
  expect(found(`![x](${before}//x.org/a.png)`)).toEqual(['remote-image x.org']);
});

it.each([
  ...['[x](https&Tab;://x.org/?q=a)', '[x](https&#9;://x.org/?q=a)', '[x](h&NewLine;ttps:&Tab;//x.org/?q=a)'],
  ...['<a href="https\t://x.org/?q=a">x</a>', '<a href="http\ns://x.org/?q=a">x</a>'],
  ...['<a href="https:\r\n//x.org/?q=a">x</a>', '<a href="https:\tx.org/?q=a">x</a>'],
])('finds a web address whose scheme a browser puts together: %j', (text) => {
  expect(webAddressesIn(text).map((address) => address.replace('//', ''))).toContain('https:x.org/?q=a');
});

it('puts no words of a text together', () => {
  expect(webAddressesIn('Over http:\n- a list, h\nt\nt\np, and https:\n\nEnd.')).toEqual([]);
});
