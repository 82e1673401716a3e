/** The dry run of a release: what is in its way is said by name. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from 'obsidian-workbench/testing/folders';
import { runScript } from './run-script';

jest.setTimeout(60_000);

const sources = [
  'manifest.json',
  'package.json',
  'versions.json',
  'CHANGELOG.md',
  'README.md',
  'LICENSE',
  'styles.css',
];
const { version } = JSON.parse(readFileSync('manifest.json', 'utf8')) as { version: string };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  for (const file of sources) cpSync(file, path.join(folder, file));
  write('main.js', '"use strict";module.exports={};\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, text: string): void => writeFileSync(path.join(folder, file), text);
const change = (file: string, from: string | RegExp, to: string): void =>
  write(file, readFileSync(path.join(folder, file), 'utf8').replace(from, to));
const check = (tag = version, released = '0.1.0') =>
  runScript('build/check-release.mjs', '--tag', tag, '--folder', folder, '--released', released);

it('lets the version that the files have go out', async () => {
  expect(await check()).toEqual({
    code: 0,
    out: `${version} may be released: main.js, manifest.json, styles.css.\n`,
    words: '',
  });
});

it('names each file that is missing', async () => {
  rmSync(path.join(folder, 'main.js'));
  rmSync(path.join(folder, 'LICENSE'));
  const { code, out, words } = await check();
  expect([code, out]).toEqual([1, '']);
  expect(words).toBe(`main.js is missing in ${folder}.\nLICENSE is missing in ${folder}.\n`);
});

it('names a wrong tag, an old version, and each rule that a file breaks', async () => {
  change('package.json', /"version": "[^"]+"/, '"version": "0.0.1"');
  change('manifest.json', '{', '{ "icon": "x",');
  change('manifest.json', /\.",/, ' in Obsidian: fast",');
  write('versions.json', '{}');
  write('CHANGELOG.md', '# Changelog\n');
  write('main.js', 'x = /(?<=a)b/; eval("1"); y = "é";\n//# sourceMappingURL=main.js.map\n');
  write('styles.css', 'a { background: url(https://example.com/a.png); }');
  const { code, out, words } = await check(`v${version}`, '0.10.0,0.9.1');
  expect([code, out]).toEqual([1, '']);
  const said = words.trim().split('\n');
  expect(said).toEqual([
    `The tag “v${version}” is no version such as 0.2.0, without a letter in front of it.`,
    `The tag is “v${version}”, and manifest.json has the version ${version}.`,
    `package.json has the version 0.0.1, not ${version}.`,
    `versions.json has “nothing” for ${version}; it should be 1.13.0.`,
    `The version ${version} is old: 0.10.0 has been released.`,
    `CHANGELOG.md has no section “${version}” with a date.`,
    'manifest.json: “icon” is unknown.',
    'manifest.json: the description needs 10 to 250 plain characters, a capital letter, and a period.',
    'main.js has a regular expression that looks behind: /(?<=a)b/',
    expect.stringMatching(/^main\.js runs text as code at \d+\.$/),
    expect.stringMatching(/^main\.js has a character outside ASCII at \d+\.$/),
    'main.js names a source map, which is not released.',
    'styles.css loads something from elsewhere: url(https://example.com/a.png',
  ]);
});
