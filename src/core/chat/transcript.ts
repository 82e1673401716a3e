/** What the pane shows of a log: one item a user message, an answer or a failure. */
import { words } from '../../text';
import type { Failure } from '../ports/failure';
import type { Usage } from '../ports/message';
import { addUsage } from '../ports/model';
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
  SummaryBody,
} from '../session/entry';
import type { TurnEvent } from '../turn/turn-input';

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

export type TranscriptItem = UserItem | AnswerItem | FailureItem | SummaryItem | ContextEventItem | ReviewItem;

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
      return addContextEvents(items, entry);
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
function withResult(
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

/** A summary where it was made, in the words that it has by now. */
export interface SummaryItem {
  readonly type: 'summary';
  readonly id: string;
  readonly summary: Omit<SummaryBody, 'kind' | 'covers' | 'skills'>;
  /** Whether its messages are sent again. */
  readonly undone: boolean;
}

interface ContextEventItem {
  readonly type: 'relief';
  readonly id: string;
  readonly text: string;
}

type ContextEventEntry = Pick<EntryHeader, 'id'> &
  EntryBody & { readonly kind: 'summary' | 'summary-edited' | 'summary-undone' | 'summary-refused' | 'context-forms' };

/** What the pane shows of relief: a divider for each summary, and a line where something was left out or could not be done. */
function addContextEvents<Item extends { readonly type: string; readonly id: string }>(
  items: readonly Item[],
  entry: ContextEventEntry,
): (Item | SummaryItem | ContextEventItem)[] {
  switch (entry.kind) {
    case 'summary': {
      const { id, kind: _kind, covers: _covers, skills: _skills, ...summary } = entry;
      return [...items, { type: 'summary', id, summary: summaryPart(summary), undone: false }];
    }
    case 'summary-edited':
      return change(items, entry.summary, (item) => ({
        ...item,
        summary: { ...item.summary, snapshot: entry.snapshot },
      }));
    case 'summary-undone':
      return change(items, entry.summary, (item) => ({ ...item, undone: true }));
    case 'summary-refused':
      return [...items, { type: 'relief', id: entry.id, text: words.status.refused[entry.reason] }];
    case 'context-forms': {
      const text = entry.by === 'user' ? '' : describeForms(entry.forms);
      return text === '' ? [...items] : [...items, { type: 'relief', id: entry.id, text }];
    }
  }
}

/** Without the header that a stored entry brings along. */
function summaryPart(entry: SummaryItem['summary']): SummaryItem['summary'] {
  const { snapshot, by, trigger, focus, before, after, removed, kept, paths, topic, notices } = entry;
  const common = { snapshot, by, trigger, focus, before, after, removed, kept, paths };
  return { ...common, ...(topic === undefined ? {} : { topic }), ...(notices === undefined ? {} : { notices }) };
}

function change<Item extends { readonly type: string; readonly id: string }>(
  items: readonly Item[],
  id: string,
  to: (item: SummaryItem) => SummaryItem,
): (Item | SummaryItem)[] {
  return items.map((item) => (isSummary(item) && item.id === id ? to(item) : item));
}

function isSummary(item: { readonly type: string }): item is SummaryItem {
  return item.type === 'summary';
}

function describeForms(forms: (EntryBody & { readonly kind: 'context-forms' })['forms']): string {
  const dropped = forms.filter(({ form }) => form === 'dropped').length;
  const images = forms.filter(({ target, form }) => form === 'masked' && target.startsWith('image:')).length;
  const masked = forms.filter(({ form }) => form === 'masked').length - images;
  return [
    dropped > 0 ? words.status.trimmed(dropped) : '',
    images > 0 ? words.images.putAside(images) : '',
    masked > 0 ? words.status.masked(masked) : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

// The answer under way as the pane shows it, brought forward event by event.

/** Returns the same object when the event does not show in the answer. */
export function advanceAnswer(answer: AnswerItem, event: TurnEvent): AnswerItem {
  switch (event.type) {
    case 'text-delta':
      return { ...answer, parts: appendText(answer.parts, 'text', event.text) };
    case 'reasoning-delta':
      return { ...answer, parts: appendText(answer.parts, 'reasoning', event.text) };
    case 'tool-call-started': {
      const { id, name, argumentsText } = event.call;
      return {
        ...answer,
        parts: [...answer.parts, { type: 'tool-call', callId: id, name, argumentsText, result: null }],
      };
    }
    case 'tool-call-ended':
      return { ...answer, parts: withResult(answer.parts, event.callId, event) };
    default:
      return answer;
  }
}

function appendText(parts: readonly AnswerPart[], type: 'text' | 'reasoning', text: string): AnswerPart[] {
  const last = parts.at(-1);
  if (last?.type !== type) return [...parts, { type, text }];
  return [...parts.slice(0, -1), { type, text: last.text + text }];
}
