/** Checks the code against docs/architecture.md: which module may import which, and what each folder may contain. */
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { drawHouse, faultsOf, measureHouse } from '../../scripts/house.mjs';
import { reachedFrom, readSources, type Import } from './read-sources';

/** Rooms from the ground up, and what each may import besides itself and `src/text`, types included. */
const mayImport: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/core': {
    base: '',
    ports: '',
    settings: '',
    session: 'base ports settings',
    markdown: 'base ports',
    markup: 'base ports',
    search: 'base ports markdown',
    goals: 'base ports session markdown markup',
    library: 'base ports markdown markup',
    images: 'ports session',
    hooks: 'base ports session markup',
    writing: 'base ports settings session markdown',
    prompt: 'base ports settings session markdown markup goals library',
    tools: 'base ports settings session markdown markup search goals library writing',
    request: 'base ports settings session markup library prompt tools',
    mcp: 'base ports markup library prompt tools',
    mentions: 'ports session library tools',
    context: 'base ports settings session markdown markup search goals library prompt tools request',
    turn: 'base ports settings session markup search goals library hooks writing prompt tools request context',
    'own-prompt': 'ports settings session markdown markup prompt context',
    diagnostics: 'base ports settings session markdown markup library prompt context',
    chat: 'base ports session goals images writing context turn',
  },
  'src/models': { providers: '', http: 'providers', formats: 'providers http', 'built-in-reader': '' },
  'src/ui': {
    render: '',
    state: 'render',
    components: 'render state',
    context: 'state',
    diagnostics: 'state components',
    goals: 'state components',
    mentions: 'state components',
    review: 'render state components',
    servers: 'render state components',
    chat: 'render state components context diagnostics goals mentions review servers',
    prompts: 'state components chat',
    settings: 'render state components servers',
  },
};
/** Of these rooms, another may import no more than this. */
const doors: readonly (readonly [from: RegExp, room: RegExp, door: RegExp])[] = [
  [/^src\/core\/tools\//, /^src\/core\/writing\//, /\/writing\/(guard|stage)\//],
  [/^src\/core\/(request|mentions)\//, /^src\/core\/tools\//, /\/tools\/tool\.ts$/],
];
/** They put the rest together. */
const roots = /^src\/(main|open-[\w-]+)\.ts$/;
/** Lists of self-contained files; only the root and the builder of the public options know what is in them. */
const lists = /^src\/core\/(tools|mentions|commands|prompt\/sections|diagnostics\/checks)\/index\.ts$/;
const knowLists = ['src/open-agent.ts', 'src/core/prompt/system-prompt-builder.ts'];
/** Comparing and merging texts is pure, and only what writes notes does it. */
const textComparing = ['diff', 'node-diff3'];
/** Catalogues, tables and prose. */
const mayBeLong = /^src\/text\/|\/stop-words\.ts$|\/entities\.ts$|\.md$/;
const outOfCore =
  /\b(Date\.now|new Date\(\)|Math\.random|performance\.|crypto\.|fetch\(|console\.|setTimeout|setInterval|localStorage)/;

const { files, imports, codeOf, literalWords, linesOf } = readSources('src');
const show = ({ from, name }: Import): string => `${from} → ${name}`;
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
      return `${from} stands in a room that the architecture test does not know: give ${top}/${room} a line there.`;
    if (other === null || !below.split(' ').includes(other))
      return `${from} imports ${name}, but ${top}/${room} may import ${below || 'nothing'} only: move what both need below them.`;
  }
  const closed = doors.find(([user, room, door]) => user.test(from) && room.test(to) && !door.test(to));
  return closed === undefined ? null : `${from} imports ${name} past the door of that room, ${closed[2].source}.`;
}

describe('architecture', () => {
  it('lets each room import only what stands below it', () => {
    expect(imports.flatMap((each) => faultOf(each) ?? [])).toEqual([]);
  });

  it('lets the rooms around core import core and text, and never one another', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [room, other] = [topOf(from), to === null ? null : topOf(to)];
      if (to === null || room === null || room === other) return false;
      if (room === 'text') return true;
      return other !== 'text' && (room === 'core' || other !== 'core');
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it('keeps to the bounds of the house', () => {
    expect(faultsOf(measureHouse())).toEqual([]);
  });

  it('knows the app only in vault, ui and main, Node only in desktop, and few packages in core', () => {
    const packages = imports.filter(({ to }) => to === null);
    const isNode = (name: string): boolean => /^node:|^electron$/.test(name) || builtinModules.includes(name);
    const wrong = packages.filter(({ from, name }) => {
      if (name === 'obsidian' && !/^src\/(vault|ui)\//.test(from) && !roots.test(from)) return true;
      if (isCore(from))
        return name !== 'zod/v4' && !(from.startsWith('src/core/writing/') && textComparing.includes(name));
      return isNode(name) && !from.startsWith('src/desktop/');
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it('starts without what is only needed later', () => {
    const started = reachedFrom('src/main.ts', imports);
    const later =
      /^src\/(open-docent\.ts|core\/(prompt|turn|context|tools|search|session)\/|models\/|ui\/settings\/|.*\.tsx)/;
    expect(started.files.filter((path) => later.test(path))).toEqual([]);
    expect(started.packages.filter((name) => !/^obsidian$|^@noble\/hashes\//.test(name))).toEqual([]);
  });

  it('hands lists to the machinery, which never names what is in them', () => {
    expect(imports.filter(({ from, to }) => lists.test(to ?? '') && !knowLists.includes(from)).map(show)).toEqual([]);
  });

  it('keeps clock, chance, network and console out of core', () => {
    expect(files.filter((path) => isCore(path) && outOfCore.test(codeOf(path)))).toEqual([]);
  });

  it('has no words for people outside src/text', () => {
    expect(files.filter((path) => !path.startsWith('src/text/')).flatMap(literalWords)).toEqual([]);
  });

  it('has no file over 500 lines', () => {
    expect(files.filter((path) => !mayBeLong.test(path) && linesOf(path) > 500)).toEqual([]);
  });

  it('is what docs/architecture.md draws', () => {
    const drawn = /```text\n(src\/[\s\S]*?)```/.exec(readFileSync('docs/architecture.md', 'utf8'))?.[1];
    const remedy =
      'The picture in docs/architecture.md is old: put what `npm run measure -- picture` prints in its place.';
    expect(drawn === drawHouse() ? [] : [remedy]).toEqual([]);
  });
});
