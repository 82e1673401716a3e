/** The transcript that a chat view shows: one item per user message, answer, failure, summary or review. */
import { words } from '../../text';
import { SentEscapes } from '../markup/escapes';
import { type NotesInPart, notesSentInPart } from '../context/turn-context';
import type { Failure } from '../ports/failure';
import type { CallNotes, ToolCallPart, Usage } from '../ports/message';
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
import { noteOf } from '../session/log-state';
import type { TurnEvent } from '../turn/turn-input';

export interface ShownResult {
  readonly text: string;
  readonly isError: boolean;
  readonly sources: readonly Source[];
  /** The interactive part of the result, drawn outside the call. */
  readonly view?: ResultView;
  /** Whether it ends the turn, which then waits for the user. */
  readonly endsTurn?: boolean;
  /** Context files and hook texts appended to the result. */
  readonly additions?: readonly Addition[];
  /** What a subagent did for it, and the tokens its requests used. */
  readonly steps?: readonly Step[];
  readonly usage?: Usage;
}

export interface ShownCall {
  readonly type: 'tool-call';
  readonly callId: string;
  readonly name: string;
  readonly argumentsText: string;
  /** What a model without native tools said of its work with the call. */
  readonly notes?: CallNotes;
  /** Null while it runs, and for a call that was cut off. */
  readonly result: ShownResult | null;
}

export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** One sentence on what another plugin did or failed to do. */
  | { readonly type: 'note'; readonly text: string }
  | ShownCall;

export interface UserItem {
  readonly type: 'user';
  readonly id: string;
  readonly text: string;
  readonly mentions: readonly Mention[];
  /** How notes were sent that were not sent whole, by path; absent for none. */
  readonly inPart?: NotesInPart;
}

export interface AnswerItem {
  readonly type: 'answer';
  readonly id: string;
  readonly parts: readonly AnswerPart[];
  /** Null while the answer is streaming. */
  readonly end: AnswerEnd | null;
  readonly model: string;
  /** The sum over all requests of the answer, subagents included. */
  readonly usage?: Usage;
}

export interface FailureItem {
  readonly type: 'failure';
  readonly id: string;
  readonly failure: Failure;
}

/** Marks where the changes of an answer are shown; the changes themselves are in the chat's reviews. */
export interface ReviewItem {
  readonly type: 'review';
  /** The id of the changeset. */
  readonly id: string;
}

export type TranscriptItem = UserItem | AnswerItem | FailureItem | SummaryItem | ContextEventItem | ReviewItem;

/**
 * Folds entries into items; all answers between two user messages become one item. A note marks where the chat went on
 * on another device.
 */
export function foldTranscript(entries: readonly SessionEntry[]): TranscriptItem[] {
  let writer: string | null = null;
  return entries.reduce<TranscriptItem[]>((items, entry) => {
    if (entry.kind !== 'user') return addEntry(items, entry);
    const isElsewhere = writer !== null && entry.writer !== writer;
    writer = entry.writer;
    return addEntry(isElsewhere ? [...items, noteOfMove(entry.id)] : items, entry);
  }, []);
}

function noteOfMove(id: string): ContextEventItem {
  return { type: 'relief', id: `${id}-elsewhere`, text: words.chatView.continuedElsewhere };
}

/** Whether the newest message was written on another device than the one before, which only the whole fold shows. */
export function isFromElsewhere(entries: readonly SessionEntry[]): boolean {
  if (entries.at(-1)?.kind !== 'user') return false;
  const [before, last] = entries.filter(({ kind }) => kind === 'user').slice(-2);
  return last !== undefined && before?.writer !== last.writer;
}

/** An entry to show, which may not be stored. */
type ShownEntry = Pick<EntryHeader, 'id'> & EntryBody;

/** Adds one entry; unchanged items are the same objects. */
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
      return markInPart(items, notesSentInPart(entry));
    case 'chat-began':
    case 'reference-sent':
    case 'prompt-rebuilt':
    case 'choices':
    case 'title':
    case 'goal':
    case 'request-beside':
    case 'changes-undone':
    case 'tainted':
      return [...items];
    case 'log-restored':
      return addBeforeAnswer(items, { type: 'relief', id: entry.id, text: words.chatView.logRestored(entry.lines) });
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

