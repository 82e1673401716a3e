/** What is taken out of logs, diagnostics, and errors: keys in any spelling, and what looks like anybody's key. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redact, redactKeys } from '../../../../src/core/base/redact';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

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

it.each(['a', '%41', '&#45;', 'eyJ-', '-----BEGIN PRIVATE KEY-----', 'sk-ant-', 'SG.'])(
  'takes linear time over %j',
  async (piece) => {
    const run = (length: number) => () => redactKeys(redact(piece.repeat(length / piece.length), [secret]));
    // A square would be sixteen times as much.
    await expectGrowthBelow(9, run(240_000), run(60_000));
  },
);
