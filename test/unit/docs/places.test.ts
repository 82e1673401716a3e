/** What pages name exists: places, links, pictures, commands and figures. The walks of docs/architecture.md stay short. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Figures, putFigures, writePoints } from '../../../scripts/pages/readme-figures.mjs';
import { expectNoFaults } from '../expect-no-faults';

const root = join(__dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const exists = (file: string): boolean => existsSync(join(root, file));
const listed = (folder: string): string[] => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
const pages = [
  ...['AGENTS.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'],
  ...['docs', 'docs/how-to', 'docs/decisions'].flatMap(listed),
].filter((page) => page.endsWith('.md'));
const { scripts, engines } = JSON.parse(read('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
};
/** The pages of releases, which are not files; GitHub resolves it from the page of the README. */
const releases = '../../releases';

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

/** The text of a page without its blocks of code. */
const proseOf = (page: string): string => read(page).replace(/^```[\s\S]*?^```$/gm, '');

/** Links and pictures of a page that lead into the project, as they are written. */
function targetsIn(text: string): string[] {
  const prose = text.replace(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)];
  const pictures = [...prose.matchAll(/<(?:img|source)\b[^>]*?\b(?:src|srcset)="([^"\s]+)"/g)];
  return [...links, ...pictures].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const known = new Map<string, number>();
  const anchors = [...proseOf(page).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
    const count = known.get(anchor) ?? 0;
    known.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set(anchors);
}

/** What is wrong with a link or a picture of a page; null if it leads somewhere. */
function faultOf(page: string, target: string): string | null {
  if (target === releases) return null;
  const [file = '', anchor] = target.split('#');
  const place = file === '' ? page : join(dirname(page), decodeURI(file));
  if (!exists(place)) return `${page} leads to ${target}, which does not exist: name its present place.`;
  if (anchor === undefined || !place.endsWith('.md') || anchorsOf(place).has(anchor)) return null;
  return `${page} leads to ${target}, but ${place} has no heading for #${anchor}: name one of its headings.`;
}

const faultsIn = (page: string, text: string): string[] =>
  targetsIn(text).flatMap((target) => faultOf(page, target) ?? []);

it.each(pages)('%s leads to pages, headings and pictures that exist', (page) => {
  expectNoFaults(faultsIn(page, proseOf(page)));
});

it('finds a link, an anchor, and a picture that do not exist', () => {
  const wrong = '[a](docs/nowhere.md) [b](docs/settings.md#nowhere) [c](#nowhere) ![d](docs/images/nowhere.png)';
  const tags = '<img alt="e" src="docs/images/gone.png"> <source media="x" srcset="docs/images/lost.png">';
  const right =
    '[a](docs/settings.md#long-chats-and-summaries-) [b](https://example.com/x) `[c](nowhere.md)` [d](#install)';
  expect(faultsIn('README.md', `${wrong} ${tags}`)).toHaveLength(6);
  expect(faultsIn('README.md', right)).toEqual([]);
});

/** Texts that may name a decision: its file, or its number after the word. */
const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !file.includes('node_modules'))
    .map((file) => `${folder}/${file}`);

it('decisions are numbered without gaps, headed by their number, and named as they are', () => {
  const files = readdirSync(join(root, 'docs/decisions')).sort();
  const numbers = files.map((file) => file.slice(0, 4));
  expect(numbers).toEqual(files.map((_, index) => String(index + 1).padStart(4, '0')));
  const wrongHeads = files.filter((file) => !read(`docs/decisions/${file}`).startsWith(`# ${file.slice(0, 4)}: `));
  expectNoFaults(wrongHeads.map((file) => `${file} does not begin with its number: write “# ${file.slice(0, 4)}: …”.`));
  const texts = [...pages, ...['src', 'test', 'scripts'].flatMap((folder) => filesIn(folder, /\.(?:[cm]?[jt]s|tsx)$/))];
  const unknown = texts.flatMap((text) =>
    [...read(text).matchAll(/\bdecisions?[ /](\d{4})(-[a-z-]+\.md)?/gi)]
      .filter(([, number = '', rest]) =>
        rest === undefined ? !numbers.includes(number) : !files.includes(number + rest),
      )
      .map(([named]) => `${text} names ${named}, which does not exist: name its present number and file.`),
  );
  expectNoFaults(unknown);
});

it('every page for users is at most two links from the README', () => {
  const linked = (page: string): string[] =>
    targetsIn(proseOf(page)).map((target) => join(dirname(page), target.split('#')[0] ?? ''));
  const near = linked('README.md');
  const reached = new Set([...near, ...near.filter((page) => pages.includes(page)).flatMap(linked)]);
  const alone = listed('docs').filter((page) => page.endsWith('.md') && !reached.has(page));
  expectNoFaults(alone.map((page) => `${page} is further than two links from README.md: link to it.`));
});

/** Where an option of a command is read. */
const sourcesOfOptions = ['scripts', 'scripts/mutation', 'test/workbench/src/server']
  .flatMap(listed)
  .filter((file) => /\.m?[jt]s$/.test(file))
  .map(read)
  .join('\n');
const partsOfCommands: Readonly<Record<string, string>> = {
  bench: read('scripts/bench.mjs'),
  measure: read('scripts/measure.mjs'),
  lab: read('scripts/lab.mjs'),
};

