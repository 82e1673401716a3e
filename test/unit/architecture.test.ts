/** Holds the walls of docs/architecture.md to the code: who may import whom, and what may stand where. */
import { builtinModules } from 'node:module';
import { cyclesIn, reachedFrom, readSources, type Import } from './read-sources';

/** The rooms of core from the ground up, and what each may import besides itself and `text`, types included. */
const mayInCore: Readonly<Record<string, readonly string[]>> = {
  base: [],
  ports: [],
  settings: [],
  markdown: ['base', 'ports'],
  markup: ['base', 'ports'],
  library: ['base', 'markdown', 'markup', 'ports'],
  writing: ['base', 'markdown', 'ports', 'session', 'settings'],
  search: ['base', 'markdown', 'ports'],
  goals: ['base', 'markdown', 'markup', 'ports', 'session'],
  prompt: ['base', 'ports', 'goals', 'library', 'markdown', 'markup', 'session', 'settings'],
  tools: ['base', 'ports', 'goals', 'library', 'markdown', 'markup', 'search', 'session', 'settings', 'writing'],
  request: ['base', 'ports', 'library', 'markup', 'prompt', 'session', 'settings', 'tools'],
  mcp: ['base', 'ports', 'library', 'markup', 'prompt', 'tools', 'settings'],
  mentions: ['base', 'ports', 'library', 'session', 'tools'],
  hooks: ['base', 'markup', 'ports', 'session'],
  images: ['ports', 'session'],
  session: ['base', 'ports', 'settings'],
  context: [
    'base',
    'ports',
    'goals',
    'library',
    'markdown',
    'markup',
    'prompt',
    'request',
    'search',
    'session',
    'settings',
    'tools',
  ],
  turn: [
    'base',
    'ports',
    'context',
    'goals',
    'hooks',
    'library',
    'markup',
    'prompt',
    'request',
    'search',
    'session',
    'settings',
    'tools',
    'writing',
  ],
  'own-prompt': ['base', 'ports', 'context', 'markdown', 'markup', 'prompt', 'session', 'settings', 'library'],
  diagnostics: ['base', 'ports', 'context', 'library', 'markdown', 'markup', 'prompt', 'session', 'settings'],
  chat: ['base', 'ports', 'context', 'goals', 'images', 'session', 'turn', 'writing', 'settings'],
};
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

/** The room of core that a file stands in, or else its top folder; null for the files that put the rest together. */
function roomOf(path: string): string | null {
  const [, top = '', inner = ''] = path.split('/');
  if (roots.test(path)) return null;
  return top === 'core' ? inner : top.replace(/\.ts$/, '');
}

describe('architecture', () => {
  it('lets each room of core import only what stands below it', () => {
    const wrong = imports.filter(({ from, to }) => {
      const room = roomOf(from) ?? '';
      if (to === null || to.startsWith('src/text/') || roomOf(to) === room) return false;
      const below = isCore(from) ? mayInCore[room] : undefined;
      return below !== undefined && !(isCore(to) && below.includes(roomOf(to) ?? ''));
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it('lets the rooms around core import core and text, and never one another', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [room, other] = [roomOf(from), to === null ? null : roomOf(to)];
      if (to === null || room === null || room === other || to.startsWith('src/text/')) return false;
      return isCore(from) || room === 'text' ? !isCore(to) || room === 'text' : !isCore(to);
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it('has no import cycles', () => {
    expect(cyclesIn(imports)).toEqual([]);
  });

  it('knows the app only in vault, ui and main, Node only in desktop, and few packages in core', () => {
    const packages = imports.filter(({ to }) => to === null);
    const isNode = (name: string): boolean => /^node:|^electron$/.test(name) || builtinModules.includes(name);
    const wrong = packages.filter(({ from, name }) => {
      if (name === 'obsidian' && !/^src\/(vault|ui)\//.test(from) && !roots.test(from)) return true;
      if (isCore(from)) return name !== 'zod/v4' && !(roomOf(from) === 'writing' && textComparing.includes(name));
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

  it('has no file over 400 lines', () => {
    expect(files.filter((path) => !mayBeLong.test(path) && linesOf(path) > 400)).toEqual([]);
  });
});
