/** The provider's prompt cache: its breakpoints, what invalidated it, and what it reported (R228-R231). */
import { words } from '../../text';
import { tokensByRule } from '../markup/budget';
import type { Message, Usage } from '../ports/message';
import type { Block, Breakpoint, RequestPlan } from '../ports/request-plan';
import { countedText } from './token-factor';

// Breakpoints: at most four, and none where a provider would cache nothing (K7, R228-R230).

const maxBreakpoints = 4;
/** Providers look back at least this many parts for a cached start; a turn that adds more needs a breakpoint inside. */
const lookBack = 15;

export interface BreakpointQuestion {
  readonly system: string;
  /** Tokens of the tools and the system prompt, which come before all messages. */
  readonly start: number;
  readonly messages: readonly Message[];
  /** Index of the last message of each tier in the request; without L2, its entry is the end of L1. */
  readonly ends: Readonly<Partial<Record<'L2' | 'L3', number>>>;
  /** The minimum number of tokens that the provider caches. */
  readonly minimum: number;
  count(text: string): number;
}

/**
 * Returns breakpoints in the order of the request. The newest message stays as sent, so the rolling breakpoint is on
 * it.
 */
export function allocateBreakpoints(question: BreakpointQuestion): Breakpoint[] {
  const { system, messages, ends } = question;
  const last = messages.length - 1;
  const inside = insideStep(messages);
  const wanted: Breakpoint[] = [];
  if (system !== '') wanted.push({ after: 'system', ends: 'L0' });
  if (ends.L2 !== undefined && inside === null) wanted.push({ after: ends.L2, ends: 'L2' });
  if (ends.L3 !== undefined) wanted.push({ after: ends.L3, ends: 'L3' });
  if (inside !== null) wanted.push(inside);
  if (last >= 0) wanted.push({ after: last, ends: 'turn' });
  const usable = wanted.filter(({ after, part }) => part !== undefined || canBuildOn(after, question));
  return longEnough(usable, question).slice(-maxBreakpoints);
}

function canBuildOn(after: Breakpoint['after'], { messages }: BreakpointQuestion): boolean {
  if (after === 'system') return true;
  return isMarkable(messages[after]?.parts.at(-1));
}

function isMarkable(part: Message['parts'][number] | undefined): boolean {
  return part !== undefined && part.type !== 'reasoning' && (part.type !== 'text' || part.text !== '');
}

/** Drops breakpoints with fewer tokens before them than the minimum, counted from the first tool on. */
function longEnough(wanted: readonly Breakpoint[], question: BreakpointQuestion): Breakpoint[] {
  const { start, messages, minimum } = question;
  const count = (text: string): number => question.count(text);
  const sums: number[] = [];
  let sum = start;
  const needed = Math.max(-1, ...wanted.map(({ after }) => (after === 'system' ? -1 : after)));
  for (let index = 0; index <= needed && sum < minimum; index += 1) {
    const parts = messages[index]?.parts ?? [];
    sum = [...parts].reduce((all, part) => all + count(countedText(part)), sum);
    sums[index] = sum;
  }
  // Uncounted messages come after the sum reached the minimum.
  return wanted.filter(({ after }) => (after === 'system' ? start : (sums[after] ?? sum)) >= minimum);
}

/** Returns a breakpoint inside the last step if it adds more parts than providers look back over; null otherwise. */
function insideStep(messages: readonly Message[]): Breakpoint | null {
  const newest = messages.map(({ role }) => role).lastIndexOf('assistant');
  const from = messages[messages.length - 1]?.role === 'assistant' ? messages.length : newest;
  if (from <= 0) return null;
  let left = lookBack;
  for (let index = messages.length - 1; index >= from; index -= 1) {
    const parts = messages[index]?.parts ?? [];
    if (parts.length > left) {
      const part = parts.length - left - 1;
      return isMarkable(parts[part]) ? { after: index, part, ends: 'step' } : null;
    }
    left -= parts.length;
  }
  return null;
}

// Explains where a request stops continuing the one before, and what changed there (design 6, R231).

export interface PrefixBreak {
  /** `model`, `tools`, the id of a section, or `conversation`. */
  readonly place: string;
  readonly reasons: readonly string[];
}

/** In the order of sending. */
const places = ['system', 'reference', 'first-message'] as const;

/** Returns null if the request repeats the one before byte for byte and only adds to its end. */
export function explainBreak(before: RequestPlan, after: RequestPlan): PrefixBreak | null {
  const say = words.request;
  if (before.modelId !== after.modelId) return { place: 'model', reasons: [after.modelId] };
  const [tools, other] = [before.tools, after.tools].map((list) => list.map((tool) => JSON.stringify(tool)));
  if (tools?.join() !== other?.join()) {
    const differs = [...before.tools, ...after.tools].filter(
      (tool) => !(tools?.includes(JSON.stringify(tool)) && other?.includes(JSON.stringify(tool))),
    );
    return { place: 'tools', reasons: [say.toolsChanged([...new Set(differs.map(({ name }) => name))])] };
  }
  const [old = [], now = []] = [before, after].map(({ blocks }) => blocksInOrder(blocks));
  const found = firstDifference(old, now);
  if (found !== null) return found;
  if (before.system !== after.system) return { place: 'system', reasons: [say.textChanged] };
  const at = before.messages.findIndex((message, index) => !isSame(message, after.messages[index]));
  return at === -1 ? null : { place: 'conversation', reasons: [say.messageChanged(at + 1)] };
}