/** Shows entries that could not be stored as if they were. */
export function addUnsaved(items: readonly TranscriptItem[], bodies: readonly EntryBody[]): readonly TranscriptItem[] {
  return bodies.reduce<readonly TranscriptItem[]>(
    (all, body) => addEntry(all, { ...body, id: `unsaved-${all.length}` }),
    items,
  );
}

/** Returns a stored answer with the text that streams in after it. */
export function joinLive(stored: AnswerItem, live: AnswerItem): AnswerItem {
  return { ...stored, parts: [...stored.parts, ...live.parts], end: null };
}

function addAnswer(items: readonly TranscriptItem[], entry: ShownEntry & { kind: 'assistant' }): TranscriptItem[] {
  const sent = new SentEscapes(entry.escapes);
  const parts = entry.parts.map((part): AnswerPart =>
    part.type === 'tool-call' ? shownCall(part) : { type: part.type, text: sent.decode(part.text) },
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

function shownCall({ id, name, argumentsText, notes }: ToolCallPart): ShownCall {
  const said = notes === undefined ? {} : { notes };
  return { type: 'tool-call', callId: id, name, argumentsText, ...said, result: null };
}

/** Marks the notes of the last message that were sent in part. */
function markInPart(items: readonly TranscriptItem[], inPart: NotesInPart): TranscriptItem[] {
  if (Object.keys(inPart).length === 0) return [...items];
  const at = items.map(({ type }) => type).lastIndexOf('user');
  return items.map((item, index) => (index === at ? ({ ...item, inPart } as UserItem) : item));
}

/** Adds hook notes to the answer, or starts one with them if no answer has come yet. */
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

/** Changes the last answer, which only reviews may follow; without one, adds `fresh` unless it is null. */
function joinAnswer(
  items: readonly TranscriptItem[],
  fresh: AnswerItem | null,
  change: (last: AnswerItem) => AnswerItem,
): TranscriptItem[] {
  const last = items.filter(({ type }) => type !== 'review').at(-1);
  if (last?.type !== 'answer') return fresh === null ? [...items] : [...items, fresh];
  return items.map((item) => (item === last ? change(last) : item));
}

/** Adds a note before an answer that is not over, so that it stays one item. */
function addBeforeAnswer(items: readonly TranscriptItem[], note: ContextEventItem): TranscriptItem[] {
  const last = items.filter(({ type }) => type !== 'review').at(-1);
  return last?.type === 'answer' ? items.flatMap((item) => (item === last ? [note, item] : [item])) : [...items, note];
}

/** Moves a review that continues in a later turn to the end. */
function addReview(items: readonly TranscriptItem[], id: string): TranscriptItem[] {
  return [...items.filter((item) => item.type !== 'review' || item.id !== id), { type: 'review', id }];
}

/** Fills in the first open call with this id, since a later answer may use the id again. */
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

/** A summary at the place where it was made, with its current text. */
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

/** Shows a divider for each summary, and a note where something was cleared or a summary was refused. */
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

/** Drops the header of a stored entry. */
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
  const outlined = new Set(forms.flatMap(({ target, form }) => (form === 'outline' ? (noteOf(target) ?? []) : [])));
  return [
    dropped > 0 ? words.status.trimmed(dropped) : '',
    images > 0 ? words.images.clearedNumber(images) : '',
    masked > 0 ? words.status.masked(masked) : '',
    outlined.size > 0 ? words.status.notesOutlined([...outlined]) : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** Applies a turn event to the streaming answer; returns the same object if the event changes nothing in it. */
export function advanceAnswer(answer: AnswerItem, event: TurnEvent): AnswerItem {
  switch (event.type) {
    case 'text-delta':
      return { ...answer, parts: appendText(answer.parts, 'text', event.text) };
    case 'reasoning-delta':
      return { ...answer, parts: appendText(answer.parts, 'reasoning', event.text) };
    case 'tool-call-started':
      return { ...answer, parts: [...answer.parts, shownCall(event.call)] };
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
