/** Turns the log into messages: what the model still sees, with every call followed by its result. */
import { escapeText } from '../markup/escapes';
import {
  type AssistantPart,
  type ImagePart,
  type Message,
  type TextPart,
  type ToolResultPart,
  toolCallsOf,
} from '../ports/message';
import { pairsOfTurn } from '../prompt/world';
import { type Mention, messageKinds, type SessionEntry, type ZonePart } from '../session/entry';
import { type ContextForms, foldForms, lastRebuild, summaryInForce, targetOf } from '../session/log-state';
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

/** Entries that are sent unchanged are the same objects. */
export function visibleEntries(entries: readonly SessionEntry[]): SessionEntry[] {
  const summary = summaryInForce(entries);
  const covered = new Set(summary?.covers);
  const forms = foldForms(entries);
  const seen: SessionEntry[] = summary === null ? [] : [summary];
  const recall = recallAt(lastRebuild(entries)?.tier);
  let exchange = '';
  let round = '';
  for (const entry of entries) {
    if (entry.kind === 'summary') continue;
    if (!messageKinds.has(entry.kind)) {
      seen.push(entry);
      continue;
    }
    if (entry.kind === 'user') [exchange, round] = [entry.id, ''];
    if (entry.kind === 'assistant') round = entry.id;
    if (covered.has(entry.id)) continue;
    if (forms.get(targetOf.exchange(exchange)) === 'dropped') continue;
    if (round !== '' && forms.get(targetOf.round(round)) === 'dropped') continue;
    const isOutlined = forms.get(targetOf.exchange(exchange)) === 'outline';
    seen.push(isOutlined ? inOutline(entry, forms, recall) : inForm(entry, forms, recall));
  }
  return seen;
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
    const text = formatToolResult(entry, forms.get(targetOf.result(entry.id)), recall);
    return text === entry.text ? entry : { ...entry, text };
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

/**
 * Folds entries into messages. Drops results that answer no call, adds an error result to calls without one, and skips
 * answers without parts.
 */
export function foldMessages(entries: readonly SessionEntry[]): Message[] {
  const messages: Message[] = [];
  let open: Map<string, ToolResultPart | null> | null = null;
  /** Texts to append to the results that are still being collected. */
  let waiting: string[] = [];
  /** Review outcomes since the last message; they go into the next one. */
  let reviewChanges: string[] = [];
  const close = (): void => {
    if (open === null) return;
    const parts = [...open].map(([callId, result]) => result ?? { ...missing, callId, name: nameOf(messages, callId) });
    messages.push({ role: 'tool', parts });
    addToNewest(messages, waiting);
    open = null;
    waiting = [];
  };
  for (const entry of entries) {
    switch (entry.kind) {
      case 'tool-result': {
        const results: Map<string, ToolResultPart | null> | null = open;
        // A call has one result: a second record for the same id is ignored.
        if (results?.get(entry.callId) !== null) break;
        const { callId, name, isError } = entry;
        results.set(callId, { type: 'tool-result', callId, name, text: textOfResult(entry), isError });
        break;
      }
      case 'hook-context': {
        const texts = entry.additions.map(formatAddition);
        if (open === null) addToNewest(messages, texts);
        else waiting.push(...texts);
        break;
      }
      case 'summary':
        messages.push({ role: 'user', parts: [{ type: 'text', text: formatSummary(entry.snapshot) }] });
        messages.push({ role: 'assistant', parts: [{ type: 'text', text: acknowledgement }] });
        break;
      case 'user': {
        close();
        const changeParts = reviewChanges.map((text): TextPart => ({ type: 'text', text: formatReviewChanges(text) }));
        const own: TextPart = { type: 'text', text: escapeText(entry.text) };
        messages.push({ role: 'user', parts: [...changeParts, own, ...imageParts(entry.mentions)] });
        reviewChanges = [];
        break;
      }
      case 'changes-settled':
      case 'changes-undone':
        if (entry.told !== '') reviewChanges.push(entry.told);
        break;
      case 'turn-zone':
        surround(messages, entry);
        break;
      case 'assistant': {
        close();
        const parts = entry.parts.filter(isSendable);
        if (parts.length === 0) break;
        messages.push({ role: 'assistant', parts });
        const calls = toolCallsOf(parts);
        if (calls.length > 0) open = new Map(calls.map((call) => [call.id, null]));
        break;
      }
      default:
        break;
    }
  }
  close();
  return messages;
}

/** Appends context to the result. The result is escaped, so that it cannot imitate such context (R142). */
function textOfResult({ id, text, frame, additions = [] }: SessionEntry & { readonly kind: 'tool-result' }): string {
  return [formatFramed(text, frame, id), ...additions.map(formatAddition)].join('\n\n');
}

/** Appends texts to the newest message that is not an answer, each once, even if the answer is tried several times. */
function addToNewest(messages: Message[], texts: readonly string[]): void {
  const index = messages.map(({ role }) => role !== 'assistant').lastIndexOf(true);
  const message = messages[index];
  if (message?.role === 'user') {
    const added = texts.filter((text) => !message.parts.some((part) => part.text === text));
    const parts = added.map((text): TextPart => ({ type: 'text', text }));
    messages[index] = { role: 'user', parts: [...message.parts, ...parts] };
  }
  const last = message?.role === 'tool' ? message.parts.at(-1) : undefined;
  if (message?.role !== 'tool' || last === undefined) return;
  const text = texts.reduce((all, each) => (all.includes(each) ? all : `${all}\n\n${each}`), last.text);
  messages[index] = { role: 'tool', parts: [...message.parts.slice(0, -1), { ...last, text }] };
}

/** Wraps the last user message in the texts that were sent with it, in their original order. */
function surround(messages: Message[], { before, after }: SessionEntry & { readonly kind: 'turn-zone' }): void {
  const last = messages.at(-1);
  if (last?.role !== 'user') return;
  messages.splice(messages.length - 1, 1, ...messagesForTurn(before, last.parts, after));
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
  for (const message of [...messages].reverse()) {
    if (message.role !== 'assistant') continue;
    const call = toolCallsOf(message.parts).find(({ id }) => id === callId);
    if (call !== undefined) return call.name;
  }
  return '';
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
