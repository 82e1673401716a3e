import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CachedMetadata } from 'obsidian';
import { parseNote } from 'obsidian-workbench/jest';
import { bestTarget, decodeEntities, scanNote } from '../../../../src/core/markdown/links';
import { propertyTags } from '../../../../src/core/markdown/note-tags';
import { frontNames } from '../../../../src/core/markdown/properties';
import { structureOf } from '../../../../src/core/markdown/structure';
import { outlineOf } from '../../../../src/vault/obsidian-vault';
import { yaml } from '../../../support/writing-bench';

const demoVault = join(__dirname, '../../../support/demo-vault');
const notes = readdirSync(demoVault, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));

it.each([
  ['./C', 'A/C.md'],
  ['././/C.md', 'A/C.md'],
  ['../C', 'C.md'],
  ['../../C', 'C.md'],
  ['./../A/./c', 'A/C.md'],
  ['./D', undefined],
])('a link written as %s leads where it says from the folder of its note', (link, target) => {
  expect(bestTarget(['A/B.md', 'C.md', 'A/C.md', 'D.md'], link, 'A/B.md')).toBe(target);
});

it('a link by name leads to the note nearest to its own: below its folder, then by the shortest path, then by name', () => {
  const from = (path: string, ...paths: string[]) => bestTarget(paths, 'C', path);
  expect(from('A/B.md', 'C/C.md', 'A/long/name/C.md', 'D/C.md')).toBe('A/long/name/C.md');
  expect(from('A/B.md', 'A/long/C.md', 'A/x/C.md', 'D/C.md')).toBe('A/x/C.md');
  expect(from('A/B.md', 'long/C.md', 'E/C.md', 'D/C.md')).toBe('D/C.md');
  expect(from('A/B.md', 'D/c.md', 'E/C.md', 'AA/x.md')).toBe('D/c.md');
  expect(from('B.md', 'long/C.md', 'E/C.md')).toBe('E/C.md');
  expect(from('A/B.md', 'D/xC.md', 'C.pdf')).toBeUndefined();
});

it('reads the names of characters that may hide an address, in either case, and leaves others as they are', () => {
  const names = 'amp colon sol bsol period tab newline lpar rpar num plus quest equals commat lt gt quot'.split(' ');
  for (const spell of [(name: string) => name, (name: string) => name.toUpperCase()])
    expect(decodeEntities(names.map((name) => `&${spell(name)};`).join(''))).toBe('&:/\\.\t\n()#+?=@<>"');
  expect(decodeEntities('a &copy; b &colon c & d')).toBe('a &copy; b &colon c & d');
});

/** The index's answer and ours, in one form. */
function compare(text: string, cache: CachedMetadata = parseNote(text)) {
  const { links, headings, tags, blocks, properties } = outlineOf('N.md', cache, () => undefined);
  const ours = scanNote(text, yaml);
  const byId = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id).sort();
  return [
    { links, headings, tags, properties, blocks: byId(blocks) },
    {
      links: ours.links,
      headings: ours.headings,
      tags: ours.tags,
      properties: ours.properties,
      blocks: byId(ours.blocks),
    },
  ];
}

const recorded = join(__dirname, '../../../../../shared/data/recorded-caches');
const recordings = existsSync(recorded) ? readdirSync(recorded).filter((name) => name.endsWith('.json')) : [];
const whenRecorded = recordings.length > 0 ? describe : describe.skip;

interface Recording {
  readonly fileContents: string;
  readonly cachedMetadata: CachedMetadata;
  readonly getAllTags: readonly string[];
}

whenRecorded('what a real Obsidian recorded', () => {
  // With no recordings, a row of its own keeps the table from being empty.
  it.each(recordings.length > 0 ? recordings : ['none'])('is what we find in %s', (name) => {
    const recording = JSON.parse(readFileSync(join(recorded, name), 'utf8')) as Recording;
    const { fileContents, cachedMetadata } = recording;
    const [theirs, ours] = compare(fileContents, cachedMetadata);
    expect(ours).toEqual(theirs);
    expect(theirs?.tags).toEqual([...new Set(recording.getAllTags)]);
    expect(structureOf(fileContents).headings).toEqual(theirs?.headings);
    const front = frontNames(fileContents, structureOf(fileContents));
    expect(front.tags.map((tag) => `#${tag}`)).toEqual(propertyTags(cachedMetadata.frontmatter ?? {}));
  });
});

describe('our own scan of a staged note', () => {
  it.each(notes)('finds what the index finds in %s', (path) => {
    const text = readFileSync(join(demoVault, path), 'utf8').replace(/^\ufeff/, '');
    if (text.includes('\0')) return;
    const [theirs, ours] = compare(text);
    expect(ours).toEqual(theirs);
  });

  it.each([
    'a `[[code]]` and ``[[a ` b]]`` [[link]] \\`[[kept]]\\`',
    '```\n[[no]] #no\n```\n[[yes]] #yes',
    '~~~js\n[[no]]\n~~~~\n[[yes]]',
    '- item\n  ```\n  [[no]]\n  ```\n- [[yes]]',
    '> ```\n> [[no]]\n> ```\n> [[yes]]',
    '%%[[a]] #a %% [[b]] <!-- [[no]] #no --> #tag',
    '%%\n[[a]]\n\n#a\n%%\n[[b]]',
    '%% `[[no]]` [[a]]\n```\n#no\n```\n%% #tag',
    '[[|]] [[|alias]] [[|#alias]] [[]] [[a|]]',
    '> [!note]\n> %% [[a]] #a %%',
    '---\ntags: [a, "#b", c d, e/f, 7]\n---',
    '---\ntags: a\n---',
    '---\ntags: []\n---\n#x',
    '---\ntag: [a]\nTAG: b\n---',
    '---\n{ "tags": "a" }\n---',
    'costs $5 and $6 [[yes]], $[[no]]$',
    '$$\n[[no]]\n$$\n[[yes]]',
    '[text](Some%20note.md#Part) ![](pic.png) [out](https://x.y) [mail](mailto:a@b)',
    '[[a|b|c]] [[ spaced ]] ![[e#h|300]] [[x#^b]]',
    '#1 #a1 #a/b a#no #ä-ö #no!yes',
    '---\nlink: "[[a]]"\nlist: ["[[b|c]]", text]\ntags: x, y\n---\n# H\n[[c]]',
    'Text ^id1\n\n- item ^id2\n\n^id3\n',
    '# One #\n## Two `code` ##\n####### no\n#no heading',
    'One\n===\nText\n\nTwo\nlines\n---\n**Four**\n-',
    '- item\n---\n- item\nlazy\n---\n> quote\n---\n| a |\n| - |\n---\n[^1]: foot\n---',
    'Text\n\n---\n***\n---\n```\ncode\n---\n```\n    code\n---\n$$\nx\n=\n\ny\n=\n$$\nLast\n=',
    '---\na: b\n---\nOne\n---\n# Two\nThree\n---\n%%\ncomment\n%%\nFour\n===\r\nFive\r\n===\r\n',
    '',
  ])('agrees with the index on %j', (text) => {
    const [theirs, ours] = compare(text);
    expect(ours).toEqual(theirs);
  });
});
