/** What the pages for engineers name exists, and the two walks of docs/architecture.md keep to their lengths. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const exists = (file: string): boolean => existsSync(join(root, file));
const pages = [
  'AGENTS.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/how-to', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  ),
].filter((page) => page.endsWith('.md'));
const scripts = Object.keys((JSON.parse(read('package.json')) as { readonly scripts: object }).scripts);

/** Paths of the project in code spans and in commands; a path with a placeholder in capitals counts as its folder. */
function placesIn(text: string): string[] {
  const code = [...text.matchAll(/`([^`\n]+)`|^```sh\n([\s\S]*?)^```/gm)].map(([, span, block]) => span ?? block ?? '');
  const paths = code.flatMap((each) => each.match(/(?<![\w/.-])(?:src|test|scripts|docs)\/[\w./-]*/g) ?? []);
  return paths.map((path) => path.replace(/[^/]*\b[A-Z]{3,}\b.*$/, '').replace(/[.]$/, ''));
}

/** The files of the table below a heading, by its numbered rows. */
function walkIn(text: string, heading: string): { readonly numbers: number[]; readonly files: string[] } {
  const part = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const rows = [...part.matchAll(/^\| (\d+) \| `([^`]+)` \|/gm)];
  return { numbers: rows.map(([, number]) => Number(number)), files: rows.map(([, , file = '']) => file) };
}

it.each(pages)('%s names places that exist', (page) => {
  const missing = [...new Set(placesIn(read(page)))].filter((place) => !exists(place));
  expect(missing.map((place) => `${page} names ${place}, which does not exist: name its present place.`)).toEqual([]);
});

it.each(pages)('%s links to pages that exist', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  const missing = links.filter((link) => !exists(join(dirname(page), link)));
  expect(missing.map((link) => `${page} links to ${link}, which does not exist: link to its present place.`)).toEqual(
    [],
  );
});

it.each(pages)('%s names commands of package.json', (page) => {
  const named = [...read(page).matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
  const missing = [...new Set(named)].filter((name) => !scripts.includes(name));
  expect(missing.map((name) => `${page} names npm run ${name}, which package.json does not have.`)).toEqual([]);
});

it.each([
  ['Follow a question', 16, 'src/ui/chat/composer.tsx'],
  ['Follow a note', 10, 'src/core/turn/run-tool-calls.ts'],
] as const)('docs/architecture.md walks “%s” in at most %i files, none of them twice', (heading, most, first) => {
  const { numbers, files } = walkIn(read('docs/architecture.md'), heading);
  expect(files[0]).toBe(first);
  expect(numbers).toEqual(files.map((_file, index) => index + 1));
  const twice = files.filter((file, index) => files.indexOf(file) !== index);
  expect(twice.map((file) => `docs/architecture.md enters ${file} twice in “${heading}”.`)).toEqual([]);
  const beyond = files.slice(most);
  expect(beyond.map((file) => `docs/architecture.md needs ${file} as file ${most + 1} of “${heading}”.`)).toEqual([]);
});
