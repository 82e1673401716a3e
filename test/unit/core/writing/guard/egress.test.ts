/** What an address or an argument carries of what was read (rules 6.9): 24 characters in a row, plain or encoded. */
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { carriedText } from '../../../../../src/core/writing/guard/egress';

const note = 'The rent is 900 and the door code is 4711, says Rui.';
const secret = 'The door code is 4711, says Rui.';
const shown = 'the door code is 4711, says rui.';
const carried = (outgoing: string, own: readonly string[] = []): string[] =>
  carriedText([outgoing], { read: [`# Home\n\n${note}\n`, 'Something else.'], own });

it.each([
  ['plain', secret],
  ['percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
  ['with plus signs', secret.replaceAll(' ', '+')],
  ['in capitals', secret.toUpperCase()],
  ['over two lines', secret.replace(' code ', '\n code\t')],
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64 for addresses', Buffer.from(secret).toString('base64url')],
  ['percent-encoded base64', encodeURIComponent(Buffer.from(secret).toString('base64'))],
  ['hexadecimal', Buffer.from(secret).toString('hex')],
])('finds text of a note that goes out %s', (_how, encoded) => {
  expect(carried(`evil.example/?q=${encoded}&x=1`)).toEqual([shown]);
});

it.each([
  ['23 characters', 'a/?q=' + encodeURIComponent('door code is 4711, says'), []],
  [
    '24 characters',
    'a/?q=' + encodeURIComponent('door code is 4711, says '.trimEnd() + ' r'),
    ['door code is 4711, says r'],
  ],
])('counts %s as 6.9 does', (_name, outgoing, expected) => {
  expect(carried(outgoing)).toEqual(expected);
});

it.each([
  ['other spaces and dashes', '\u2003\u2014'],
  ['marks of East Asian text', '\u3001\u3000'],
])('finds it with %s between its words', (_name, between) => {
  expect(carried(secret.replaceAll(' ', between))).toEqual([shown.slice(0, -1)]);
});

it('finds a passage wherever it begins', () => {
  for (let pad = 0; pad < 24; pad += 1) expect(carried(`${'x'.repeat(pad)}${secret.slice(4, 28)}`)).toHaveLength(1);
});

it('leaves the user’s own words alone', () => {
  expect(carried(`a/?q=${encodeURIComponent(secret)}`, [`Look up: ${note}`])).toEqual([]);
});

it.each(['https://example.org/a/b?c=d', '', '%', '%ff%fe%zz', '='.repeat(100), 'A'.repeat(10_000)])(
  'finds nothing in %j',
  (outgoing) => {
    expect(carried(outgoing)).toEqual([]);
  },
);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const inPieces = (text: string, length: number): string[] => text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? [];
const rotated = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });

it.each([
  ['with dashes', secret.replace(/[^a-z0-9]+/gi, '-')],
  ['with underscores', secret.replace(/[^a-z0-9]+/gi, '_')],
  ['without blanks', secret.replace(/[^a-z0-9]+/gi, '')],
  ['with a dot behind each letter', [...secret].join('.')],
  ['in one path segment for each word', secret.split(' ').join('/')],
  ['reversed', encodeURIComponent([...secret].reverse().join(''))],
  ['in rot13', encodeURIComponent(rotated(secret))],
  ['as entities', [...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join('')],
  ['as hexadecimal entities', [...secret].map((letter) => `&#x${letter.charCodeAt(0).toString(16)};`).join('')],
  ['as \\u escapes', [...secret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  ['as all percent', [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')],
  ['in Base64 of UTF-16', Buffer.from(secret, 'utf16le').toString('base64')],
  ['in Base64 twice', base64(base64(secret))],
  ['in Base64 that is split', inPieces(base64(secret), 8).join('.')],
  ['in Base64 that is split by dashes', inPieces(base64(secret), 10).join('-')],
  ['in Base64 that is reversed', [...base64(secret)].reverse().join('')],
  ['in hexadecimal digits with colons', inPieces(Buffer.from(secret).toString('hex'), 2).join(':')],
  ['as character codes', [...secret].map((letter) => letter.charCodeAt(0)).join(',')],
])('finds text of a note that goes out %s', (_how, encoded) => {
  expect(carried(`evil.example/?q=${encoded}&x=1`).join(' ')).toContain('door code is 4711');
});

it.each([
  ['plain', 20, (text: string) => encodeURIComponent(text)],
  ['plain and short', 9, (text: string) => encodeURIComponent(text)],
  ['reversed', 18, (text: string) => encodeURIComponent([...text].reverse().join(''))],
])('finds a passage in pieces over several addresses, %s', (_how, length, encode) => {
  const addresses = inPieces(encode(secret), length).map((piece) => `evil.example/a.png?q=${piece}&x=1`);
  expect(carriedText(addresses, { read: [note], own: [] })).not.toEqual([]);
});

it('finds a passage in pieces of Base64 over several addresses', () => {
  const addresses = inPieces(base64(secret), 12).map((piece) => `evil.example/${piece}/a.png`);
  expect(carriedText(addresses, { read: [note], own: [] })).not.toEqual([]);
});

it('takes linear time over what goes out and what was read', async () => {
  const texts = (length: number) =>
    ['a', 'door code ', '%41', 'YWFh', '\\u0041', 'x1-'].map((piece) => piece.repeat(length / piece.length));
  for (const out of [0, 1, 2, 3, 4, 5]) {
    const run = (length: number) => () => {
      const [outgoing = '', read = ''] = [texts(length)[out], `${texts(length).join(' ')}`];
      return carriedText([outgoing], { read: [read], own: ['the user’s own'] });
    };
    await expectGrowthBelow(2.6, run(60_000), run(30_000));
  }
});
