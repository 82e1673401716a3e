/** The link gate: what opens, what is asked about and why, what is refused. */
import { findUrls, judgeLink } from '../../../../src/ui/render/link-gate';

const known = findUrls('See https://known.example/a, (https://known.example/b?q=1). Mail mailto:me@known.example!');
const judge = (destination: string, visibleText = 'here', tainted = false) =>
  judgeLink(destination, { visibleText, tainted, knownUrls: known });

it('finds the addresses of a text without the punctuation around them', () => {
  for (const url of ['https://known.example/a', 'https://known.example/b?q=1', 'mailto:me@known.example']) {
    expect(known.has(url)).toBe(true);
  }
});

it.each(['https://known.example/a', 'HTTPS://KNOWN.example/a', 'mailto:me@known.example', ' https://known.example/a'])(
  'opens %s',
  (url) => expect(judge(url).verdict).toBe('open'),
);

it.each([
  ['unknown-url', 'https://known.example/a?d=secret', 'here'],
  ['unknown-url', 'mailto:me@known.example?body=secret', 'here'],
  ['unknown-url', 'http://known.example/a', 'here'],
  ['other-host', 'https://known.example/a', 'https://bank.example/login'],
  ['other-host', 'https://known.example/a', 'go to bank.example now'],
  ['other-host', 'https://known.example/a', 'bank。example'],
  ['other-host', 'https://known.example/a', 'bаnk.example'],
  ['other-host', 'https://known.example/a', 'ba\u200dnk.example'],
  ['other-host', 'https://known.example/a', '10.0.0.1'],
  ['other-host', 'https://known.example/a', 'known.example.evil.example'],
  ['other-host', 'mailto:me@known.example', 'me@bank.example'],
  ['disguised', 'https://known.example/a', 'abc\u202edef'],
  ['disguised', 'https://known.example/a', 'a\u{e0041}b'],
  ['credentials', 'https://bank.example@known.example/a', 'here'],
])('asks for reason %s: %s shown as %j', (reason, url, visibleText) => {
  expect(judge(url, visibleText)).toMatchObject({ verdict: 'confirm', reason });
});

it('does not ask when the words name the very host, in any spelling', () => {
  for (const words of ['known.example', 'www.known.example', 'https://KNOWN.example/a', 'ｋnown.example']) {
    expect(judge('https://known.example/a', words).verdict).toBe('open');
  }
  const german = judgeLink('https://münchen.example/', {
    visibleText: 'münchen.example',
    knownUrls: new Set(['https://münchen.example/']),
  });
  expect(german).toMatchObject({ verdict: 'open', host: 'xn--mnchen-3ya.example' });
});

it('names each domain that a mail goes to, once if it is the same', () => {
  expect(judge('mailto:a@Known.example,b@known.example')).toMatchObject({ host: 'known.example' });
  expect(judge('mailto:a@known.example,b@bank.example')).toMatchObject({ host: 'known.example, bank.example' });
});

it('asks about everything while tainted, and when no known address is given', () => {
  expect(judge('https://known.example/a', 'here', true)).toMatchObject({ verdict: 'confirm', reason: 'tainted' });
  expect(judgeLink('https://known.example/a', { visibleText: '' }).verdict).toBe('confirm');
});

it.each([
  ['scheme', 'javascript:alert(1)'],
  ['scheme', 'java\nscript:alert(1)'],
  ['scheme', '\u0001javascript:alert(1)'],
  ['scheme', 'data:text/html,<script>'],
  ['scheme', 'file:///c:/x'],
  ['scheme', 'obsidian://open'],
  ['scheme', 'app://x'],
  ['scheme', 'blob:https://a.example/b'],
  ['scheme', 'c:\\windows'],
  ['malformed', '//a.example'],
  ['malformed', 'no scheme'],
  ['malformed', 'mailto:'],
  ['malformed', 'http://[::1'],
  ['too-long', `https://a.example/${'x'.repeat(9_000)}`],
])('refuses for reason %s: %j', (reason, url) => {
  expect(judge(url)).toMatchObject({ verdict: 'refuse', reason });
});

it('shows punycode hosts, decoded queries and unseen characters', () => {
  const shown = (url: string): string => judge(url).shown;
  expect(shown('https://аpple.example/')).toBe('https://xn--pple-43d.example/');
  expect(shown('https://a.example/p?note=my%20secret%E2%80%AE')).toBe('https://a.example/p?note=my secret{U+202E}');
  expect(shown('https://a.example/%ff')).toBe('https://a.example/%ff');
  expect(shown('https://user:pass@a.example/')).toBe('https://user:…@a.example/');
  expect(shown(`https://a.example/${'x'.repeat(3_000)}`)).toMatch(/… \(\+\d+\)$/);
});

it('opens addresses of 8,192 characters at the most, and shows 2,000 of a longer one', () => {
  const address = (length: number): string => 'https://a.example/'.padEnd(length, 'x');
  expect([judge(address(8_192)).verdict, judge(address(8_193)).verdict]).toEqual(['confirm', 'refuse']);
  expect(judge(address(8_193)).shown).toBe(`${address(2_000)}… (+6193)`);
});
