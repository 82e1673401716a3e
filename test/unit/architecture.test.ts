/** Holds the walls of docs/architecture.md to the code: who may import whom, and what may stand where. */
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { cyclesIn, reachedFrom, readSources, type Import } from './read-sources';

const sideRooms = ['ui', 'vault', 'models', 'tokens', 'remote', 'desktop'];
/** What each room may import besides the contracts; one that is not named here imports those alone. */
const may: Readonly<Record<string, readonly string[]>> = {
  main: ['core', 'text', ...sideRooms],
  ...Object.fromEntries(sideRooms.map((room) => [room, ['core', 'text']])),
  // The failure that stands for a defect has its words from there.
  contracts: ['text'],
  // The rooms of core stand for themselves inside core.
  writing: ['search', 'text'],
  commands: ['text'],
  diagnostics: ['context', 'memory', 'prompt', 'search', 'session', 'settings', 'skills', 'subagents', 'text'],
  images: ['text'],
  skills: ['text'],
  subagents: ['skills', 'text'],
  goals: ['prompt', 'search', 'text'],
  session: ['settings', 'goals', 'memory', 'prompt', 'text', 'writing'],
  hooks: ['memory', 'text'],
  prompt: ['memory', 'search', 'skills', 'subagents', 'text'],
  mentions: ['prompt', 'commands'],
  mcp: ['prompt', 'text', 'tools'],
  tools: ['search', 'prompt', 'goals', 'memory', 'skills', 'text', 'writing'],
  request: ['prompt', 'text', 'tools'],
  'own-prompt': ['context', 'prompt', 'request', 'session', 'settings', 'text'],
  context: ['request', 'prompt', 'goals', 'memory', 'search', 'session', 'settings', 'tools', 'text'],
  turn: [
    'context',
    'goals',
    'hooks',
    'memory',
    'prompt',
    'request',
    'search',
    'session',
    'settings',
    'subagents',
    'text',
    'tools',
    'writing',
  ],
  chat: ['turn', 'context', 'goals', 'images', 'request', 'session', 'settings', 'mentions', 'text', 'writing'],
};
/** They put the rest together. */
const roots = /^src\/(main|open-[\w-]+)\.ts$/;
/** Anyone may import what stands at the top of core, such as the ports, except what makes up a chat. */
const contracts = /^src\/core\/(?!(chat|chat-ports|open-chats|shown-chat)\.ts)[\w-]+\.ts$/;
/** Anyone in core may import the types of these. */
const typesForAll = /\/(request-plan|tool|mention|settings|entry|section|command)\.ts$/;
/** Lists of self-contained files; only the root and the builder of the public options know what is in them. */
const lists = /^src\/core\/(tools|mentions|commands|prompt\/sections|diagnostics\/checks)\/index\.ts$/;
const knowLists = [
  'src/open-docent.ts',
  'src/open-servers.ts',
  'src/open-checks.ts',
  'src/core/prompt/system-prompt-builder.ts',
];
/** Comparing and merging texts is pure, and only what writes notes does it. */
const textComparing = ['diff', 'node-diff3'];
/** Catalogues, tables and prose. */
const mayBeLong = /^src\/text\/|\/stop-words\.ts$|\/entities\.ts$|\.md$/;
const outOfCore =
  /\b(Date\.now|new Date\(\)|Math\.random|performance\.|crypto\.|fetch\(|console\.|setTimeout|setInterval|localStorage)/;

const { files, folders, imports, codeOf, literalWords, linesOf } = readSources('src');
const show = ({ from, name }: Import): string => `${from} → ${name}`;
const isCore = (path: string): boolean => path.startsWith('src/core/');

function roomOf(path: string): string {
  const [, top = '', inner = ''] = path.split('/');
  if (roots.test(path)) return 'main';
  if (contracts.test(path)) return 'contracts';
  if (top !== 'core') return top.replace(/\.ts$/, '');
  return inner.endsWith('.ts') ? 'chat' : inner;
}

describe('architecture', () => {
  it('lets each room import only what stands before it', () => {
    const wrong = imports.filter(({ from, to, typesOnly }) => {
      if (to === null || roomOf(to) === roomOf(from) || roomOf(to) === 'contracts') return false;
      if (typesOnly && isCore(from) && typesForAll.test(to)) return false;
      const room = isCore(to) && !isCore(from) ? 'core' : roomOf(to);
      return !may[roomOf(from)]?.includes(room);
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

  it('has no file over 300 lines', () => {
    expect(files.filter((path) => !mayBeLong.test(path) && linesOf(path) > 300)).toEqual([]);
  });

  it('is what docs/architecture.md draws', () => {
    const tree = /```\nsrc\/\n([\s\S]*?)```/.exec(readFileSync('docs/architecture.md', 'utf8'))?.[1] ?? '';
    const drawn = tree.match(/^ +\S+\/(?= |$)/gm)?.map((line) => `src/${line.trim().slice(0, -1)}`) ?? [];
    expect(drawn.sort()).toEqual([...folders].sort());
  });
});
