/**
 * Reads what models read of tools: declarations at every level and in every permission mode, results, failures, roles of
 * subagents, background prompts and the prompts that ship. Checks the rules of docs/decisions/0025-what-models-read.md.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { toolAgentsOf } from '../../src/core/context/chat-tools';
import { builtInSubagents } from '../../src/core/library/subagents';
import { toolNames } from '../../src/core/markup/variables';
import { permissionModes, tiers } from '../../src/core/settings/mode';
import { tools } from '../../src/core/tools';
import { declare, offeredIn } from '../../src/core/tools/tool';
import { words } from '../../src/text';
import { expectNoFaults } from './expect-no-faults';

const root = path.resolve(__dirname, '../..');
const maxWords = 20;

interface ModelText {
  readonly place: string;
  readonly text: string;
}

/** Phrases of the search list in the voice guide, and the words that the glossary replaces, as models would read them. */
const phrases = [
  ...['stands?', 'stood', 'lies', 'told', 'kept', 'gone', 'anew', 'of late', 'meanwhile', 'whatever', 'by itself'],
  ...['mend(?:s|ed)?', 'heed(?:s|ed)?', 'wish(?:es)?', 'put (?:aside|away)', 'let go', 't(?:ake|ook|aken|akes) back'],
  ...['take (?:it|them) back', 'c(?:arry|arries|arried) out', 'go(?:es)? on', 'read on', 'look-ups?', 'lead nowhere'],
  ...['material', "others[’']", 'sub-agents?', 'save room', 'no room', 'says? that its', 'sends? the request on'],
];
const markedPhrases = new RegExp(String.raw`\b(?:${phrases.join('|')})(?![\w-])`, 'gi');
const toolName = new RegExp(String.raw`\b(?:${Object.values<string>(toolNames).join('|')})\b`, 'g');

function sentencesIn(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.replace(/^\s*(?:[-*]|\d+\.)\s+/, '').split(/(?<=[.?!])\s+/))
    .filter((sentence) => sentence.trim() !== '');
}

/** One sentence for each fault in a text. */
function faultsIn({ place, text }: ModelText, offered: readonly string[]): string[] {
  const long = sentencesIn(text).filter((sentence) => sentence.trim().split(/\s+/).length > maxWords);
  const marked = text.match(markedPhrases) ?? [];
  const absent = (text.match(toolName) ?? []).filter((name) => !offered.includes(name));
  return [
    ...long.map((sentence) => `${place}: more than ${maxWords} words: ${sentence}`),
    ...marked.map((phrase) => `${place}: write another word for “${phrase}”: ${text}`),
    ...absent.map((name) => `${place}: names ${name}, which may not be offered: ${text}`),
  ];
}

function declaredTexts(name: string, description: string, schema: object): ModelText[] {
  const texts = [{ place: name, text: description }];
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'description' && typeof inner === 'string') texts.push({ place, text: inner });
      else visit(inner, `${place}.${key}`);
    }
  };
  visit(schema, name);
  return texts;
}

describe('what models read', () => {
  it.each([
    ['The note lies in the folder.', 'lies'],
    ['The call was told to the user.', 'told'],
    ['Read it, and take it back.', 'take it back'],
    [`Read ${'one '.repeat(20)}note.`, 'more than 20 words'],
    ['Use search_notes for words.', 'search_notes'],
  ])('is checked: %s', (text, fault) => {
    expect(faultsIn({ place: 'here', text }, []).join()).toContain(fault);
  });

  it('is not faulted for plain words', () => {
    const text =
      'Call read_note again. Tell the user what is missing; understand the order of the notes.\n- Then stop.';
    expect(faultsIn({ place: 'here', text }, ['read_note'])).toEqual([]);
  });

  it.each(tiers.flatMap((tier) => permissionModes.map((mode) => [tier, mode] as const)))(
    'R143 in declarations at level %i in %s is short, plain, and names only what is offered',
    (tier, mode) => {
      const declared = offeredIn(tools, tier, mode).map(declare);
      const offered = declared.map(({ name }) => name);
      const texts = declared.flatMap(({ name, description, parameters }) =>
        declaredTexts(name, description, parameters),
      );
      expect(texts.length).toBeGreaterThan(declared.length);
      expectNoFaults(texts.flatMap((text) => faultsIn(text, offered)));
    },
  );

  it.each(tiers)('R154 in the groups of tools at level %i is short and plain, and promises no single tool', (tier) => {
    const groups = permissionModes.flatMap((mode) => toolAgentsOf(offeredIn(tools, tier, mode)));
    const faults = groups.flatMap(({ name, description }) => faultsIn({ place: name, text: description }, []));
    const promised = groups.filter(({ description }) =>
      /\b(?:properties|links|outlines|asks|starts)\b/.test(description),
    );
    expectNoFaults([...faults, ...promised.map(({ name }) => `${name} promises what may not be offered`)]);
  });

  it('in failures and reports is short and plain, and names no tool', () => {
    const texts = catalogTexts();
    expect(texts.length).toBeGreaterThan(150);
    expectNoFaults(texts.flatMap((text) => faultsIn(text, [])));
  });

  it('in the heads of results, placeholders and background prompts is short and plain, and names no tool', () => {
    const texts = sourceFiles().flatMap(literalsIn);
    expect(texts.length).toBeGreaterThan(100);
    expectNoFaults(texts.flatMap((text) => faultsIn(text, [])));
  });

  it('in the roles of subagents is short and plain, and names only the tools of the role', () => {
    const faults = builtInSubagents.flatMap(({ name, description, preamble, tools: own }) =>
      [description, preamble ?? ''].flatMap((text) => faultsIn({ place: name, text }, own)),
    );
    expect(builtInSubagents.length).toBeGreaterThan(2);
    expectNoFaults(faults);
  });

  it('in the prompts that ship is short and plain, and names no tool', () => {
    const files = filesIn('src/core/prompt/built-in').filter((file) => file.endsWith('.md'));
    const texts = files.map((file) => ({ place: file, text: readFileSync(path.join(root, file), 'utf8') }));
    expect(texts.length).toBeGreaterThan(5);
    expectNoFaults(texts.flatMap((text) => faultsIn(text, [])));
  });
});

