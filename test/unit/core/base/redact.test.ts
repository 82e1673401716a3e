/** What is taken out of logs, diagnostics, and errors: keys in any spelling, and what looks like anybody's key. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redact, redactKeys, spellingsOf } from '../../../../src/core/base/redact';
import { expectCostBelow, expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const secret = 'sk-ant-Zq81LmT7vYw2KcP4xR9b';
const codes = (write: (code: number) => string): string =>
  [...secret].map((sign) => write(sign.charCodeAt(0))).join('');
const hex = (code: number): string => code.toString(16);

it.each([
  ['in upper case', secret.toUpperCase()],
  ['in lower case', secret.toLowerCase()],
  ['in hexadecimal digits', Buffer.from(secret).toString('hex')],
  ['in hexadecimal digits of upper case', Buffer.from(secret).toString('hex').toUpperCase()],
  ['reversed', [...secret].reverse().join('')],
  ['as entities', codes((code) => `&#${code};`)],
  ['as hexadecimal entities', codes((code) => `&#x${hex(code)};`)],
  ['with its dashes as entities', secret.replaceAll('-', '&#45;')],
  ['as \\u escapes', codes((code) => `\\u${hex(code).padStart(4, '0')}`)],
  ['with its dashes as \\u escapes', secret.replaceAll('-', '\\u002d')],
  ['as \\x escapes', codes((code) => `\\x${hex(code)}`)],
  ['as all percent', codes((code) => `%${hex(code)}`)],
  ['as percent in upper case', codes((code) => `%${hex(code).toUpperCase()}`)],
  ['by its last 14 characters', secret.slice(-14)],
  ['by its first 14 characters', secret.slice(0, 14)],
  ['by 15 characters of its middle', secret.slice(5, 20)],
])('H10 takes out a key %s', (_how, text) => {
  expect(redact(`before ${text} after`, [secret])).toBe('before [redacted] after');
});

it.each([
  ['in upper case', secret.toUpperCase()],
  ['by its first 14 characters', secret.slice(0, 14)],
  ['as entities', codes((code) => `&#${code};`)],
  ['in upper case, with its dashes as entities', secret.toUpperCase().replaceAll('-', '&#45;')],
])('H10 takes out a key %s next to letters that become longer in lower case', (_how, text) => {
  const before = 'İSTANBUL’DA İYİ GÜNLER';
  expect(redact(`${before} ${text} İyi`, [secret])).toBe(`${before} [redacted] İyi`);
});

it('leaves what only resembles a key, and finds each of several', () => {
  expect(redact('sk-ant-Zq81 &#38; 100%25', [secret])).toBe('sk-ant-Zq81 &#38; 100%25');
  expect(redact(`${secret.toUpperCase()},x,${secret}`, [secret])).toBe('[redacted],x,[redacted]');
});

it.each([
  ['Google', 'AIzaSyD-1234567890abcdefghijklmnopqrstu'],
  ['GitHub', 'ghp_1234567890abcdefghijklmnopqrstuvwxyz'],
  ['GitHub, fine-grained', 'github_pat_11ABCDEFG0123456789_abcdefghijklmnopqrstuvwxyz'],
  ['a web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'],
  ['Hugging Face', 'hf_abcdefghijklmnopqrstuvwxyzABCDEFGH'],
  ['Amazon', 'AKIAIOSFODNN7EXAMPLE'],
  ['Slack', 'xoxb-123456789012-abcdefghijkl'],
  ['GitLab', 'glpat-abcdefghij0123456789'],
  ['Anthropic', 'sk-ant-api03-abcdefghijklmnop'],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----'],
])('H10 takes out a key of %s that is nobody’s here', (_whose, key) => {
  expect(redactKeys(`before ${key} after`)).toBe('before [redacted] after');
});

const webToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P';

it.each([
  ...['token=', 'token:', 'token: "', "token='", 'Bearer ', 'https://host/?id_token=', '&jwt=', '\n', '/', '(', '–'],
  ...['access_token_', '__', '%3D', '%3d', '%22', '%253D', '\\n', '\\t', '\\u003d', '\\u003D', '\\x3d', '\\"', '&#61;'],
  ...['Bearer', 'token2'],
])('takes out a web token directly after %j', (before) => {
  expect(redactKeys(`${before}${webToken} after`)).toBe(`${before}[redacted] after`);
  expect(redactKeys(`${before}${webToken}&${before}${webToken}`)).toBe(`${before}[redacted]&${before}[redacted]`);
});

it.each([
  ['signed', `${webToken}`],
  ['signed, with much in it', webToken.replace('.dozj', `${'a'.repeat(9_000)}.dozj`)],
  ['unsigned', webToken.replace(/[^.]*$/, '')],
  ['encrypted', `${webToken}.cipherText_0123456789.tag_0123456789`],
  ['encrypted directly', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..aXZfMDEyMzQ1Njc4.cipherText_0123456789.tag_012345'],
])('takes out all of a web token that is %s', (_how, token) => {
  expect(redactKeys(`id_token=${token}&x`)).toBe('id_token=[redacted]&x');
  if (token.endsWith('.')) return;
  expect(redactKeys(`It was ${token}. Then`)).toBe('It was [redacted]. Then');
});

it.each(['%3D', '%253D', '\\n', '\\u003d', '\\x3d'])('takes out a key directly after the escape %j', (before) => {
  for (const key of ['sk-ant-api03-abcdefghijklmnop', `ghp_${'a'.repeat(20)}`, `AIza${'a'.repeat(30)}`])
    expect(redactKeys(`key${before}${key}&x=1`)).toBe(`key${before}[redacted]&x=1`);
});

it('leaves words that resemble a key or a web token', () => {
  const plain = [
    ...['surveyJournalists.configuration', 'monkeyJunglebook.markdownfile', 'eyJudgement', 'eyJ.abcdefgh.abcdefgh'],
    ...['obeyJabcdefgh.abcdefgh', 'task-management', 'orders_pk_constraint', '%task-management', 'ask_questionnaire'],
  ];
  for (const text of plain) expect(redactKeys(text)).toBe(text);
});

it('takes nothing for a key in the notes of the demo vault', () => {
  const folder = 'test/support/demo-vault';
  const notes = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.endsWith('.md'),
  );
  const alarms = notes.filter(({ parentPath, name }) => {
    const text = readFileSync(join(parentPath, name), 'utf8');
    return redactKeys(redact(text, [secret])) !== text;
  });
  expect(alarms.map(({ name }) => name)).toEqual([]);
});

it.each([
  ...['a', '%41', '&#45;', '-----BEGIN PRIVATE KEY-----', 'sk-ant-', 'SG.'].map((piece) => [piece, 240_000] as const),
  // Each of its pieces may begin a token of 4,000 characters, so that less text is as much work.
  ['eyJ-', 60_000] as const,
  ['eyJa', 60_000] as const,
])('takes linear time over %j', async (piece, length) => {
  const run = (size: number) => () => redactKeys(redact(piece.repeat(size / piece.length), [secret]));
  // A square would be sixteen times as much.
  await expectGrowthBelow(9, run(length), run(length / 4));
});

it('takes little time over many short texts with a long token', async () => {
  const token = `eyJ${Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 37) % 256)).toString('base64url')}`;
  const spellings = spellingsOf(token);
  const texts = Array.from(
    { length: 300 },
    (_, at) => `{"method":"notifications/progress","params":{"progress":${at}}}`,
  );
  await expectCostBelow(400, () => texts.forEach((text) => redact(text, spellings)));
});

it('looks for other secrets from one text to the next', () => {
  const others = Array.from({ length: 20 }, (_, at) => `other-secret-${at}-abcdefgh`);
  for (const each of [...others, ...others]) {
    expect(redact(`${each} ${secret}`, [each])).toBe(`[redacted] ${secret}`);
    expect(redact(`${each} ${secret}`, [each, secret])).toBe('[redacted] [redacted]');
    expect(redact(`${each} ${secret}`, [])).toBe(`${each} ${secret}`);
  }
});

it.each([
  ...['sk-abcdefgh', 'pk_abcdefgh', 'rk-abcdefgh', 'gsk_abcdefgh', 'xai-abcdefgh', 'pplx-abcdefgh', 'nvapi-abcdefgh'],
  ...['glpat-abcdefgh', 'whsec_abcdefgh', 'tgp_v1_abcdefgh', 'r8_abcdefgh', 'sk-abc*****'],
  ...['a', 'b', 'e', 'o', 'p', 'r', 's'].map((kind) => `xox${kind}-abcdefgh`),
  `AIza${'a'.repeat(30)}`,
  `ya29.${'a'.repeat(20)}`,
  ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((kind) => `${kind}_${'a'.repeat(20)}`),
  ...['github_pat', 'hf', 'npm', 'dop_v1', 'shpat', 'dckr_pat'].map((kind) => `${kind}_${'a'.repeat(20)}`),
  ...['AKIA', 'ASIA'].map((kind) => `${kind}${'A0'.repeat(8)}`),
  'eyJabcdefgh.abcdefgh',
  'eyJabcdefgh.abcdefgh.abc',
  `SG.${'a'.repeat(16)}.${'b'.repeat(16)}`,
  '-----BEGIN PRIVATE KEY-----\nabc',
])('takes %j for a key, and not what is a character shorter', (key) => {
  expect(redactKeys(`(${key})`).replace(/\nabc|\)$/, '')).toMatch(/^\(\[redacted\]/);
  if (/^(?:eyJ.*\..*\.|-)/.test(key)) return;
  expect(redactKeys(`(${key.slice(0, -1)})`)).toBe(`(${key.slice(0, -1)})`);
  expect(redactKeys(`x${key}`)).toBe(`x${key}`);
});

it('takes out whole secrets of 6 to 13 characters, and parts of 14 of longer ones', () => {
  const letters = 'Qw7xZk9pLm3vTb5n';
  expect(redact(`a ${letters.slice(0, 5)} b`, [letters.slice(0, 5)])).toBe(`a ${letters.slice(0, 5)} b`);
  for (const length of [6, 13, 14, 16]) {
    const key = letters.slice(0, length);
    const forms = [key, key.toUpperCase(), [...key].reverse().join(''), Buffer.from(key).toString('hex')];
    for (const form of forms) expect(redact(`a=${form}&b`, [key])).toBe('a=[redacted]&b');
    const part = key.slice(0, -1).toUpperCase();
    expect(redact(`a=${part}&b`, [key])).toBe(length > 14 ? 'a=[redacted]&b' : `a=${part}&b`);
  }
  expect(redact(`a=${letters.slice(1, 14)}&b`, [letters])).toBe(`a=${letters.slice(1, 14)}&b`);
  expect(redact(`a=${letters.slice(1, 15)}&b`, [letters])).toBe('a=[redacted]&b');
});

it('takes out a secret in Base64 wherever it begins, in both alphabets, and in the spellings of servers', () => {
  const key = 'a/?>~\u00ff key+9';
  for (const before of ['', 'x', 'xy', 'xyz']) {
    const encoded = Buffer.from(`${before}${key}tail`).toString('base64');
    for (const form of [encoded, encoded.replaceAll('+', '-').replaceAll('/', '_')])
      expect(redact(form, [key])).toContain('[redacted]');
  }
  expect(redact(JSON.stringify({ key: `${key}"` }), [`${key}"`])).toBe('{"key":"[redacted]"}');
  expect(redact(encodeURIComponent(key), [key])).toBe('[redacted]');
  expect(spellingsOf('a/b+c=~')).toEqual(['a/b+c=~', 'a\\/b+c=~', 'a%2fb%2bc%3d~', btoa('a/b+c=~').replace(/=+$/, '')]);
  expect(spellingsOf('>>>???')[3]).toBe('Pj4-Pz8_');
});

it('joins what it takes out next to one another, and leaves escapes that are no character', () => {
  const key = 'Qw7xZk9pLm3vTb5n';
  const escaped = key.toLowerCase().replaceAll('w', '%77');
  expect(redact(`${escaped}${escaped}`, [key])).toBe('[redacted]');
  expect(redact(`&#x110000; &#9999999; %zz ${escaped}`, [key])).toBe('&#x110000; &#9999999; %zz [redacted]');
  expect(redact('', [key])).toBe('');
  expect(redact(key, [])).toBe(key);
});
