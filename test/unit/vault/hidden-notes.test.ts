/** @jest-environment jsdom */
/** What the user keeps from the agent, by folder, tag or property, is in no request, no result of a tool and no list. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import { skillsOfChat } from '../../../src/core/library/skills';
import { mentionSources } from '../../../src/core/mentions';
import type { Mention } from '../../../src/core/session/entry';
import type { Settings } from '../../../src/core/settings/settings';
import { tools } from '../../../src/core/tools';
import { declare, type Tool } from '../../../src/core/tools/tool';
import { rested, until } from '../../support/chat-bench';
import { call, finish, type Step, say } from '../../support/scripted-model';
import { type WritingChat, writingChat } from '../../support/writing-chat';

jest.setTimeout(60_000);
afterEach(closeTestApps);
passTimeQuickly();

const hidden = 'Rooms/Zanzibar.md';
/** Words that appear only in hidden notes: in text, headings, tags, blocks, links and properties. */
const secrets = /marmalade|damson/i;
const names = /zanzibar/i;

const body = [
  '# Quince',
  '',
  'The marmalade cupboard, next to [[Damson]] and [[Harbour]]. ^quince-block',
  '',
  '- [ ] marmalade #quince',
].join('\n');

const rules: readonly (readonly [string, Partial<Settings>, string])[] = [
  ['a folder', { keptFolders: ['Rooms'] }, body],
  ['a tag', { keptTags: ['#Private'] }, `${body}\n\n#private\n`],
  ['a tag below a kept one', { keptTags: ['private'] }, `${body}\n\n#private/deep\n`],
  ['a tag among its properties', { keptTags: ['#private'] }, `---\ntags: [private]\ncolour: damson\n---\n${body}`],
  ['a tag in a comment', { keptTags: ['private'] }, `${body}\n\n%% #private %%\n`],
  ['a tag in a text of several', { keptTags: ['private'] }, `---\ntags: own, private\ncolour: damson\n---\n${body}`],
  ['a property', {}, `---\ndocent: false\ncolour: damson\n---\n${body}`],
  ['a property made as text', {}, `---\ndocent: "false"\n---\n${body}`],
];

const filesWith = (text: string): Record<string, string> => ({
  'Harbour.md': '# Harbour\n\nBoats lie here. See [[Crew]].\n',
  'Crew.md': '---\ncolour: red\n---\n# Crew\n\nRui steers in the [[Harbour]]. #sailing\n',
  [hidden]: text,
});

/** Calls that reach the hidden note where guessed ones would not. The model names the path, so results may repeat it. */
const knownProbes: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  find_notes: [
    {},
    { name: 'Rooms' },
    { folder: 'Rooms' },
    { tag: 'quince' },
    { property: 'colour' },
    { sort: 'newest' },
  ],
  search_notes: [
    { query: 'cupboard boats quince' },
    { query: 'cupboard boats' },
    { query: 'cupboard', folder: 'Rooms' },
    { query: 'cupboard', tag: 'quince' },
  ],
  list_folder: [{}, { depth: 5 }, { path: 'Rooms' }],
  read_note: [
    { path: hidden },
    { path: 'Zanzibar' },
    { path: hidden.toLowerCase() },
    { path: hidden, heading: 'Quince' },
  ],
  read_notes: [{ paths: [hidden, 'Harbour.md'] }],
  note_outline: [{ path: hidden }],
  note_links: [{ path: hidden }, { path: 'Harbour.md' }, { path: 'Crew.md' }],
  edit_note: [{ path: hidden, oldText: 'cupboard', newText: 'shelf' }],
  append_to_note: [{ path: hidden, text: 'more' }],
  create_note: [{ path: hidden, text: 'other' }],
  move_note: [
    { path: hidden, newPath: 'Out.md' },
    { path: 'Harbour.md', newPath: hidden },
    { path: 'Harbour.md', newPath: 'Port.md' },
  ],
  delete_note: [{ path: hidden }],
  set_properties: [{ path: hidden, properties: { docent: true } }],
  load_state: [{}, { name: 'Zanzibar' }],
  load_workspace: [{ id: hidden }],
  activate_skill: [{ name: 'Zanzibar' }, { name: 'Zanzibar', location: hidden }],
  run_subagent: [{ name: 'Zanzibar', task: 'Look.' }],
  recall_output: [{ handle: 'Zanzibar' }],
};
/** Tools that look at nothing in the vault. */
const blind = ['ask_user', 'exit_plan_mode', 'remember', 'save_state', 'update_goal', 'write_todos'];