// The catalog: areas of which models read something, and the words in them that only people read.

type Words = Readonly<Record<string, unknown>>;

const areas: readonly (readonly [name: string, words: Words, isForPeople: RegExp])[] = [
  ['tools', words.tools, /Title$/],
  [
    'agentFolder',
    Object.fromEntries(Object.entries(words.agentFolder).filter(([key]) => key.startsWith('skill'))),
    /Title$/,
  ],
  ['subagents', words.subagents, /^(?:title|steps)$/],
  ['failures', words.failures, /^(?:textCallUnread|textCallsUnread|log|answer|turnLimit|unknownModel|unexpected)/],
  ['writing', words.writing, /Title$|^(?:copyMissing|tooLargeToKeep|endUnknown|undo|unsavedView|diskRefused|busy)/],
  ['keeping', pick(words.keeping, 'egressRefused', 'egressRefusedRemedy'), /^$/],
  ['asking', pick(words.asking, 'planApproved', 'planRejected'), /^$/],
  ['servers', words.servers, /^(?:taintOf|callTitle|name|notStored|offersOther|stateChanged)/],
  ['remote', words.remote, /^(?:address|key|offerTooLarge|tooMany|sameName|\w+LeftOut)/],
  ['goals', pick(words.goals, 'problems', 'wrongStatus', 'wrongStatusRemedy'), /^$/],
  [
    'status',
    Object.fromEntries(Object.entries(words.status).filter(([key]) => /^(?:recall|state|nameEmpty)/.test(key))),
    /Title$/,
  ],
];

function pick(all: Words, ...keys: readonly string[]): Words {
  return Object.fromEntries(keys.map((key) => [key, all[key]]));
}

/** What a function of the catalog says: of one thing, and of none. Sample lists print like a sample text. */
function saidBy(say: (...values: readonly unknown[]) => unknown): string[] {
  return [['X'], []].map((list) => String(say(...Array.from({ length: say.length }, () => list))));
}

function catalogTexts(): ModelText[] {
  const texts: ModelText[] = [];
  const visit = (place: string, value: unknown): void => {
    if (typeof value === 'string') texts.push({ place, text: value });
    else if (typeof value === 'function') {
      for (const text of saidBy(value as () => unknown)) texts.push({ place, text });
    } else for (const [key, inner] of Object.entries(value ?? {})) visit(`${place}.${key}`, inner);
  };
  for (const [name, area, isForPeople] of areas) {
    for (const [key, value] of Object.entries(area)) if (!isForPeople.test(key)) visit(`${name}.${key}`, value);
  }
  return texts;
}

// The sources that write to models outside the catalog.

function filesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);
}

function sourceFiles(): string[] {
  const compaction = 'src/core/context/compaction';
  return [
    ...filesIn('src/core/tools').filter((file) => file.endsWith('.ts')),
    ...['run-subagent', 'background-turn', 'text-tools'].map((name) => `src/core/turn/${name}.ts`),
    ...['history-text', 'history', 'reference-blocks'].map((name) => `src/core/request/${name}.ts`),
    ...['server-connection', 'server-tools'].map((name) => `src/core/mcp/${name}.ts`),
    ...['snapshot', 'find-topic'].map((name) => `${compaction}/${name}.ts`),
    'src/core/prompt/background-prompts.ts',
    'src/core/prompt/world.ts',
    'src/core/markup/budget.ts',
    'src/core/session/entry.ts',
  ];
}

/** Returns the prose in the code of a file: literals of three words or more, joined where they are added up. */
function literalsIn(file: string): ModelText[] {
  const source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: ModelText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isThrowStatement(node) || isThrown(node) || ts.isImportDeclaration(node)) return;
    const text = textOf(node);
    if (text === null) node.forEachChild(visit);
    else if (/\p{L}+[\s,]+\p{L}+[\s,]+\p{L}+/u.test(text)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ place: `${file}:${line}`, text });
    }
  };
  visit(source);
  return found;
}

function isThrown(node: ts.Node): boolean {
  return ts.isNewExpression(node) && node.expression.getText() === 'Error';
}

/** Returns the text of a literal or of added literals, with X for what is filled in; null for any other code. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    return left === null && right === null ? null : (left ?? 'X') + (right ?? 'X');
  }
  return null;
}
