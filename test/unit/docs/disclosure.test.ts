/**
 * SECURITY.md and the README name all that the code can reach: in both directions, file by file. With UPDATE_GOLDENS=1
 * this test writes the names and hosts of the providers in the pages that have them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { providers } from '../../../src/models/providers';
import { words } from '../../../src/text';
import { expectNoFaults } from '../expect-no-faults';
import { readSources } from '../read-sources';
import { literalsIn, reachesIn } from './reaches';

const root = join(__dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const hosted = providers.filter(({ local }) => !local);
const labels = hosted.map(({ labelKey }) => words.models.labels[labelKey]);
const hostsOf = (addresses: readonly string[]): string[] => [
  ...new Set(addresses.map((address) => `\`${new URL(address).host}\``)),
];
const apis = hostsOf(hosted.map(({ baseUrl }) => baseUrl));
const keyPages = hostsOf(hosted.flatMap(({ keyPage }) => keyPage ?? [])).filter((host) => !apis.includes(host));

/** What the pages say of the providers: the place, and what is there. */
const providerParts: readonly (readonly [page: string, place: RegExp, text: string])[] = [
  ['README.md', /(?<=^\| )[^|]+(?= \| when you send a message to a model of that provider)/m, apis.join(', ')],
  ['README.md', /(?<=^\| )[^|]+(?= \| when you select \*\*Get an API key\*\*)/m, keyPages.join(', ')],
  ['SECURITY.md', /(?<=^\| )[^|]+(?= \| the pages on which providers give keys)/m, keyPages.join(', ')],
  [
    'SECURITY.md',
    /(?<=^\| Host \| Provider \| What is sent \|\n\|---\|---\|---\|\n)[^]+?(?=^\| [^|]+ \| the pages on which)/m,
    hosted
      .map(({ baseUrl }, at) => [
        ...hostsOf([baseUrl]),
        labels[at],
        at === 0 ? 'prompts, images that you attach, your key' : 'the same',
      ])
      .map((cells) => `| ${cells.join(' | ')} |\n`)
      .join(''),
  ],
  [
    'docs/models-and-prices.md',
    /^[^.\n]+(?= need an account of theirs)/m,
    new Intl.ListFormat('en', { type: 'conjunction' }).format(labels),
  ],
];
if (process.env.UPDATE_GOLDENS === '1') {
  for (const [page, place, text] of providerParts)
    writeFileSync(
      join(root, page),
      read(page).replace(place, () => text),
    );
}

const [security, readme] = [read('SECURITY.md'), read('README.md')];
const sources = readSources('src')
  .files.filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !path.startsWith('src/text/'))
  .map((path) => ({ path, text: read(path) }));