/** Any other tool is asked with what it requires, and with all that it takes: its texts name the note or quote it. */
function guessProbes(tool: Tool): Record<string, unknown>[] {
  const { properties = {}, required = [] } = declare(tool).parameters as Shape;
  return [hidden, 'Zanzibar', 'Rooms', 'cupboard boats quince'].flatMap((text) => {
    const all = Object.entries(properties).map(([name, shape]) => [name, fill(shape, text)] as const);
    return [all.filter(([name]) => required.includes(name)), all].map((given) => Object.fromEntries(given));
  });
}

interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

function fill(shape: Shape, text: string): unknown {
  if (shape.enum !== undefined) return shape.enum[0];
  if (shape.type === 'boolean') return true;
  if (shape.type === 'integer' || shape.type === 'number') return Math.max(1, shape.minimum ?? 1);
  if (shape.type === 'array') return [fill(shape.items ?? {}, text)];
  if (shape.type !== 'object') return text;
  const parts = Object.entries(shape.properties ?? {});
  return Object.fromEntries(parts.map(([name, part]) => [name, fill(part, text)]));
}

const guessed = tools.filter(({ name }) => !Object.hasOwn(knownProbes, name) && !blind.includes(name));
const probes = { ...knownProbes, ...Object.fromEntries(guessed.map((tool) => [tool.name, guessProbes(tool)])) };

const done: Step[] = [say('Done.'), finish()];

/** Returns what was sent in the last request, without the model's own messages. */
function sentIn(bench: WritingChat): string {
  const { messages, ...rest } = bench.model.plans.at(-1)!;
  return JSON.stringify([rest, messages.filter(({ role }) => role !== 'assistant')]);
}

/** Returns what of the patterns is in the text, each with what is before it. */
const found = (text: string, ...patterns: readonly RegExp[]): string[] =>
  // Reading what is before a match from each place of the text takes much longer, and nearly no text has one.
  patterns.flatMap((pattern) =>
    pattern.test(text) ? (text.match(new RegExp(`.{0,60}(?:${pattern.source})`, 'gi')) ?? []) : [],
  );

it('knows for each tool how it could reach a kept note', () => {
  const known = [...Object.keys(probes), ...blind];
  expect(known.sort()).toEqual(tools.map(({ name }) => name).sort());
});

it('guesses arguments that a tool takes', () => {
  const refused = guessed.filter((tool) => guessProbes(tool).some((each) => !tool.parameters.safeParse(each).success));
  expect(refused.map(({ name }) => `Add to knownProbes how ${name} could reach a note.`)).toEqual([]);
});

it('control: the same note without a rule is reached', async () => {
  const looks = [call('a', 'find_notes', {}), call('b', 'search_notes', { query: 'cupboard' }), finish('tool-calls')];
  const bench = await writingChat({ files: filesWith(body) }, looks, done);
  await bench.ask('Look.');
  expect(found(sentIn(bench), secrets).length).toBeGreaterThan(1);
  expect(found(sentIn(bench), names).length).toBeGreaterThan(1);
});

it.each(['search_notes', 'read_note', 'read_notes'])('control: guessed arguments for %s reach it', async (name) => {
  const asked = tools.filter((tool) => tool.name === name).flatMap(guessProbes);
  const looks = asked.map((parameters, at) => call(`c${at}`, name, parameters));
  const bench = await writingChat({ files: filesWith(body) }, [...looks, finish('tool-calls')], done);
  await bench.ask('Look.');
  expect(found(sentIn(bench), secrets).length).toBeGreaterThan(0);
});

