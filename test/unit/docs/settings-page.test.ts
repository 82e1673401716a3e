/** @jest-environment jsdom */
/** docs/settings.md is made from the settings' own words: with UPDATE_GOLDENS=1 this test writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { closeTestApps } from 'obsidian-workbench/jest';
import { groupsWith, type Group, type Item } from '../../support/settings-groups';

const page = 'docs/settings.md';
const start = `# Settings

All settings of Docent, in the order of the tab: select **Settings**, then **Docent** under **Community plugins**. Settings with **›** open a page of their own.
`;

afterEach(closeTestApps);

it('the page of the settings is current', async () => {
  const written = write(await groupsWith());
  if (process.env.UPDATE_GOLDENS === '1') writeFileSync(page, written);
  const current = readFileSync(page, 'utf8');
  // The words of the failure are the remedy.
  expect(current === written ? '' : `${page} is old: run this test with UPDATE_GOLDENS=1.`).toBe('');
});

it('names every setting of the tab', async () => {
  const groups = await groupsWith();
  const text = readFileSync(page, 'utf8');
  const all = (items: readonly Item[]): readonly Item[] => items.flatMap((item) => [item, ...all(item.items ?? [])]);
  for (const item of all(groups.flatMap(({ items }) => items))) {
    expect(text).toContain(isRemark(item) ? remarkOf(item) : textOf(item.name));
  }
});

/** Writes the first screen, then each page under its name. */
function write([first, more]: readonly Group[]): string {
  const pages = (more?.items ?? []).map(({ name, desc, items = [] }) =>
    [`## ${textOf(name)} ›`, textOf(desc), ...listOf(items, 3)].join('\n\n'),
  );
  const screen = ['## First screen', ...listOf(first?.items ?? [], 3)].join('\n\n');
  return `${[start.trimEnd(), screen, ...pages].join('\n\n')}\n`;
}

/** Pages that differ in their names alone, such as those of the providers, are written once. */
function listOf(items: readonly Item[], level: number): string[] {
  const known = new Map<string, Item[]>();
  for (const item of items) {
    const key = item.items === undefined ? `setting ${textOf(item.name)}` : shapeOf(item);
    known.set(key, [...(known.get(key) ?? []), item]);
  }
  return [...known.values()].flatMap((alike) => entryOf(alike, level));
}

/** Whether a row only says something, under the name of the model in use or under none. */
function isRemark({ control, render, items }: Item): boolean {
  return control === undefined && render === undefined && items === undefined;
}

function remarkOf({ name, desc }: Item): string {
  return textOf(desc) || textOf(name);
}

function shapeOf({ items = [] }: Item): string {
  return items.map(({ name }) => textOf(name)).join('|');
}

function entryOf(alike: readonly Item[], level: number): string[] {
  const [item] = alike;
  if (item === undefined) return [];
  if (isRemark(item)) return [remarkOf(item)];
  const isPage = item.items !== undefined;
  const names = alike.map(({ name }) => textOf(name)).join(', ');
  const options = Object.values(item.control?.options ?? {}).filter((option) => option !== '');
  return [
    `${'#'.repeat(level)} ${names}${isPage ? ' ›' : ''}`,
    ...(textOf(item.desc) === '' ? [] : [textOf(item.desc)]),
    ...(options.length === 0 ? [] : [`Choices: ${options.map((option) => `**${option}**`).join(', ')}.`]),
    ...(isPage ? listOf(item.items?.filter(({ name }) => textOf(name) !== names) ?? [], level + 1) : []),
  ];
}

/** Returns the words without what depends on the vault, such as whether a note exists. */
function textOf(given: Item['desc']): string {
  return wordsIn(given).replace(/ Not there\.$/, '');
}

function wordsIn(desc: Item['desc']): string {
  if (desc === undefined || typeof desc === 'string') return (desc ?? '').trim();
  const lines = [...desc.childNodes].map((node) => (node.textContent ?? '').trim()).filter((line) => line !== '');
  return lines.length > 1 ? lines.map((line) => `- ${line}`).join('\n') : lines.join('');
}
