import { mkdirSync, readdirSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { writeTree } from 'obsidian-workbench/testing/folders';
import { expectRefusal, folderOfEach, runScript, runScripts, type ScriptResult } from './run-script';

jest.setTimeout(60_000);

const folder = folderOfEach();

describe('npm start', () => {
  const wrong: [string, string[]][] = [
    ['a vault that is not there', ['--vault', '/nowhere/at/all']],
    ['a vault that is a file', ['--vault', 'package.json']],
    ['a port that is no number', ['--port', 'many']],
    ['a port that is too large', ['--port', '70000']],
    ['a seed that is no number', ['--chaos', 'x']],
    ['an option that does not exist', ['--bogus']],
    ['settings for a vault that is not a copy', ['--scripted', '--in-place', '--vault', '.']],
  ];
  let results: readonly ScriptResult[];
  beforeAll(async () => {
    const runs = wrong.map(([, given]) => ['--no-open', ...given]);
    results = await runScripts('start.mjs', [...runs, ['--in-place']]);
  });

  it.each(wrong)('ends on %s with words and a remedy', (name) => {
    expectRefusal(results[wrong.findIndex(([each]) => each === name)]!);
  });

  it('does not work in place on the demo vault', () => {
    expect(results.at(-1)).toMatchObject({ code: 1, words: expect.stringMatching(/--vault PATH/) });
  });
});

describe('npm run install-plugin', () => {
  it('refuses what is not a vault, and writes nothing there', async () => {
    const answers = await runScripts('install-plugin.mjs', [
      ['--vault', folder.path],
      ['--vault', '/nowhere'],
    ]);
    expect(answers).toHaveLength(2);
    for (const answer of answers) expectRefusal(answer);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('puts the three files into the vault and leaves the settings alone', async () => {
    const plugin = path.join(folder.path, '.obsidian/plugins/docent');
    mkdirSync(plugin, { recursive: true });
    writeTree(plugin, { 'data.json': '{"mine":true}', 'main.js': 'old' });
    const { code, words } = await runScript('install-plugin.mjs', '--vault', folder.path);
    expect([code, words]).toEqual([0, '']);
    expect(readdirSync(plugin).sort()).toEqual(['data.json', 'main.js', 'manifest.json', 'styles.css']);
  });
});

it('npm start names the port that is in use', async () => {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as net.AddressInfo;
  const { code, out, words } = await runScript('start.mjs', '--no-open', '--port', String(port));
  taken.close();
  expect([code, out]).toEqual([1, '']);
  expect(words).toMatch(new RegExp(`^Port ${port} is in use: choose another.*\\.\n$`));
});
