/** What the pane shows of a log: one item a user message, an answer or a failure. */
import { words } from '../../text';
import type { Failure } from '../ports/failure';
import type { Usage } from '../ports/message';
import { addUsage } from '../ports/model';
import { addRelief, type ReliefItem, type SummaryItem } from './add-relief';
import type {
  Addition,
  AnswerEnd,
  EntryBody,
  EntryHeader,
  Mention,
  ResultView,
  SessionEntry,
  Source,
  Step,
} from './entry';

export interface ShownResult {
  readonly text: string;
  readonly isError: boolean;
  readonly sources: readonly Source[];
  /** What is shown of it by itself. */
  readonly view?: ResultView;
  /** Whether it was the last of its turn, which waits for the user. */
  readonly endsTurn?: boolean;
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

/** Where the changes of an answer are shown; what they are stands with the chat's reviews. */
export interface ReviewItem {
  readonly type: 'review';
  /** Of the changeset. */
  readonly id: string;
}

export type TranscriptItem = UserItem | AnswerItem | FailureItem | SummaryItem | ReliefItem | ReviewItem;

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
    case 'request-beside':
    case 'changes-undone':
    case 'tainted':
      return [...items];
    case 'changes-staged':
    case 'changes-settled':
      return addReview(items, entry.changeset);
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
  return joinAnswer(items, live, (last) => ({ ...last, parts: [...last.parts, ...live.parts], end: null }));
}

function addAnswer(items: readonly TranscriptItem[], entry: ShownEntry & { kind: 'assistant' }): TranscriptItem[] {
  const parts = entry.parts.map((part): AnswerPart =>
    part.type === 'tool-call'
      ? { type: 'tool-call', callId: part.id, name: part.name, argumentsText: part.argumentsText, result: null }
      : { type: part.type, text: part.text },
  );
  const { end, model } = entry;
  const shared = (earlier?: Usage) => {
    const usage = addUsage(earlier, entry.usage);
    return { end, model, ...(usage === undefined ? {} : { usage }) };
  };
  return joinAnswer(items, { type: 'answer', id: entry.id, parts, ...shared() }, (last) => ({
    ...last,
    parts: [...last.parts, ...parts],
    ...shared(last.usage),
  }));
}

/** What hooks did stands with the answer, even when that answer has not come. */
function addNotes(items: readonly TranscriptItem[], entry: ShownEntry & { kind: 'hook-context' }): TranscriptItem[] {
  const { id, additions, reports } = entry;
  const notes = [...additions.map(({ source }) => words.hooks.added(source)), ...reports];
  const parts = notes.map((text): AnswerPart => ({ type: 'note', text }));
  return joinAnswer(items, { type: 'answer', id, parts, end: 'interrupted', model: '' }, (last) => ({
    ...last,
    parts: [...last.parts, ...parts],
  }));
}

function addResult(items: readonly TranscriptItem[], callId: string, result: ShownResult): TranscriptItem[] {
  return joinAnswer(items, null, (last) => {
    const parts = withResult(last.parts, callId, result);
    const usage = addUsage(last.usage, result.usage);
    const end = result.endsTurn === true ? { end: 'complete' as const } : {};
    return { ...last, parts, ...end, ...(usage === undefined ? {} : { usage }) };
  });
}

/** Changes the answer at the end, behind which its reviews may stand; without one the other is added, if any. */
function joinAnswer(
  items: readonly TranscriptItem[],
  fresh: AnswerItem | null,
  change: (last: AnswerItem) => AnswerItem,
): TranscriptItem[] {
  const last = items.filter(({ type }) => type !== 'review').at(-1);
  if (last?.type !== 'answer') return fresh === null ? [...items] : [...items, fresh];
  return items.map((item) => (item === last ? change(last) : item));
}

/** A review that goes on in a later turn stands there. */
function addReview(items: readonly TranscriptItem[], id: string): TranscriptItem[] {
  return [...items.filter((item) => item.type !== 'review' || item.id !== id), { type: 'review', id }];
}

/** The parts with the first unanswered call of this id answered; ids may come again in a later answer. */
export function withResult(
  parts: readonly AnswerPart[],
  callId: string,
  { text, isError, sources, view, additions, steps }: ShownResult,
): AnswerPart[] {
  const result = {
    text,
    isError,
    sources,
    ...(view === undefined ? {} : { view }),
    ...(additions === undefined ? {} : { additions }),
    ...(steps === undefined ? {} : { steps }),
  };
  const open = parts.findIndex((part) => part.type === 'tool-call' && part.callId === callId && part.result === null);
  return parts.map((part, index) => (part.type === 'tool-call' && index === open ? { ...part, result } : part));
}
