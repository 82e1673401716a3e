/**
 * Reads the tool calls that a model without native tools writes into its answer (R155-R158): tolerant of the forms that
 * small models write, strict about what counts as a call.
 */
import { isRecord } from '../base/equality';
import { readLooseJson } from '../base/loose-json';
import type { CallNotes } from '../ports/message';
import { serverToolName, type Tool } from '../tools/tool';

/** The names of the two meta-tools (R155). */
export const metaTools = { look: 'getTools', run: 'useTools' } as const;

/** Why a text that was meant as a call is none. */
type CallProblem = 'cut' | 'not-json' | 'no-calls' | 'wrong-session';

/** One block of an answer, as written, and the calls in it. */
export interface CallBlock {
  /** The text of the block, with its fence and the blanks before it. */
  readonly written: string;
  readonly calls: readonly { readonly name: string; readonly argumentsText: string }[];
  readonly notes: CallNotes;
  /** Absent if the calls can run. */
  readonly problem?: CallProblem;
}

export interface FoundCalls {
  /** The text before the calls: the whole text if it has none. */
  readonly text: string;
  /** The first calls of the text. Text after them is not used: the model had no results when it wrote it. */
  readonly blocks: readonly CallBlock[];
}

/** What decides whether a text is a call. */
export interface CallRules {
  /** The tools that are offered. */
  readonly tools: readonly Pick<Tool, 'name' | 'agent'>[];
  /** The id that each call repeats (R158). Only a call without one may be a quotation. */
  readonly sessionId: string;
  /** Whether a text was in what the model was shown, so that repeating it is a quotation and not a call. */
  readonly isQuoted: (text: string) => boolean;
}

/** Characters after the beginning of a call in which it must be recognizable. */
const headLength = 240;

const tagNames = 'tool_calls?|tool_use|function_calls?|functions?|useTools|getTools|use_tools|get_tools|python_tag';
const metaNames = 'useTools|getTools|use_tools|get_tools';

