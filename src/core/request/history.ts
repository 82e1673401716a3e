/** Turns the log into messages: what the model still sees, with every call followed by its result. */
import { escapeText } from '../markup/escapes';
import {
  type AssistantPart,
  type ImagePart,
  type Message,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  toolCallsOf,
} from '../ports/message';
import { pairsOfTurn } from '../prompt/world';
import { type Mention, messageKinds, outcomeKinds, type SessionEntry, type ZonePart } from '../session/entry';
import { type ContextForms, coveredIn, foldForms, lastRebuild, summaryInForce, targetOf } from '../session/log-state';
import { copyOfLog, findLast, findLastIndex, runningFold } from '../session/running-fold';
import type { Tier } from '../settings/mode';
import { fullTier } from '../tools/tool';
import {
  acknowledgement,
  imageParts,
  formatOutlinedAnswer,
  reshapeNotes,
  formatAddition,
  formatToolResult,
  formatReviewChanges,
  formatFramed,
  formatSummary,
  type Recall,
} from './history-text';

// What the model still sees of a log: the summary in force first, then every uncovered entry in its current form.

/** Where a walk over a log is, and what it leaves out. */
interface Walk {
  readonly covered: ReadonlySet<string>;
  readonly forms: ContextForms;
  exchange: string;
  round: string;
}

/** Begins a walk over the entries; it holds until the summary in force or the form of a part changes. */
export function startWalk(entries: readonly SessionEntry[]): Walk {
  return { covered: coveredIn(entries), forms: foldForms(entries), exchange: '', round: '' };
}

/** Goes on to the next entry, and returns whether the model still sees it. */
export function walkTo(walk: Walk, { kind, id }: SessionEntry): boolean {
  if (kind === 'summary') return false;
  if (!messageKinds.has(kind)) return true;
  if (kind === 'user') [walk.exchange, walk.round] = [id, ''];
  if (kind === 'assistant') walk.round = id;
  const { covered, forms, exchange, round } = walk;
  if (outcomeKinds.has(kind)) return !covered.has(id);
  if (covered.has(id) || forms.get(targetOf.exchange(exchange)) === 'dropped') return false;
  return round === '' || forms.get(targetOf.round(round)) !== 'dropped';
}

/** Whether the entry changes what the model sees of those before it. */
export function changesHistory({ kind }: SessionEntry): boolean {
  return kind === 'summary' || kind === 'summary-edited' || kind === 'summary-undone' || kind === 'context-forms';
}

interface VisibleLog {
  readonly walk: Walk;
  readonly recall: Recall;
  readonly seen: SessionEntry[];
}

const visibleLog = runningFold<SessionEntry, VisibleLog>({
  start(entries) {
    const summary = summaryInForce(entries);
    const recall = recallAt(lastRebuild(entries)?.tier);
    return { walk: startWalk(entries), recall, seen: summary === null ? [] : [summary] };
  },
  add(state, entry) {
    const { walk, recall, seen } = state;
    if (!walkTo(walk, entry)) {
      if (entry.kind === 'user') forgetOutcomes(seen);
      return state;
    }
    if (!messageKinds.has(entry.kind)) seen.push(entry);
    else {
      const { forms } = walk;
      const isOutlined = forms.get(targetOf.exchange(walk.exchange)) === 'outline';
      seen.push(isOutlined ? inOutline(entry, forms, recall) : inForm(entry, forms, recall));
    }
    return state;
  },
  copy: ({ walk, recall, seen }) => ({ walk: { ...walk }, recall, seen: copyOfLog(seen) }),
  isRestart: ({ walk, recall }, entry) =>
    changesHistory(entry) ||
    (entry.kind === 'user' && !walkTo({ ...walk }, entry)) ||
    (entry.kind === 'prompt-rebuilt' && recallAt(entry.tier) !== recall),
});

/** Removes the outcomes of reviews that are reported by a message that is left out. */
function forgetOutcomes(seen: SessionEntry[]): void {
  const last = findLastIndex(seen, ({ kind }) => messageKinds.has(kind) && !outcomeKinds.has(kind));
  const rest = seen.splice(last + 1);
  seen.push(...rest.filter(({ kind }) => !outcomeKinds.has(kind)));
}

/** Entries that are sent unchanged are the same objects. The array grows with the log, until one changes its past. */
export function visibleEntries(entries: readonly SessionEntry[]): readonly SessionEntry[] {
  return visibleLog(entries).seen;
}

/** The tool that gives results back begins at the level with all tools. */
function recallAt(tier: Tier = fullTier): Recall {
  return tier >= fullTier ? 'by-handle' : 'by-call';
}

/** Outlines answers and results, except results with a form of their own. User messages stay. */
function inOutline(entry: SessionEntry, forms: ContextForms, recall: Recall): SessionEntry {
  if (entry.kind === 'assistant') return formatOutlinedAnswer(entry);
  if (entry.kind !== 'tool-result' || forms.has(targetOf.result(entry.id))) return inForm(entry, forms, recall);
  return { ...entry, text: formatToolResult(entry, 'outline', recall) };
}