/** The part of a page below a heading. */
function below(page: string, heading: string): string {
  return page.split(/^(?=#{2,3} )/m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
}

/** Rows of tables, as their cells. */
function rowsOf(text: string): string[][] {
  const rows = [...text.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
  return rows.filter(([first = '']) => !/^-+:?$/.test(first));
}

const codeIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

const written = rowsOf(below(security, '### What the code reaches'))
  .flatMap(([reach, , places]) => codeIn(places).map((place) => `${codeIn(reach)[0] ?? ''} in ${place}`))
  .sort();
const found = sources
  .flatMap(({ path, text }) => [...reachesIn(path, text)].map((reach) => `${reach} in ${path}`))
  .sort();

it('SECURITY.md names each reach of the code, and the file that has it', () => {
  const unnamed = found.filter((each) => !written.includes(each));
  const stale = written.filter((each) => !found.includes(each));
  expectNoFaults([
    ...unnamed.map((each) => `${each}: add it to “What the code reaches” in SECURITY.md, and say there what for.`),
    ...stale.map((each) => `${each} is in SECURITY.md, but not in the code: remove it there.`),
  ]);
  expect(written.length).toBeGreaterThan(15);
});

it('SECURITY.md names files that exist', () => {
  const places = [...security.matchAll(/`((?:src|scripts|docs|test)\/[\w./-]+)`/g)].map(([, place = '']) => place);
  expectNoFaults(places.filter((place) => !existsSync(join(root, place))).map((place) => `${place} does not exist.`));
});

it('SECURITY.md names each address in the code, and no other host, and the README each provider', () => {
  const inCode = [...new Set(sources.flatMap(({ path, text }) => literalsIn(path, text).hosts))].sort();
  const named = rowsOf(below(security, '### Hosts')).flatMap(([host]) => codeIn(host));
  expect(named.sort()).toEqual(inCode);
  expect(inCode).toContain('api.openai.com');
  const table = below(readme, '## What Docent accesses');
  expectNoFaults(
    inCode.filter((host) => !table.includes(`\`${host}\``)).map((host) => `The table of the README lacks ${host}.`),
  );
});

it.each(providerParts)('%s names each provider, place %#', (page, place, text) => {
  expect(read(page)).toMatch(place);
  const [written] = read(page).match(place) ?? [];
  // The words of the failure are the remedy.
  expect(written === text ? '' : `${page} is old: run this test with UPDATE_GOLDENS=1.`).toBe('');
});

it('SECURITY.md and the README name each environment variable', () => {
  const inCode = sources.flatMap(({ path, text }) =>
    /[vV]ariable/.test(text) ? literalsIn(path, text).variables : [],
  );
  const known = [...new Set(inCode)].sort();
  expect(known).toEqual(expect.arrayContaining(['DOCENT_SYSTEM_MD', 'HOME', 'USERPROFILE']));
  const named = codeIn(below(security, '### Environment variables')).filter((each) => /^[A-Z_]+$/.test(each));
  expect([...new Set(named)].sort()).toEqual(known);
  expect(below(readme, '## What Docent accesses')).toContain('docs/environment-variables.md');
});

it('the README has its table below its first screen, and links to SECURITY.md', () => {
  const headings = [...readme.matchAll(/^## (.*)$/gm)].map(([, name]) => name);
  expect([headings[0], headings.at(-1)]).toEqual(['Install', 'What Docent accesses']);
  const table = below(readme, '## What Docent accesses');
  expect(table).toContain('(SECURITY.md)');
  const subjects = [
    'outside the vault',
    'Environment variables',
    'clipboard',
    'list of your notes',
    'Keychain',
    'worker',
  ];
  expectNoFaults(
    subjects.filter((each) => !table.includes(each)).map((each) => `The table of the README says nothing of: ${each}.`),
  );
});

it('finds a reach in each form in which code can have it', () => {
  const cases: readonly (readonly [code: string, reach: string])[] = [
    ['void event.currentTarget.win.navigator.clipboard.writeText(x)', 'navigator.clipboard'],
    ['const { clipboard } = win.navigator;', 'navigator.clipboard'],
    ['const { clipboard: board } = win.navigator;', 'navigator.clipboard'],
    ["navigator['clipboard'].readText()", 'navigator.clipboard'],
    ['const all = app.vault.getMarkdownFiles();', 'vault.getMarkdownFiles'],
    ['(window as Holder).process?.env?.[name]', 'process.env'],
    ['new Worker(address)', 'Worker'],
    ['new window.Worker(address)', 'Worker'],
    ["new WebSocket('wss://x')", 'WebSocket'],
    ["window.fetch('https://x')", 'window.fetch'],
    ["fetch('https://x')", 'window.fetch'],
    ["import { requestUrl } from 'obsidian';", 'requestUrl'],
    ["import { requestUrl as ask } from 'obsidian';", 'requestUrl'],
    ["await import('node:child_process')", 'node:child_process'],
    ["import { exec } from 'node:child_process';", 'node:child_process'],
    ["const { shell } = require('electron');", 'electron'],
    ["localStorage.setItem('a', 'b')", 'localStorage'],
    ["window.localStorage.getItem('a')", 'localStorage'],
    ["new Function('return 1')", 'Function'],
    ["eval('1')", 'eval'],
    ["window.open('https://x')", 'window.open'],
  ];
  const missed = cases.filter(([code, reach]) => !reachesIn('a.ts', code).has(reach));
  expect(missed).toEqual([]);
  const harmless = [
    'type A = Worker;',
    'interface A { fetch(): void }',
    "import type { requestUrl } from 'obsidian';",
    'leaf.open(view)',
  ];
  expect(harmless.flatMap((code) => [...reachesIn('a.ts', code)])).toEqual([]);
});
