/** The command that asks a real Obsidian what the workbench guesses, and compares the answers. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeTree } from 'obsidian-workbench/testing/folders';
import { expectRefusal, folderOfEach, runScript } from './run-script';

jest.setTimeout(60_000);

const folder = folderOfEach();

const compare = (text: string) => {
  writeTree(folder.path, { 'recorded.json': text });
  return runScript('contract.mjs', '--compare', path.join(folder.path, 'recorded.json'));
};

it('writes the script, prints it, and says how to run it', async () => {
  const { code, out, words } = await runScript('contract.mjs', '--print');
  expect([code, out]).toEqual([0, readFileSync('dist/vault-contract.js', 'utf8')]);
  expect(words).toContain('await observeVault(app)');
});

it('names each observation that is not the emulator’s, and ends with 1', async () => {
  const { code, out } = await compare(JSON.stringify({ normalizePath: ['other'], 'what the emulator lacks': true }));
  expect(out).toMatch(/^normalizePath\n {2}emulator: \[.*\]\n {2}recorded: \["other"\]$/m);
  expect(out).toContain('what the emulator lacks\n  emulator: nothing\n  recorded: true\n');
  expect([code, out.split('\n').at(-2)]).toEqual([1, expect.stringMatching(/^2 observations, \d+ unlike/)]);
});

it('ends with 0 when all that was recorded is the emulator’s', async () => {
  const { out: all } = await compare('{}');
  const unrecorded = all.matchAll(/^(.+)\n {2}emulator: (.+)\n {2}recorded: nothing$/gm);
  const emulators = Object.fromEntries(Array.from(unrecorded, ([, name, value]) => [name, JSON.parse(value ?? '')]));
  const { code, out } = await compare(JSON.stringify(emulators));
  expect([code, out]).toEqual([0, `${Object.keys(emulators).length} observations, 0 unlike the emulator's.\n`]);
  expect(Object.keys(emulators).length).toBeGreaterThan(50);
});

it('ends on a file that is missing or no JSON with words', async () => {
  const missing = await runScript('contract.mjs', '--compare', path.join(folder.path, 'nowhere.json'));
  for (const result of [missing, await compare('{')]) expectRefusal(result);
});