function inForm(entry: SessionEntry, forms: ContextForms, recall: Recall): SessionEntry {
  if (entry.kind === 'tool-result') {
    const form = forms.get(targetOf.result(entry.id));
    const text = formatToolResult(entry, form, recall);
    if (text === entry.text) return entry;
    return form === undefined || form === 'whole' || form === 'pinned'
      ? { ...entry, text }
      : { ...entry, text, images: [] };
  }
  if (entry.kind === 'user') return withoutImages(entry, forms);
  if (entry.kind !== 'turn-zone' || forms.size === 0) return entry;
  const reshape = (part: (typeof entry.before)[number]): (typeof entry.before)[number] => ({
    ...part,
    text: reshapeNotes(part.text, (path) => forms.get(targetOf.note(entry.id, path))),
  });
  return { ...entry, before: entry.before.map(reshape), after: entry.after.map(reshape) };
}

function withoutImages(entry: SessionEntry & { readonly kind: 'user' }, forms: ContextForms): SessionEntry {
  const isCleared = ({ image }: Mention): boolean => {
    const form = image && forms.get(targetOf.image(entry.id, image.digest));
    return form === 'masked' || form === 'dropped';
  };
  if (!entry.mentions.some(isCleared)) return entry;
  const mentions = entry.mentions.map((mention): Mention => {
    if (mention.image === undefined || !isCleared(mention)) return mention;
    return { ...mention, image: { ...mention.image, isCleared: true } };
  });
  return { ...entry, mentions };
}

// From visible entries to messages: in order, every call followed by its result.

/** The result of a call that was cut off, so that the history stays valid (S3). */
export const interruptedResult = 'This call was interrupted and has no result. Call again if you still need it.';

/** Returns the messages for a log; a summary is the first of them (K2). */
export function foldLog(entries: readonly SessionEntry[]): Message[] {
  return foldMessages(visibleEntries(entries));
}

/** Messages so far, and what is still collected for them. */
interface OpenMessages {
  readonly messages: Message[];
  open: Map<string, ToolResultPart | null> | null;
  /** Texts to append to the results that are still being collected. */
  waiting: string[];
  /** The images of those results. */
  images: (ImagePart | TextPart)[];
  /** Review outcomes since the last message; they go into the next one. */
  reviewChanges: string[];
}

/**
 * Folds entries into messages. Drops results that answer no call, adds an error result to calls without one, and skips
 * answers without parts.
 */
export function foldMessages(entries: readonly SessionEntry[]): Message[] {
  const closed = copyMessages(openMessages(entries));
  closeCalls(closed);
  return closed.messages;
}

function copyMessages({ messages, open, waiting, images, reviewChanges }: OpenMessages): OpenMessages {
  return {
    messages: [...messages],
    open: open === null ? null : new Map(open),
    waiting: [...waiting],
    images: [...images],
    reviewChanges: [...reviewChanges],
  };
}

/** Ends the answer whose calls are open: each gets a result. */
function closeCalls(state: OpenMessages): void {
  const { messages, open, waiting } = state;
  if (open === null) return;
  const parts = [...open].map(([callId, result]) => result ?? { ...missing, callId, name: nameOf(messages, callId) });
  messages.push({ role: 'tool', parts });
  addToNewest(messages, waiting);
  // Not every provider takes images within a result.
  if (state.images.length > 0) messages.push({ role: 'user', parts: state.images, carriesResults: true });
  state.open = null;
  state.waiting = [];
  state.images = [];
}

const openMessages = runningFold<SessionEntry, OpenMessages>({
  start: () => ({ messages: [], open: null, waiting: [], images: [], reviewChanges: [] }),
  copy: copyMessages,
  add(state, entry) {
    const { messages, open } = state;
    switch (entry.kind) {
      case 'tool-result': {
        // A call has one result: a second record for the same id is ignored.
        if (open?.get(entry.callId) !== null) break;
        const { callId, name, isError } = entry;
        open.set(callId, { type: 'tool-result', callId, name, text: textOfResult(entry), isError });
        state.images.push(...imageParts(entry.images ?? []));
        break;
      }
      case 'hook-context': {
        const texts = entry.additions.map(formatAddition);
        if (open === null) addToNewest(messages, texts);
        else state.waiting.push(...texts);
        break;
      }
      case 'summary':
        messages.push({ role: 'user', parts: [{ type: 'text', text: formatSummary(entry.snapshot) }] });
        messages.push({ role: 'assistant', parts: [{ type: 'text', text: acknowledgement }] });
        break;
      case 'user':
        addUserMessage(state, entry);
        break;
      case 'changes-settled':
      case 'changes-undone':
        if (entry.told !== '') state.reviewChanges.push(entry.told);
        break;
      case 'turn-zone':
        surround(messages, entry);
        break;
      case 'assistant':
        addAnswer(state, entry);
        break;
      default:
        break;
    }
    return state;
  },
});

