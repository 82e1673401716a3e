/** What an address or an argument carries of what was read (rules 6.9): 24 characters in a row, plain or encoded. */
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
