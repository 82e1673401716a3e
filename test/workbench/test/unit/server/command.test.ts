import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, writeTree } from '../../../src/testing/folders';
import { openServer } from './open-server';

jest.setTimeout(60_000);

const command = path.resolve(__dirname, '../../../src/command.mjs');
const plugin = path.resolve(__dirname, '../../second-plugin');

const runMany = path.resolve(__dirname, '../../../src/testing/run-many.mjs');

interface Result {
  readonly code: number;
  readonly out: string;
  readonly words: string;
}

/** Runs a program of Node, and resolves to what it printed when it ends without a fault. */
const runNode = (given: readonly string[], input = ''): Promise<Result> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, given, (error, out, words) => {
      resolve({ code: error ? Number(error.code) : 0, out, words });
    });
    child.stdin?.end(input);
  });

let folder: string;
let results: readonly Result[];

const wrong: readonly [what: string, given: () => string[], sentence: RegExp][] = [
  ['no plugin', () => [], /^Name the folder of one plugin/],
  ['two plugins', () => [plugin, plugin], /^Name the folder of one plugin/],
  ['a folder without a plugin', () => [path.join(folder, 'empty')], /^There is no plugin in .*: name a folder/],
  ['an option that does not exist', () => [plugin, '--bogus'], /^Unknown option '--bogus': see --help/],
  ['a vault that is not there', () => [plugin, '--vault', '/nowhere/at/all'], /--vault PATH/],
  ['its own vault to work on in place', () => [plugin, '--in-place'], /--vault PATH/],
  ['a seed that is no number', () => [plugin, '--chaos', 'x'], /^--chaos takes a whole number/],
];
const manifests = ['{', '{}', '{"id":"../out"}'];
const given = (): string[][] => [
  ...wrong.map(([, make]) => make()),
  ...manifests.map((_, index) => [path.join(folder, `plugin-${index}`)]),
  ['--help'],
];

// Each process would compile the server.
beforeAll(async () => {
  folder = temporaryFolder();
  mkdirSync(path.join(folder, 'empty'));
  for (const [index, manifest] of manifests.entries())
    writeTree(path.join(folder, `plugin-${index}`), { 'manifest.json': manifest, 'main.js': '' });
  const { out, words } = await runNode([runMany, command], JSON.stringify(given()));
  expect(words).toBe('');
  results = JSON.parse(out) as Result[];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(wrong)('ends on %s with one sentence', (what, _given, sentence) => {
  const { code, out, words } = results[wrong.findIndex(([each]) => each === what)]!;
  expect([code, out]).toEqual([1, '']);
  expect(words).toMatch(sentence);
  expect(words).toMatch(/^[^\n]+\.\n$/);
  expect(readdirSync(path.join(folder, 'empty'))).toEqual([]);
});

it('ends in a process of its own as it does in one with others', async () => {
  expect(await runNode([command, ...given()[2]!])).toEqual(results[2]);
});

it.each(manifests)('ends on a manifest that says %s with one sentence', (manifest) => {
  const { code, words } = results[wrong.length + manifests.indexOf(manifest)]!;
  expect([code, words]).toEqual([1, expect.stringMatching(/manifest\.json names no plugin: [^\n]+\.\n$/)]);
});

it('says what it takes', () => {
  const { code, out, words } = results.at(-1)!;
  expect([code, words]).toEqual([0, '']);
  for (const option of ['--vault PATH', '--in-place', '--phone', '--chaos SEED']) expect(out).toContain(option);
});

it('is told by the server how to build a page that is missing', async () => {
  const server = await openServer({}, { assets: path.join(folder, 'empty') });
  const answer = await server.ask('GET', '/');
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('obsidian-workbench/build')]);
  await server.tearDown();
});
