/** @jest-environment node */
/** What a server says of a sign-in in the header of a refusal, as far as it is read. */
import { readChallenge, scopesIn } from '../../../src/remote/find-sign-in';

const read = (header: string) => readChallenge(new Response(null, { headers: { 'www-authenticate': header } }));

it.each([
  ['Bearer', { metadataUrl: null, scopes: [], error: null }],
  ['bearer error=invalid_token', { metadataUrl: null, scopes: [], error: 'invalid_token' }],
  [
    'Basic realm="a", Bearer Resource_Metadata = "https://a.example/m", scope="read write"',
    { metadataUrl: 'https://a.example/m', scopes: ['read', 'write'], error: null },
  ],
  ['Bearer error="a \\"b\\"", error="c"', { metadataUrl: null, scopes: [], error: 'a "b"' }],
])('reads %s', (header, challenge) => {
  expect(read(header)).toEqual(challenge);
});

it.each(['', 'Basic realm="a"', 'Bearers error="a"'])('reads no challenge in “%s”', (header) => {
  expect(read(header)).toBeNull();
});

it('reads 8,192 characters of the header', () => {
  const header = (length: number): string => `Bearer realm="${'a'.repeat(length - 24)}", error=b`;
  expect([8_192, 8_193].map((length) => [header(length).length, read(header(length))?.error])).toEqual([
    [8_192, 'b'],
    [8_193, null],
  ]);
});

it('takes each scope once, of up to 256 characters that a request can carry, and 64 of them', () => {
  const many = Array.from({ length: 65 }, (_, at) => `scope${at}`);
  expect(scopesIn(['a', 7, 'a', 'b c', 'é', '"', '', 'a:b'])).toEqual(['a', 'a:b']);
  expect(scopesIn([...many, 'scope0'])).toEqual(many.slice(0, 64));
  expect(scopesIn(many.join(' '))).toHaveLength(64);
  expect(scopesIn(['x'.repeat(256), 'y'.repeat(257)])).toEqual(['x'.repeat(256)]);
  expect([scopesIn(undefined), scopesIn({ 0: 'a' })]).toEqual([[], []]);
});