/**
 * Returns about how many tokens of the request before are sent again though a cache had them: those after the place at
 * which the request begins to differ.
 */
export function tokensSentAgain(before: RequestPlan, after: RequestPlan, found: PrefixBreak): number {
  const all = Math.min(before.totals.all, after.totals.all);
  if (found.place === 'model' || found.place === 'tools') return all;
  if (found.place === 'conversation') {
    const at = before.messages.findIndex((message, index) => !isSame(message, after.messages[index]));
    const texts = before.messages.slice(at).flatMap(({ parts }) => parts.map(countedText));
    return Math.min(all, tokensByRule(texts.join('\n')));
  }
  const [old = [], now = []] = [before, after].map(({ blocks }) => blocksInOrder(blocks));
  const differs = old.findIndex((block, index) => block.text !== now[index]?.text);
  const same = differs === -1 ? old : old.slice(0, differs);
  return Math.max(0, all - same.reduce((sum, { tokens }) => sum + tokens, before.totals.tools));
}

/**
 * Formats the result as one sentence for the user.
 * @param again what is sent again, and what that costs; empty if that is unknown
 */
export function describeBreak(found: PrefixBreak | null, again = ''): string {
  if (found === null) return words.request.prefixHeld;
  const { place, reasons } = found;
  const name = words.sections[place]?.name ?? words.request.nameOf(place);
  return words.request.prefixBroke(
    name,
    again,
    reasons.filter((reason) => reason !== words.request.textChanged),
  );
}

function blocksInOrder(blocks: readonly Block[]): Block[] {
  return places.flatMap((place) => blocks.filter((block) => block.place === place && block.text !== ''));
}

function firstDifference(old: readonly Block[], now: readonly Block[]): PrefixBreak | null {
  for (let index = 0; index < Math.max(old.length, now.length); index += 1) {
    const [was, is] = [old[index], now[index]];
    if (was?.text !== is?.text) return explainDifference(was, is, old, now);
  }
  return null;
}

/** One block may be undefined, where one list is longer. */
function explainDifference(
  was: Block | undefined,
  is: Block | undefined,
  old: readonly Block[],
  now: readonly Block[],
): PrefixBreak {
  const say = words.request;
  const section = (was ?? is)?.section ?? '';
  const files = filesThatDiffer(old, now, section);
  if (files.length > 0) return { place: section, reasons: files };
  if (was !== undefined && !hasBlock(now, was)) return { place: section, reasons: [say.left] };
  if (is !== undefined && !hasBlock(old, is)) return { place: is.section, reasons: [say.added] };
  return { place: section, reasons: [was === undefined ? say.added : say.textChanged] };
}

function hasBlock(blocks: readonly Block[], block: Block): boolean {
  return blocks.some((each) => idOf(each) === idOf(block));
}

const idOf = ({ section, item = '' }: Block): string => `${section} ${item}`;

/** Names the files that a map lists differently. */
function filesThatDiffer(old: readonly Block[], now: readonly Block[], section: string): string[] {
  const say = words.request;
  const [before, after] = [entriesOf(old, section), entriesOf(now, section)];
  const created = [...after.keys()].filter((path) => !before.has(path)).map(say.created);
  const changed = [...after].filter(([path, text]) => before.has(path) && before.get(path) !== text);
  const deleted = [...before.keys()].filter((path) => !after.has(path)).map(say.missing);
  return [...created, ...changed.map(([path]) => say.changed(path)), ...deleted];
}

function entriesOf(blocks: readonly Block[], section: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const { section: id, item = '', text } of blocks) {
    if (id !== section || !item.startsWith('map:')) continue;
    const folder = item.slice('map:'.length);
    for (const entry of text.split(/\n(?=- )/).map((part) => part.replace(/^<[^>]*>\n/, ''))) {
      const name = /^- (.*?), /.exec(entry)?.[1];
      // The count of incoming links changes with other notes, so it does not count as a change of this one.
      if (name !== undefined) {
        entries.set(folder === '' ? name : `${folder}/${name}`, entry.replace(/ ←\d+|\n<\/folder>$/g, ''));
      }
    }
  }
  return entries;
}

function isSame(one: Message, other: Message | undefined): boolean {
  return (
    one.role === other?.role &&
    one.parts.length === other.parts.length &&
    one.parts.every((part, index) => {
      const twin = other.parts[index];
      if (part.type === 'image' && twin?.type === 'image') return part.image.digest === twin.image.digest;
      return part === twin || (twin?.type === part.type && countedText(part) === countedText(twin));
    })
  );
}

/** Tokens that the provider reported as read from its cache, written to it, or neither; never estimated (R231). */
export interface CacheFigures {
  readonly read: number;
  readonly written: number;
  readonly other: number;
}

/** Returns null unless at least one report mentions the cache; input of reports that do not counts as `other`. */
export function cacheFiguresOf(reports: readonly (Usage | null)[]): CacheFigures | null {
  const used = reports.filter((usage): usage is Usage => usage !== null);
  if (!used.some((usage) => usage.cacheReadTokens !== undefined || usage.cacheWriteTokens !== undefined)) return null;
  return used.reduce<CacheFigures>(
    (sum, { inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }) => ({
      read: sum.read + cacheReadTokens,
      written: sum.written + cacheWriteTokens,
      other: sum.other + Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    }),
    { read: 0, written: 0, other: 0 },
  );
}