/** Matches what precedes the JSON of a call: a fence, a tag, the name of a meta-tool, or nothing. */
const openings = new RegExp(
  String.raw`^[ \t]{0,20}(?<fence>(?:\`{3,6}|~{3,6})[ \t]{0,4}[\w-]{0,20}[ \t]{0,4}\r?\n\s{0,20})?` +
    String.raw`(?<tag>(?:<\|?(?<tagged>${tagNames})\|?>|\[TOOL_CALLS\])\s{0,20})?` +
    String.raw`(?:(?<name>${metaNames})[ \t]{0,4}[(:=]?\s{0,20})?`,
);
const bracketTag = '[TOOL_CALLS]';
/** The words that an opening may begin with, to recognize one that has not arrived whole. */
const openingWords = [
  ...tagNames
    .replaceAll('s?', 's')
    .split('|')
    .flatMap((name) => [`<${name}>`, `<|${name}|>`]),
  bracketTag,
  ...metaNames.split('|'),
];
const openFence = /^(?:`{1,6}|~{1,6})[ \t]{0,4}[\w-]{0,20}[ \t]{0,4}\r?$/;

/** The first keys of the objects that calls are written as. */
const firstKeys = new Set(
  (
    'useTools getTools use_tools get_tools calls tool_calls tool_call tool tool_name tools agent name function ' +
    'function_call action type id workspaceId workspace_id sessionId session_id context memory goal constraints ' +
    'params parameters arguments args input'
  ).split(' '),
);

interface Opening {
  /** Characters before the JSON. */
  readonly length: number;
  readonly isFenced: boolean;
  /** Whether a tag or a name says that a call follows. */
  readonly isExplicit: boolean;
  /** The meta-tool that is named, or empty. */
  readonly name: string;
}

type Judgement = Opening | 'none' | 'more';

/**
 * Judges whether a call begins at the start of a text.
 * @param isLine whether the text is the beginning of a line; elsewhere only a tag begins a call
 * @returns 'more' if the next characters decide
 */
export function judgeOpening(text: string, isLine: boolean): Judgement {
  if (!isLine && !/^[<[]/.test(text)) return 'none';
  const judged = judgeHead(text.slice(0, headLength), isLine);
  return judged === 'more' && text.length >= headLength ? 'none' : judged;
}

function judgeHead(head: string, isLine: boolean): Judgement {
  const { 0: matched = '', groups = {} } = openings.exec(head) ?? {};
  const { fence, tag, tagged, name } = groups;
  if (!isLine && tag === undefined) return isOpeningPart(head, false) ? 'more' : 'none';
  const rest = head.slice(matched.length);
  if (!/^[[{]/.test(rest)) return isOpeningPart(rest, isLine && matched.trim() === '') ? 'more' : 'none';
  const isExplicit = tag !== undefined || name !== undefined;
  const opening = {
    length: matched.length,
    isFenced: fence !== undefined,
    isExplicit,
    name: metaNameOf(name ?? tagged ?? ''),
  };
  return isExplicit ? opening : judgeKey(rest, opening);
}

/** Judges JSON by its first key, which is in an object: `[[context]]` is a link, and `{name}` a place for a name. */
function judgeKey(json: string, opening: Opening): Judgement {
  const [start = '', key = ''] = /^[[\s]{0,60}(?:\{[{\s]{0,60}["'“”„]?([A-Za-z_]{0,20}))?/.exec(json) ?? [];
  if (start === json || bracketTag.startsWith(json)) return 'more';
  const isKey = firstKeys.has(key) && json[start.length] !== '}';
  return isKey ? opening : 'none';
}

function isOpeningPart(rest: string, isLine: boolean): boolean {
  return rest === '' || (isLine && openFence.test(rest)) || openingWords.some((word) => word.startsWith(rest));
}

/** Matches every position at which a call may begin. */
const positions = /^|[<[]/gm;

/** Finds the first run of calls in a text. Linear in its length. */
export function findCalls(text: string, rules: CallRules): FoundCalls {
  let from = 0;
  for (;;) {
    const start = nextOpening(text, from);
    if (start === null) return { text, blocks: [] };
    const first = readBlock(text, start.at, start.at, start.opening, rules);
    if ('block' in first) {
      return { text: text.slice(0, start.at), blocks: [first.block, ...readMore(text, first, rules)] };
    }
    from = first.end;
  }
}

interface Start {
  readonly at: number;
  readonly opening: Opening;
}

function nextOpening(text: string, from: number): Start | null {
  positions.lastIndex = from;
  for (let match = positions.exec(text); match !== null; match = positions.exec(text)) {
    const at = match.index;
    const opening = openingAt(text, at);
    if (opening !== null) return { at, opening };
    // An empty match must not be found again.
    positions.lastIndex = at + 1;
  }
  return null;
}

function openingAt(text: string, at: number): Opening | null {
  const isLine = at === 0 || text[at - 1] === '\n';
  const judged = judgeOpening(text.slice(at, at + headLength), isLine);
  return typeof judged === 'string' ? null : judged;
}

interface ReadBlock {
  readonly block: CallBlock;
  readonly end: number;
  readonly isFenced: boolean;
}

/** Reads the blocks that directly follow the first one, with nothing but blanks and commas in between. */
function readMore(text: string, first: ReadBlock, rules: CallRules): CallBlock[] {
  const blocks: CallBlock[] = [];
  let { end, isFenced } = first;
  for (;;) {
    const at = skip(text, end, /[\s,;]*/y);
    const judged = judgeOpening(text.slice(at, at + headLength), true);
    if (typeof judged === 'string') return blocks;
    const next = readBlock(text, end, at, { ...judged, isFenced: judged.isFenced || isFenced }, rules);
    if (!('block' in next)) return blocks;
    blocks.push(next.block);
    ({ end, isFenced } = next);
  }
}

function skip(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Returns where reading stopped if no call was meant. */
function readBlock(
  text: string,
  from: number,
  at: number,
  opening: Opening,
  rules: CallRules,
): ReadBlock | { readonly end: number } {
  const start = at + opening.length;
  const read = readLooseJson(text, start);
  if (!read.ok) {
    const end = read.isCut ? text.length : Math.max(read.at, start + 1);
    if (!isMeant(text.slice(start, start + headLength), opening, rules)) return { end };
    const problem = read.isCut ? 'cut' : 'not-json';
    // What follows a call that cannot be read belongs to it.
    const block = { written: text.slice(from), calls: [], notes: {}, problem } as const;
    return { block, end: text.length, isFenced: false };
  }
  const shape = shapeOf(read.value, opening, rules);
  if (shape === null) return { end: read.end };
  const { end, isFenced } = closeBlock(text, read.end, opening);
  if (!isOwn(shape, text.slice(start, read.end), rules)) return { end };
  return { block: { written: text.slice(from, end), ...checked(shape, rules) }, end, isFenced };
}

/** Skips the end of a fence, tag, or parenthesis that the opening began. */
function closeBlock(text: string, end: number, { isFenced, isExplicit }: Opening) {
  let at = end;
  if (isExplicit)
    at +=
      /^\s{0,20}(?:\)?;?\s{0,20}<\/?\|?\/?\w{1,30}\|?>|\)|\[\/TOOL_CALLS\])/.exec(text.slice(at, at + 100))?.[0]
        .length ?? 0;
  const fence = isFenced ? /^\s{0,20}(?:`{3,6}|~{3,6})(?=[ \t]{0,20}(?:\r?\n|$))/.exec(text.slice(at, at + 60)) : null;
  return { end: at + (fence?.[0].length ?? 0), isFenced: isFenced && fence === null };
}

