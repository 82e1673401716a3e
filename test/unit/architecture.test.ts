/** Checks the code against docs/architecture.md: which module may import which, and what each folder may contain. */
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { drawHouse, faultsOf, measureHouse } from '../../scripts/house.mjs';
import { expectNoFaults } from './expect-no-faults';
import { reachedFrom, readSources, type Import } from './read-sources';

/** Rooms from the ground up, and what each may import besides itself and `src/text`, types included. */
const mayImport: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/core': {
    base: '',
    ports: '',
    settings: '',
    gate: 'base ports',
    session: 'base ports settings',
    markdown: 'base ports',
    markup: 'base ports',
    search: 'base ports markdown',
    goals: 'base ports session markdown markup',
    library: 'base ports settings markdown markup',
    images: 'ports session',
    hooks: 'base ports settings session markup library',
    writing: 'base ports settings session markdown',
    prompt: 'base ports settings session markdown markup search goals library',
    tools: 'base ports settings session markdown markup search goals library writing',
    request: 'base ports settings session markup library prompt tools',
    mcp: 'base ports gate markup library prompt tools',
    mentions: 'base ports session library markdown tools',
    context: 'base ports settings session markdown markup search goals library hooks prompt tools request',
    turn: 'base ports settings session markup search goals library hooks writing prompt tools request context',
    'own-prompt': 'ports settings session markdown markup prompt context',
    diagnostics: 'base ports settings session markdown markup library prompt context',
    chat: 'base ports session markdown markup goals images hooks writing context turn',
  },
  'src/models': { providers: '', http: 'providers', formats: 'providers http', 'built-in-reader': '' },
  'src/ui': {
    render: '',
    state: 'render',
    components: 'render state',
    context: 'state components',
    diagnostics: 'state components',
    goals: 'state components',
    mentions: 'state components',
    review: 'render state components',
    servers: 'render state components',
    chats: 'state components',
    chat: 'render state components context diagnostics goals mentions review servers chats',
    usage: 'chats components',
    prompts: 'state components chat',
    settings: 'render state components servers',
  },
};
/** Of these rooms, another may import no more than these folders and files. */
const doors: readonly (readonly [from: RegExp, room: string, door: readonly string[]])[] = [
  [/^src\/core\/tools\//, 'src/core/writing/', ['src/core/writing/guard/', 'src/core/writing/stage/']],
  [/^src\/core\/(request|mentions)\//, 'src/core/tools/', ['src/core/tools/tool.ts']],
];
/** They put the rest together. */
const roots = /^src\/(main|open-[\w-]+)\.ts$/;
/** Lists of self-contained files; only the root and the builder of the public options know what is in them. */
const lists = /^src\/core\/(tools|mentions|commands|prompt\/sections|diagnostics\/checks)\/index\.ts$/;
const knowLists = ['src/open-agent.ts', 'src/core/prompt/system-prompt-builder.ts'];
/** Comparing and merging texts is pure, and only what writes notes does it. */
const textComparing = ['diff'];
/** Splitting templates is pure, and only this reader knows what must never be run. */
const templateReader = 'src/core/markup/user-templates.ts';
/** Catalogues, tables and prose. */
const mayBeLong = /^src\/text\/|\/stop-words\.ts$|\/entities\.ts$|\.md$/;
const outOfCore =
  /\b(Date\.now|new Date\(\)|Math\.random|performance\.|crypto\.|fetch\(|console\.|setTimeout|setInterval|localStorage)/;

/** What is out of core has one of these words in it. */
const wordsOutOfCore = /\b(Date|Math|performance|crypto|fetch|console|setTimeout|setInterval|localStorage)\b/;

const { files, imports, textOf, codeOf, literalWords, linesOf } = readSources('src');
const listOf = (names: readonly string[]): string => names.join(', ').replace(/, ([^,]*)$/, ' and $1') || 'nothing';
const isCore = (path: string): boolean => path.startsWith('src/core/');

/** The top folder of a file; null for the files that put the rest together. */
function topOf(path: string): string | null {
  return roots.test(path) ? null : (path.split('/')[1] ?? '').replace(/\.ts$/, '');
}

/** Returns the folder below `top` that contains a file, or null for files outside `top` or directly in it. */
function roomIn(top: string, path: string): string | null {
  const [room = '', ...rest] = path.startsWith(`${top}/`) ? path.slice(top.length + 1).split('/') : [];
  return rest.length > 0 ? room : null;
}

/** Why an import breaks the order of the rooms, in one sentence; null when it does not. */
function faultOf({ from, to, name }: Import): string | null {
  if (to === null) return null;
  for (const [top, rooms] of Object.entries(mayImport)) {
    const [room, other] = [roomIn(top, from), roomIn(top, to)];
    if (room === null || room === other || !to.startsWith(`${top}/`)) continue;
    const below = rooms[room];
    if (below === undefined)
      return `${from} is in a room that test/unit/architecture.test.ts does not know: give ${top}/${room} a line there.`;
    if (other === null || !below.split(' ').includes(other))
      return `${from} imports ${name}, but ${top}/${room} imports ${below === '' ? 'no other room' : `only ${listOf(below.split(' '))}`}: move what both need to a room below them.`;
  }
  const closed = doors.find(
    ([user, room, door]) => user.test(from) && to.startsWith(room) && !door.some((each) => to.startsWith(each)),
  );
  return closed === undefined
    ? null
    : `${from} imports ${name} past the door of that room: import only from ${listOf(closed[2])}.`;
}

/** Why an import between the rooms around core, or out of core or the texts, breaks their order; null if it doesn't. */
function faultAround({ from, to, name }: Import): string | null {
  const [room, other] = [topOf(from), to === null ? null : topOf(to)];
  if (to === null || room === null || room === other) return null;
  const imported = `${from} imports ${name}, but src/${room}`;
  // The user guide is text as well.
  if (room === 'text' && /^docs\/[^/]+\.md$/.test(to)) return null;
  if (room === 'text') return `${imported} imports nothing: give the text what it says as an argument.`;
  if (other === 'text') return null;
  if (room === 'core') return `${imported} imports only core and src/text: ask for it with a port in src/core/ports.`;
  if (other === 'core') return null;
  return `${imported} imports only core and src/text: let src/open-docent.ts hand it over as a port of src/core/ports.`;
}

const isNode = (name: string): boolean => /^node:|^electron$/.test(name) || builtinModules.includes(name);

/** Why a package may not be imported there; null if it may. */
function faultOfPackage({ from, to, name }: Import): string | null {
  if (to !== null) return null;
  if (isCore(from)) {
    if (name === 'zod/v4' || (from.startsWith('src/core/writing/') && textComparing.includes(name))) return null;
    if (name === 'eta/core' && from === templateReader) return null;
    return textComparing.includes(name)
      ? `${from} imports ${name}, which only src/core/writing may: compare the texts there.`
      : `${from} imports ${name}, but of packages core may import zod/v4 only: ask for it with a port in src/core/ports.`;
  }
  if (name === 'obsidian' && !/^src\/(vault|ui)\//.test(from) && !roots.test(from))
    return `${from} imports obsidian, which only src/vault, src/ui, and the files right below src may: put what needs it there.`;
  if (isNode(name) && !from.startsWith('src/desktop/'))
    return `${from} imports ${name}, a module of Node, which only src/desktop may: put what needs it there.`;
  return null;
}

describe('architecture', () => {
  it('lets each room import only what is below it', () => {
    expectNoFaults(imports.flatMap((each) => faultOf(each) ?? []));
  });

  it('lets the rooms around core import core and text, and never one another', () => {
    expectNoFaults(imports.flatMap((each) => faultAround(each) ?? []));
  });

  it('keeps to the bounds of the house', () => {
    expectNoFaults(faultsOf(measureHouse()));
  });

  it('knows the app only in vault, ui and main, Node only in desktop, and few packages in core', () => {
    expectNoFaults(imports.flatMap((each) => faultOfPackage(each) ?? []));
  });

  it('starts without what is only needed later', () => {
    const later =
      /^src\/(open-docent\.ts|core\/(prompt|turn|context|tools|search|session|writing|markdown)\/|models\/|vault\/hash\.ts|ui\/(settings|components)\/|.*\.tsx)/;
    // What such a file imports is not followed: one import is one fault.
    const started = reachedFrom(
      'src/main.ts',
      imports.filter(({ from }) => !later.test(from)),
    );
    const wrong = imports.filter(({ from, to, name, typesOnly, later: isAwaited }) => {
      if (typesOnly || isAwaited || later.test(from) || !started.files.includes(from)) return false;
      return to === null ? name !== 'obsidian' : later.test(to);
    });
    expectNoFaults(
      wrong.map(
        ({ from, name }) =>
          `${from} imports ${name}, which a start of Obsidian does not need: import it with \`await import(…)\` where it is used.`,
      ),
    );
  });

  it('hands lists to the machinery, which never names what is in them', () => {
    const named = imports.filter(({ from, to }) => lists.test(to ?? '') && !knowLists.includes(from));
    expectNoFaults(
      named.map(
        ({ from, name }) =>
          `${from} imports the list ${name}, which only ${listOf(knowLists)} may: take the list as an argument.`,
      ),
    );
  });

  it('keeps clock, chance, network and console out of core', () => {
    const suspected = files.filter((path) => isCore(path) && wordsOutOfCore.test(textOf(path)));
    const found = suspected.map((path) => [path, outOfCore.exec(codeOf(path))?.[0]] as const);
    expectNoFaults(
      found.flatMap(([path, call]) =>
        call === undefined
          ? []
          : [
              `${path} uses ${call}, but core has no clock, chance, network, or console: ask for it with a port in src/core/ports.`,
            ],
      ),
    );
  });

  it('has no words for people outside src/text', () => {
    const spoken = files.filter((path) => !path.startsWith('src/text/'));
    expectNoFaults(
      spoken.flatMap((path) =>
        literalWords(path).map((words) => `${path} has words that people read, ${words}: put them into src/text/en.`),
      ),
    );
  });

  it('has no file over 500 lines', () => {
    const long = files.filter((path) => !mayBeLong.test(path) && linesOf(path) > 500);
    expectNoFaults(
      long.map(
        (path) => `${path} has ${linesOf(path)} lines, and a file may have 500: make a file of each of its subjects.`,
      ),
    );
  });

  it('is what docs/architecture.md draws', () => {
    const drawn = /```text\n(src\/[\s\S]*?)```/.exec(readFileSync('docs/architecture.md', 'utf8'))?.[1];
    const remedy =
      'The picture in docs/architecture.md is old: put what `npm run measure -- picture` prints in its place.';
    expectNoFaults(drawn === drawHouse() ? [] : [remedy]);
  });
});
