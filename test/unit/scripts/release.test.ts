/** The dry run of a release: what is in its way is said by name. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from 'obsidian-workbench/testing/folders';
import { runScripts, type ScriptResult } from './run-script';

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

/** What is changed in a folder that may be released, by name. */
const changes: Readonly<Record<'right' | 'missing' | 'broken', (files: Files) => void>> = {
  right: () => undefined,
  missing: ({ remove }) => ['main.js', 'LICENSE'].forEach(remove),
  broken: ({ write, change }) => {
    change('package.json', /"version": "[^"]+"/, '"version": "0.0.1"');
    change('manifest.json', '{', '{ "icon": "x",');
    change('manifest.json', /\.",/, ' in Obsidian: fast",');
    write('versions.json', '{}');
    write('CHANGELOG.md', '# Changelog\n');
    write('main.js', 'x = /(?<=a)b/; eval("1"); y = "é";\n//# sourceMappingURL=main.js.map\n');
    write('styles.css', 'a { background: url(https://example.com/a.png); }');
  },
};
type Name = keyof typeof changes;
const names = Object.keys(changes) as Name[];

interface Files {
  readonly write: (file: string, text: string) => void;
  readonly change: (file: string, from: string | RegExp, to: string) => void;
  readonly remove: (file: string) => void;
}

let folder: string;
let results: readonly ScriptResult[];
const folderOf = (name: Name): string => path.join(folder, name);
const resultOf = (name: Name): ScriptResult => results[names.indexOf(name)]!;

beforeAll(async () => {
  folder = temporaryFolder();
  for (const name of names) {
    for (const file of sources) cpSync(file, path.join(folderOf(name), file));
    const write = (file: string, text: string): void => writeFileSync(path.join(folderOf(name), file), text);
    const textOf = (file: string): string => readFileSync(path.join(folderOf(name), file), 'utf8');
    write('main.js', '"use strict";module.exports={};\n');
    changes[name]({
      write,
      change: (file, from, to) => write(file, textOf(file).replace(from, to)),
      remove: (file) => rmSync(path.join(folderOf(name), file)),
    });
  }
  const argumentsOf = (name: Name, tag = version, released = '0.1.0'): string[] => [
    ...['--tag', tag, '--folder', folderOf(name), '--released', released],
  ];
  results = await runScripts('build/check-release.mjs', [
    argumentsOf('right'),
    argumentsOf('missing'),
    argumentsOf('broken', `v${version}`, '0.10.0,0.9.1'),
  ]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('lets the version that the files have go out', () => {
  expect(resultOf('right')).toEqual({
    code: 0,
    out: `${version} may be released: main.js, manifest.json, styles.css.\n`,
    words: '',
  });
});

it('names each file that is missing', () => {
  const { code, out, words } = resultOf('missing');
  expect([code, out]).toEqual([1, '']);
  expect(words).toBe(`main.js is missing in ${folderOf('missing')}.\nLICENSE is missing in ${folderOf('missing')}.\n`);
});

it('names a wrong tag, an old version, and each rule that a file breaks', () => {
  const { code, out, words } = resultOf('broken');
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