/** Whether text that cannot be read as JSON was meant as a call. */
function isMeant(head: string, { isExplicit }: Opening, { tools }: CallRules): boolean {
  if (isExplicit || /["'“”]?(?:useTools|getTools|use_tools|get_tools|calls|tool_calls)["'“”]?\s{0,4}:/.test(head))
    return true;
  const named = /["'“”]?(?:tool|tool_name|name|function|action)["'“”]?\s{0,4}:\s{0,4}["'“”]([\w.-]{1,64})/.exec(head);
  return named !== null && nameAmong(named[1] ?? '', '', tools) !== null;
}

/** What the JSON of a block asks for, before it is checked. */
interface Shape {
  readonly calls: readonly { readonly name: string; readonly argumentsText: string }[];
  readonly notes: CallNotes;
  readonly sessionId: string | null;
}

function isOwn({ sessionId }: Shape, json: string, { isQuoted, sessionId: own }: CallRules): boolean {
  return sessionId === own || !isQuoted(json);
}

function checked({ calls, notes, sessionId }: Shape, rules: CallRules): Omit<CallBlock, 'written'> {
  if (sessionId !== null && sessionId !== rules.sessionId) return { calls: [], notes, problem: 'wrong-session' };
  return calls.length === 0 ? { calls, notes, problem: 'no-calls' } : { calls, notes };
}

type Fields = Readonly<Record<string, unknown>>;

const aliases = {
  name: ['tool', 'tool_name', 'name', 'function', 'action'],
  params: ['params', 'parameters', 'arguments', 'args', 'input', 'action_input'],
  calls: ['calls', 'tool_calls'],
  inner: ['tool_call', 'function_call', 'function'],
  session: ['sessionId', 'session_id'],
} as const;
/** Keys that say something of a call and are no parameters of its tool. */
const ownKeys: readonly string[] = [
  ...Object.values(aliases).flat(),
  ...['agent', 'type', 'id', 'context', 'workspaceId', 'workspace_id', 'memory', 'goal', 'constraints'],
];

function first(fields: Fields, keys: readonly string[]): unknown {
  const key = keys.find((each) => Object.hasOwn(fields, each));
  return key === undefined ? undefined : fields[key];
}

function without(fields: Fields, keys: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));
}

function metaNameOf(name: string): string {
  if (/^use_?tools$/i.test(name)) return metaTools.run;
  return /^get_?tools$/i.test(name) ? metaTools.look : '';
}

/** Returns null for JSON that is no call. */
function shapeOf(value: unknown, { name, isExplicit }: Opening, rules: CallRules): Shape | null {
  if (name !== '') return shapeOfMeta(name, value, rules);
  if (Array.isArray(value)) {
    const shapes = value.map((each) => (isRecord(each) ? shapeOfObject(each, isExplicit, rules) : null));
    if (shapes.length === 0 || shapes.includes(null)) return null;
    const all = shapes as Shape[];
    return { ...(all[0] as Shape), calls: all.flatMap(({ calls }) => calls) };
  }
  return isRecord(value) ? shapeOfObject(value, isExplicit, rules) : null;
}