describe.each(rules)('a note kept by %s', (_name, settings, text) => {
  it.each(Object.entries(probes))('R161 is not reached by %s', async (tool, asked) => {
    const calls = asked.map((parameters, at) => call(`c${at}`, tool, parameters));
    const open = { files: filesWith(text), settings, permission: 'auto-edit', named: ['/'] } as const;
    const bench = await writingChat(open, [...calls, finish('tool-calls')], done);
    await bench.ask('Look.');
    expect(bench.model.plans).toHaveLength(2);
    // A name that the model asked for is said back to it.
    const isNamed = /zanzibar/i.test(JSON.stringify(asked));
    expect(found(sentIn(bench), secrets, ...(isNamed ? [] : [names]))).toEqual([]);
    expect(await bench.read(hidden)).toBe(text);
    const waiting = (bench.chat.current.reviews ?? []).flatMap(({ changes }) => changes.map(({ change }) => change));
    expect(waiting.flatMap(({ from, to }) => [from, to])).not.toContain(hidden);
  });

  it('is in no head of a prompt, and no mention brings it', async () => {
    const bench = await writingChat({ files: filesWith(text), settings }, done);
    const mentions: Mention[] = [
      { kind: 'note', id: hidden, label: 'it' },
      { kind: 'heading', id: `${hidden}#Quince`, label: 'it' },
      { kind: 'block', id: `${hidden}#^quince-block`, label: 'it' },
      { kind: 'folder', id: 'Rooms', label: 'it' },
      { kind: 'tag', id: '#quince', label: 'it' },
      { kind: 'workspace', id: hidden, label: 'it' },
    ];
    await bench.chat.send('What is there?', mentions);
    await until(bench.chat, rested);
    expect(found(sentIn(bench), secrets)).toEqual([]);
  });

  it('is not among the notes that stand in every prompt', async () => {
    const chosen = { ...settings, contextNotes: [hidden] };
    const bench = await writingChat({ files: filesWith(text), settings: chosen }, done);
    await bench.ask('Hello.');
    expect(found(sentIn(bench), secrets)).toEqual([]);
  });

  it('is in no list of suggestions', async () => {
    const { vault, chat } = await writingChat({ files: filesWith(text), settings });
    const { skills } = skillsOfChat(vault, 'Docent', null);
    const context = { agentFolder: 'Docent', tools, prompts: [], commands: [], skills, activeNote: hidden, vault };
    for (const typed of ['', 'Zan', 'Zanzibar#', 'Zanzibar#^', 'Rooms', 'quince']) {
      for (const source of mentionSources) {
        while ((await source.prepare?.(context, typed)) === true);
        const shown = source.offer(context, typed)?.candidates ?? [];
        expect(found(JSON.stringify(shown), secrets, names)).toEqual([]);
      }
    }
    chat.close();
  });
});

it('a note is kept from the moment that its text says so, whatever the index knows', async () => {
  const bench = await writingChat({ files: filesWith(body) }, done);
  const stale = bench.app.metadataCache.getFileCache(bench.app.vault.getFileByPath(hidden)!);
  jest.spyOn(bench.app.metadataCache, 'getFileCache').mockReturnValue(stale);
  bench.adapter.writeOutside(hidden, `---\ndocent: false\n---\n${body}`);
  const file = bench.app.vault.getFileByPath(hidden)!;
  await bench.app.vault.modify(file, `---\ndocent: false\n---\n${body}`);
  const read = await bench.vault.read(hidden);
  expect(!read.ok && read.failure.kind).toBe('refused');
});

it('notes of Docent’s own that are kept give no instructions', async () => {
  const marked = (text: string): string =>
    `---\nname: zanzibar\ndescription: marmalade\ndocent: false\n---\n${text} marmalade`;
  const files = {
    'Harbour.md': 'Boats.',
    'AGENTS.md': marked('Conventions'),
    'Docent/skills/zanzibar/SKILL.md': marked('Skill'),
    'Docent/workspaces/zanzibar.md': marked('Workspace'),
    'Docent/prompts/zanzibar.md': marked('Prompt'),
    'Docent/subagents/zanzibar.md': marked('Sub-agent'),
    'Docent/memory.md': marked('Memory'),
    'Docent/states/zanzibar.md': marked('State'),
  };
  const bench = await writingChat({ files }, done);
  await bench.ask('Hello.');
  expect(found(JSON.stringify(bench.model.plans), secrets, names)).toEqual([]);
});
