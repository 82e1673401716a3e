/** What the pane shows of a log: one item a user message, an answer or a failure. */
import { words } from '../../text';
import { addUsage } from '../add-usage';
import type { Failure } from '../failure';
import type { Mention } from '../mentions/mention';
import type { Usage } from '../message';
import type { Source, Step } from '../tools/tool';
import { addRelief, type ReliefItem, type SummaryItem } from './add-relief';
import type { Addition, AnswerEnd, EntryBody, EntryHeader, SessionEntry } from './entry';

export interface ShownResult {
  readonly text: string;
  readonly isError: boolean;
  readonly sources: readonly Source[];
  /** What came along with it. */
  readonly additions?: readonly Addition[];
  /** What a sub-agent did for it, and what its requests took. */
  readonly steps?: readonly Step[];
  readonly usage?: Usage;
}

export interface ShownCall {
  readonly type: 'tool-call';
  readonly callId: string;
  readonly name: string;
  readonly argumentsText: string;
  /** Null while it runs, and for a call that was cut off. */
  readonly result: ShownResult | null;
}

export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** What another plugin did, or failed to do, in one sentence. */
  | { readonly type: 'note'; readonly text: string }
  | ShownCall;

export interface UserItem {
  readonly type: 'user';
  readonly id: string;
  readonly text: string;
  readonly mentions: readonly Mention[];
}

export interface AnswerItem {
  readonly type: 'answer';
  readonly id: string;
  readonly parts: readonly AnswerPart[];
  /** Null while the answer is under way. */
  readonly end: AnswerEnd | null;
  readonly model: string;
  /** Of all requests that it took, those of sub-agents included. */
  readonly usage?: Usage;
}

export interface FailureItem {
  readonly type: 'failure';
  readonly id: string;
  readonly failure: Failure;
}

export type TranscriptItem = UserItem | AnswerItem | FailureItem | SummaryItem | ReliefItem;

/** All answers between two user messages are one item. */
export function foldTranscript(entries: readonly SessionEntry[]): TranscriptItem[] {
  return entries.reduce<TranscriptItem[]>((items, entry) => addEntry(items, entry), []);
}

/** What of an entry is shown; one that could not be stored is shown as well. */
type ShownEntry = Pick<EntryHeader, 'id'> & EntryBody;

/** Adds one entry; items that did not change are the same objects. */
export function addEntry(items: readonly TranscriptItem[], entry: ShownEntry): TranscriptItem[] {
  switch (entry.kind) {
    case 'user':
      return [...items, { type: 'user', id: entry.id, text: entry.text, mentions: entry.mentions }];
    case 'failure':
      return [...items, { type: 'failure', id: entry.id, failure: entry.failure }];
    case 'assistant':
      return addAnswer(items, entry);
    case 'tool-result':
      return addResult(items, entry.callId, entry);
    case 'hook-context':
      return addNotes(items, entry);
    case 'turn-zone':
    case 'reference-sent':
    case 'prompt-rebuilt':
    case 'choices':
    case 'title':
    case 'goal':
      return [...items];
    case 'summary':
    case 'summary-edited':
    case 'summary-undone':
    case 'summary-refused':
    case 'context-forms':
      return addRelief(items, entry);
  }
}

/** Shows what the disk refused, as if it were stored. */
export function addUnsaved(items: readonly TranscriptItem[], bodies: readonly EntryBody[]): readonly TranscriptItem[] {
  return bodies.reduce<readonly TranscriptItem[]>(
    (all, body) => addEntry(all, { ...body, id: `unsaved-${all.length}` }),
    items,
  );
}

/** The items with the answer under way at their end, joined to the answer that it goes on from. */
export function withLive(items: readonly TranscriptItem[], live: AnswerItem | null): readonly TranscriptItem[] {
  if (live === null) return items;
  const last = items.at(-1);
  if (last?.type !== 'answer') return [...items, live];
  return [...items.slice(0, -1), { ...last, parts: [...last.parts, ...live.parts], end: null }];
}

function addAnswer(items: readonly TranscriptItem[], entry: ShownEntry & { kind: 'assistant' }): TranscriptItem[] {
  const parts = entry.parts.map((part): AnswerPart =>
    part.type === 'tool-call'
      ? { type: 'tool-call', callId: part.id, name: part.name, argumentsText: part.argumentsText, result: null }
      : { type: part.type, text: part.text },
  );
  const { end, model } = entry;
  const last = items.at(-1);
  const usage = addUsage(last?.type === 'answer' ? last.usage : undefined, entry.usage);
  const shared = { end, model, ...(usage === undefined ? {} : { usage }) };
  if (last?.type !== 'answer') return [...items, { type: 'answer', id: entry.id, parts, ...shared }];
  return [...items.slice(0, -1), { ...last, parts: [...last.parts, ...parts], ...shared }];
}

/** What hooks did stands with the answer, even when that answer has not come. */
function addNotes(items: readonly TranscriptItem[], entry: ShownEntry & { kind: 'hook-context' }): TranscriptItem[] {
  const { id, additions, reports } = entry;
  const notes = [...additions.map(({ source }) => words.hooks.added(source)), ...reports];
  const parts = notes.map((text): AnswerPart => ({ type: 'note', text }));
  const last = items.at(-1);
  if (last?.type !== 'answer') return [...items, { type: 'answer', id, parts, end: 'interrupted', model: '' }];
  return [...items.slice(0, -1), { ...last, parts: [...last.parts, ...parts] }];
}

function addResult(items: readonly TranscriptItem[], callId: string, result: ShownResult): TranscriptItem[] {
  const last = items.at(-1);
  if (last?.type !== 'answer') return [...items];
  const parts = withResult(last.parts, callId, result);
  const usage = addUsage(last.usage, result.usage);
  return [...items.slice(0, -1), { ...last, parts, ...(usage === undefined ? {} : { usage }) }];
}

/** The parts with the first unanswered call of this id answered; ids may come again in a later answer. */
export function withResult(
  parts: readonly AnswerPart[],
  callId: string,
  { text, isError, sources, additions, steps }: ShownResult,
): AnswerPart[] {
  const result = {
    text,
    isError,
    sources,
    ...(additions === undefined ? {} : { additions }),
    ...(steps === undefined ? {} : { steps }),
  };
  const open = parts.findIndex((part) => part.type === 'tool-call' && part.callId === callId && part.result === null);
  return parts.map((part, index) => (part.type === 'tool-call' && index === open ? { ...part, result } : part));
}
