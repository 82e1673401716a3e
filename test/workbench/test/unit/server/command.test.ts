import { execFile } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, writeTree } from '../../../src/testing/folders';
import { openServer } from './open-server';

jest.setTimeout(60_000);

const command = path.resolve(__dirname, '../../../src/command.mjs');
const plugin = path.resolve(__dirname, '../../second-plugin');

const run = (...given: string[]): Promise<{ code: number; out: string; words: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [command, ...given], (error, out, words) => {
      resolve({ code: error ? Number(error.code) : 0, out, words });
    });
  });

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each<[string, () => string[], RegExp]>([
  ['no plugin', () => [], /^Name the folder of one plugin/],
  ['two plugins', () => [plugin, plugin], /^Name the folder of one plugin/],
  ['a folder without a plugin', () => [folder], /^There is no plugin in .*: name a folder/],
  ['an option that does not exist', () => [plugin, '--bogus'], /^Unknown option '--bogus': see --help/],
  ['a vault that is not there', () => [plugin, '--vault', '/nowhere/at/all'], /--vault PATH/],
  ['its own vault to work on in place', () => [plugin, '--in-place'], /--vault PATH/],
  ['a seed that is no number', () => [plugin, '--chaos', 'x'], /^--chaos takes a whole number/],
])('ends on %s with one sentence', async (_what, given, sentence) => {
  const { code, out, words } = await run(...given());
  expect([code, out]).toEqual([1, '']);
  expect(words).toMatch(sentence);
  expect(words).toMatch(/^[^\n]+\.\n$/);
  expect(readdirSync(folder)).toEqual([]);
});

it.each(['{', '{}', '{"id":"../out"}'])('ends on a manifest that says %s with one sentence', async (manifest) => {
  writeTree(folder, { 'manifest.json': manifest, 'main.js': '' });
  const { code, words } = await run(folder);
  expect([code, words]).toEqual([1, expect.stringMatching(/manifest\.json names no plugin: [^\n]+\.\n$/)]);
});

it('says what it takes', async () => {
  const { code, out, words } = await run('--help');
  expect([code, words]).toEqual([0, '']);
  for (const option of ['--vault PATH', '--in-place', '--phone', '--chaos SEED']) expect(out).toContain(option);
});

it('is told by the server how to build a page that is missing', async () => {
  const server = await openServer({}, { assets: folder });
  const answer = await server.ask('GET', '/');
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('obsidian-workbench/build')]);
  await server.tearDown();
});