/** What is wrong with the commands of npm in a text: scripts, parts and options that do not exist. */
function faultsOfCommands(page: string, text: string): string[] {
  const named = [...text.matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(start|test)\b)(?: -- ([^`\n|&#]*))?/g)];
  return named.flatMap(([, run, short, given = '']) => {
    const name = run ?? short ?? '';
    if (scripts[name] === undefined)
      return [`${page} names npm run ${name}, which package.json does not have: name one of its scripts.`];
    const options = [...given.matchAll(/(?<![\w-])--([\w-]+)/g)].map(([, option = '']) => option);
    const unknown = options.filter(
      (option) => !new RegExp(`--${option}\\b|['"]?\\b${option}['"]?:`).test(sourcesOfOptions),
    );
    const parts = (given.split(' --')[0] ?? '').match(/(?<=^| )[a-z-]+(?= |$)/g) ?? [];
    const source = partsOfCommands[name];
    const missing = source === undefined ? [] : parts.filter((part) => !source.includes(`'${part}'`));
    return [...unknown.map((option) => `--${option}`), ...missing].map(
      (part) => `${page} names npm run ${name} with ${part}, which that command does not know: name one that it knows.`,
    );
  });
}

it.each(pages)('%s names commands that exist, with parts and options that they know', (page) => {
  expectNoFaults(faultsOfCommands(page, read(page)));
});

it('finds a command, a part, and an option that do not exist', () => {
  const wrong =
    '`npm run nothing`\n`npm run bench -- nothing --json`\n`npm start -- --nothing`\n`npm test -- --nothing`';
  expect(faultsOfCommands('README.md', wrong)).toHaveLength(4);
});

describe('the figures of the README', () => {
  const figures = JSON.parse(read('docs/figures.json')) as Figures;
  const readme = read('README.md');
  const refresh = 'run npm run measure -- figures --write';

  it('are those of docs/figures.json, which has the scoreboard’s of its last run', () => {
    expectNoFaults(
      putFigures(readme, figures) === readme ? [] : [`The figures of README.md are not those kept: ${refresh}.`],
    );
    const { rows } = JSON.parse(read('test/scoreboard/measured.json')) as {
      readonly rows: Readonly<Record<string, { readonly tries: number; readonly effects: number }>>;
    };
    for (const [name, { tries, effects } = { tries: 0, effects: 0 }] of ['denied', 'undo'].map(
      (row) => [row, rows[row]] as const,
    ))
      expect([name, figures['npm run scoreboard']?.[name]]).toEqual([name, { tries, effects }]);
  });

  it('are all the numbers of its prose, but the versions that it needs', () => {
    const { minAppVersion } = JSON.parse(read('manifest.json')) as { readonly minAppVersion: string };
    const versions = [engines.node.replace('>=', ''), minAppVersion.replace(/\.0$/, '')];
    const prose = readme
      .replace(writePoints(figures), '')
      .replace(/<[^>]*>|\]\([^)]*\)|`[^`]*`|^\d+\. |^```[\s\S]*?^```$/gm, '');
    const others = (prose.match(/\d[\d.,]*\d|\d/g) ?? []).filter((number) => !versions.includes(number));
    expectNoFaults(others.map((number) => `README.md has the number ${number}, which no command prints: ${refresh}.`));
  });
});

it('the README fits one screen, and its first five parts a glance', () => {
  const readme = read('README.md');
  const countWords = (text: string): number => {
    const plain = text.replace(/<[^>]*>/g, '').replace(/\]\([^)]*\)/g, ']');
    return plain.match(/[\w’'./-]*\w[\w’'./-]*/g)?.length ?? 0;
  };
  const table = /^\| (?!<img).*$/gm;
  expect(countWords(readme.slice(0, readme.indexOf('<!-- end of the figures -->')))).toBeLessThan(120);
  expect(countWords(readme.replace(table, ''))).toBeLessThan(400);
});

it('the pictures have the sizes of the directory, are half dark and half light, and small', () => {
  const pictures = listed('docs/images').map((file) => {
    const png = readFileSync(join(root, file));
    const [, subject = '', device = '', theme = ''] = /([a-z]+)-([a-z]+)-([a-z]+)\.png$/.exec(file) ?? [];
    return { file, subject, device, theme, size: `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, bytes: png.length };
  });
  const sizes: Readonly<Record<string, string>> = { desktop: '1200x800', phone: '900x1600' };
  expect(pictures.filter(({ device, size }) => sizes[device] !== size)).toEqual([]);
  // The README has the review in both themes; the directory gets one of each subject and device.
  const subjects = (device: string): string[] => [
    ...new Set(pictures.filter((each) => each.device === device).map(({ subject }) => subject)),
  ];
  expect(subjects('desktop').sort()).toEqual(['answer', 'chats', 'inspector', 'review', 'settings']);
  expect(subjects('phone').sort()).toEqual(subjects('desktop').sort());
  const dark = pictures.filter(({ theme }) => theme === 'dark').length;
  expect(Math.abs(dark - pictures.filter(({ theme }) => theme === 'light').length)).toBeLessThanOrEqual(1);
  expect(pictures.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(1_500_000);
});

it.each([
  ['Follow a question', 15, 'src/ui/chat/composer.tsx'],
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