/** Returns what became of reviews since the last message, which the next one begins with. */
export function outcomesToReport(entries: readonly SessionEntry[]): TextPart[] {
  return outcomeParts(openMessages(visibleEntries(entries)));
}

function outcomeParts({ reviewChanges }: OpenMessages): TextPart[] {
  return reviewChanges.map((text) => ({ type: 'text', text: formatReviewChanges(text) }));
}

function addUserMessage(state: OpenMessages, entry: SessionEntry & { readonly kind: 'user' }): void {
  closeCalls(state);
  const changeParts = outcomeParts(state);
  const own: TextPart = { type: 'text', text: escapeText(entry.text) };
  state.messages.push({ role: 'user', parts: [...changeParts, own, ...imageParts(entry.mentions)] });
  state.reviewChanges = [];
}

function addAnswer(state: OpenMessages, entry: SessionEntry & { readonly kind: 'assistant' }): void {
  closeCalls(state);
  const parts = entry.parts.filter(isSendable);
  if (parts.length === 0) return;
  state.messages.push({ role: 'assistant', parts });
  const calls = toolCallsOf(parts);
  if (calls.length > 0) state.open = new Map(calls.map((call) => [call.id, null]));
}

/** Appends context to the result. The result is escaped, so that it cannot imitate such context (R142). */
function textOfResult({ id, text, frame, additions = [] }: SessionEntry & { readonly kind: 'tool-result' }): string {
  return [formatFramed(text, frame, id), ...additions.map(formatAddition)].join('\n\n');
}

/** Appends texts to the newest message that is not an answer, each once, even if the answer is tried several times. */
function addToNewest(messages: Message[], texts: readonly string[]): void {
  const index = findLastIndex(messages, ({ role }) => role !== 'assistant');
  const message = messages[index];
  if (message?.role === 'user') {
    const added = texts.filter((text) => !message.parts.some((part) => part.text === text));
    const parts = added.map((text): TextPart => ({ type: 'text', text }));
    messages[index] = { ...message, parts: [...message.parts, ...parts] };
  }
  const last = message?.role === 'tool' ? message.parts.at(-1) : undefined;
  if (message?.role !== 'tool' || last === undefined) return;
  const text = texts.reduce((all, each) => (all.includes(each) ? all : `${all}\n\n${each}`), last.text);
  messages[index] = { role: 'tool', parts: [...message.parts.slice(0, -1), { ...last, text }] };
}

/**
 * Wraps the newest message of the user in the texts that were sent with it, in their original order. An answer may follow
 * it: one that was cut off, before the message was sent again with the first such texts.
 */
function surround(messages: Message[], { before, after }: SessionEntry & { readonly kind: 'turn-zone' }): void {
  const index = findLastIndex(messages, (each) => each.role === 'user' && each.carriesResults !== true);
  const message = messages[index];
  if (message?.role === 'user') messages.splice(index, 1, ...messagesForTurn(before, message.parts, after));
}

/** Drops trailing answers, which belong to an attempt that was cut off. */
export function withoutLastAttempt(messages: readonly Message[]): readonly Message[] {
  let end = messages.length;
  while (messages[end - 1]?.role === 'assistant') end -= 1;
  return messages.slice(0, end);
}

const missing = { type: 'tool-result', text: interruptedResult, isError: true } as const;

function isSendable(part: AssistantPart): boolean {
  return part.type !== 'text' || part.text !== '';
}

function nameOf(messages: readonly Message[], callId: string): string {
  const callIn = (message: Message): ToolCallPart | undefined =>
    message.role === 'assistant' ? toolCallsOf(message.parts).find(({ id }) => id === callId) : undefined;
  const answer = findLast(messages, (message) => callIn(message) !== undefined);
  return (answer && callIn(answer)?.name) ?? '';
}

// The messages of one turn: separate messages first, then the user's message with the texts around it.

/** Notes, pages and changes under review become messages of their own, each with a reply (R211, R212, R214). */
export function messagesForTurn(
  before: readonly ZonePart[],
  own: readonly (TextPart | ImagePart)[],
  after: readonly ZonePart[],
): Message[] {
  const pairs = before.flatMap(({ section, text }): Message[] => {
    const pair = Object.hasOwn(pairsOfTurn, section) ? pairsOfTurn[section] : undefined;
    if (pair === undefined) return [];
    return [
      { role: 'user', parts: [{ type: 'text', text: `${pair.header}\n\n${text}` }] },
      { role: 'assistant', parts: [{ type: 'text', text: pair.reply }] },
    ];
  });
  const around = before.filter(({ section }) => !Object.hasOwn(pairsOfTurn, section));
  return [...pairs, { role: 'user', parts: [...around.map(textPart), ...own, ...after.map(textPart)] }];
}

function textPart({ text }: ZonePart): TextPart {
  return { type: 'text', text };
}