function shapeOfObject(fields: Fields, isExplicit: boolean, rules: CallRules): Shape | null {
  const meta = Object.keys(fields).find((key) => metaNameOf(key) !== '');
  if (meta !== undefined) return shapeOfMeta(metaNameOf(meta), withContext(fields[meta], fields), rules);
  if (Array.isArray(first(fields, aliases.calls))) return shapeOfMeta(metaTools.run, fields, rules);
  const inner = first(fields, aliases.inner);
  if (isRecord(inner)) return shapeOfObject({ ...without(fields, aliases.inner), ...inner }, isExplicit, rules);
  const name = first(fields, aliases.name);
  if (typeof name !== 'string') return null;
  if (metaNameOf(name) !== '') return shapeOfMeta(metaNameOf(name), withContext(paramsOf(fields), fields), rules);
  const agent = textOf(fields.agent);
  const known = nameAmong(name, agent, rules.tools);
  const isCall = isExplicit || (Object.hasOwn(fields, 'tool') && first(fields, aliases.params) !== undefined);
  if (known === null && !isCall) return null;
  return { calls: [callOf(known ?? name, paramsOf(fields))], notes: {}, sessionId: sessionIn(fields) };
}

/** Puts what is written next to the name of a meta-tool among its parameters. */
function withContext(payload: unknown, fields: Fields): unknown {
  if (!isRecord(payload)) return payload;
  const { memory, goal, constraints } = fields;
  return { memory, goal, constraints, sessionId: first(fields, aliases.session), ...payload };
}

function shapeOfMeta(name: string, payload: unknown, rules: CallRules): Shape {
  const value = parsed(payload);
  const fields: Fields = isRecord(value) ? value : {};
  const context: Fields = isRecord(fields.context) ? { ...fields, ...fields.context } : fields;
  const shared = { notes: notesIn(context), sessionId: sessionIn(context) };
  if (name === metaTools.look) return { ...shared, calls: [callOf(metaTools.look, { tools: namesIn(value) })] };
  const list = parsed(first(fields, aliases.calls) ?? value);
  const items = Array.isArray(list) ? list : [list];
  return { ...shared, calls: items.flatMap((each) => (isRecord(each) ? callsOf(each, rules) : [])) };
}

function callsOf(fields: Fields, rules: CallRules): Shape['calls'] {
  return shapeOfObject(fields, true, rules)?.calls ?? [];
}

function callOf(name: string, params: unknown): Shape['calls'][number] {
  return { name, argumentsText: typeof params === 'string' ? params : JSON.stringify(params ?? {}) };
}

/** Returns the parameters of a call: those under a key of their own, else all other keys. */
function paramsOf(fields: Fields): unknown {
  const given = first(fields, aliases.params);
  if (given !== undefined) return parsed(given);
  return without(fields, ownKeys);
}

/** Parses JSON that was written as a string; any other value is returned as it is. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const read = readLooseJson(value);
  return read.ok ? read.value : value;
}

/** Collects the names of tools or agents that getTools is asked about, in any nesting. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isRecord(value)) return [];
  const named = Object.entries(value).filter(([key]) =>
    /^(?:tools?|names?|agents?|tool_?names?|params|arguments)$/i.test(key),
  );
  return named.flatMap(([, each]) => namesIn(each));
}

function notesIn(fields: Fields): CallNotes {
  const { memory, goal, constraints } = fields;
  const said = Object.entries({ memory, goal, constraints }).map(([key, value]) => [key, textOf(value)] as const);
  return Object.fromEntries(said.filter(([, text]) => text !== ''));
}

function sessionIn(fields: Fields): string | null {
  const given = first(fields, aliases.session);
  return typeof given === 'string' && given !== '' ? given : null;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string').join('; ');
  return typeof value === 'string' ? value.trim() : '';
}

/**
 * Returns the offered tool that a name means, with or without its agent before it; null if there is none. A server may
 * have a tool of the name of a built-in one, so the tools of the agent that is named come first.
 */
function nameAmong(name: string, agent: string, tools: CallRules['tools']): string | null {
  const last = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1);
  const server = agent.replace(/^server /, '');
  const declared = [name, last].map((each) => serverToolName(server, each));
  const ofAgent = tools.filter((each) => each.agent === agent || each.agent === `server ${server}`);
  const found = [
    [name, last, ...declared].find((each) => ofAgent.some((tool) => tool.name === each)),
    [name, last].find((each) => tools.some((tool) => tool.name === each)),
  ];
  return found.find((each) => each !== undefined) ?? null;
}
