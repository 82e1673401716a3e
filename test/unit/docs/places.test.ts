/** What the pages for engineers name exists, and the two walks of docs/architecture.md keep to their lengths. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expectNoFaults } from '../expect-no-faults';

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
  expectNoFaults(missing.map((place) => `${page} names ${place}, which does not exist: name its present place.`));
});

it.each(pages)('%s links to pages that exist', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  const missing = links.filter((link) => !exists(join(dirname(page), link)));
  expectNoFaults(missing.map((link) => `${page} links to ${link}, which does not exist: link to its present place.`));
});

it.each(pages)('%s names commands of package.json', (page) => {
  const named = [...read(page).matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
  const missing = [...new Set(named)].filter((name) => !scripts.includes(name));
  expectNoFaults(
    missing.map((name) => `${page} names npm run ${name}, which package.json does not have: name one of its scripts.`),
  );
});

it.each([
  ['Follow a question', 16, 'src/ui/chat/composer.tsx'],
  ['Follow a note', 10, 'src/core/turn/run-tool-calls.ts'],
] as const)('docs/architecture.md walks “%s” in at most %i files, none of them twice', (heading, most, first) => {
  const { numbers, files } = walkIn(read('docs/architecture.md'), heading);
  const walk = `“${heading}” in docs/architecture.md`;
  const twice = files.filter((file, index) => files.indexOf(file) !== index);
  expectNoFaults([
    ...(files[0] === first ? [] : [`${walk} begins with ${files[0] ?? 'nothing'}: let it begin with ${first}.`]),
    ...(numbers.every((number, index) => number === index + 1)
      ? []
      : [`${walk} has rows numbered ${numbers.join(', ')}: number them from 1 without a gap.`]),
    ...twice.map((file) => `${walk} has ${file} twice: keep one of its rows.`),
    ...(files.length <= most
      ? []
      : [`${walk} has ${files.length} files, and may have ${most}: drop a step of the way.`]),
  ]);
});
