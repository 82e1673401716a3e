/** The transcript that a chat view shows: one item per user message, answer, failure, summary or review. */
import { words } from '../../text';
import { type Steps, takeSteps } from '../base/async';
import { decodeAttribute, SentEscapes } from '../markup/escapes';
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
import { findLastIndex } from '../session/running-fold';
import type { TurnEvent } from '../turn/turn-input';

interface ShownResult {
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
  /** When it was sent, in milliseconds since the epoch; absent if it could not be stored. */
  readonly at?: number;
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
  /** Whether the price of one of them is not known. */
  readonly isUnpriced?: true;
  /** Milliseconds that the answer took; absent if that is not known, as for one that was sent for again. */
  readonly took?: number;
}

interface FailureItem {
  readonly type: 'failure';
  readonly id: string;
  readonly failure: Failure;
}

/** Marks where the changes of an answer are shown; the changes themselves are in the chat's reviews. */
interface ReviewItem {
  readonly type: 'review';
  /** The id of the changeset. */
  readonly id: string;
}

/** Takes the place of a message or an answer that was deleted. */
export interface DeletedItem {
  readonly type: 'deleted';
  /** The id by which it is restored. */
  readonly id: string;
}

export type TranscriptItem =
  | UserItem
  | AnswerItem
  | DeletedItem
  | FailureItem
  | SummaryItem
  | ContextEventItem
  | ReviewItem;

/** Returns the items of entries; all answers between two user messages become one item. */
export function foldTranscript(entries: readonly SessionEntry[]): readonly TranscriptItem[] {
  const transcript = new Transcript();
  transcript.follow(entries);
  return transcript.items;
}

/** An entry to show, which may not be stored. */
type ShownEntry = Pick<EntryHeader, 'id'> & Partial<Pick<EntryHeader, 'time'>> & EntryBody;
type ShownKind<Kind extends SessionEntry['kind']> = ShownEntry & { readonly kind: Kind };

/** What an entry costs of a slice, in characters read. */
const unitsOfEntry = 50;

/** Transcript: the items of a chat, to which those of new entries are added. Unchanged items are the same objects. */
export class Transcript {
  /** Items at their places; null where one has moved to the end. */
  private readonly places: (TranscriptItem | null)[] = [];
  /** The places of summaries and of reviews, by id. */
  private readonly placeOf = { summary: new Map<string, number>(), review: new Map<string, number>() };
  /** The place of the last item that is no review; -1 without one. */
  private last = -1;
  /** The place of the last message. */
  private message = -1;
  /** When the last answer was sent for; 0 if that is not known, as after one that did not come to its end. */
  private asked = 0;
  private writer: string | null = null;
  private followed = 0;
  private hasMoved = false;
  private shown: readonly TranscriptItem[] | null = [];

  /** The items in order; a new array once there is more to show. */
  get items(): readonly TranscriptItem[] {
    this.shown ??= this.hasMoved
      ? this.places.filter((item): item is TranscriptItem => item !== null)
      : (this.places.slice() as TranscriptItem[]);
    return this.shown;
  }

  /** Adds what the log has more than when it was followed last; returns whether there was anything. */
  follow(entries: readonly SessionEntry[]): boolean {
    const before = this.followed;
    takeSteps(this.read(entries));
    return this.followed > before;
  }

  /** Follows a log by one entry at each step. */
  *read(entries: readonly SessionEntry[]): Steps<void> {
    for (; this.followed < entries.length; this.followed += 1) {
      const entry = entries[this.followed]!;
      if (entry.kind === 'user') this.noteMove(entry);
      this.add(entry);
      yield unitsOfEntry;
    }
  }

  /** Shows an entry that could not be stored as if it were. */
  addUnsaved(body: EntryBody): void {
    this.add({ ...body, id: `unsaved-${this.places.length}` });
  }

  /** Marks where the chat went on on another device. */
  private noteMove({ id, writer }: SessionEntry): void {
    const isElsewhere = this.writer !== null && writer !== this.writer;
    this.writer = writer;
    if (isElsewhere) this.push({ type: 'relief', id: `${id}-elsewhere`, text: words.chatView.continuedElsewhere });
  }

  private push(item: TranscriptItem): void {
    this.shown = null;
    this.places.push(item);
    const place = this.places.length - 1;
    if (item.type === 'review' || item.type === 'summary') this.placeOf[item.type].set(item.id, place);
    if (item.type !== 'review') this.last = place;
    if (item.type === 'user') this.message = place;
  }

  private replace(place: number, item: TranscriptItem | null): void {
    this.shown = null;
    this.places[place] = item;
  }

  private add(entry: ShownEntry): void {
    switch (entry.kind) {
      case 'user':
        this.asked = entry.time ?? 0;
        return this.push(userItem(entry));
      case 'branch':
        this.asked = entry.time ?? 0;
        return;
      case 'message-deleted':
        return this.push({ type: 'deleted', id: entry.message });
      case 'failure':
        this.asked = 0;
        return this.push({ type: 'failure', id: entry.id, failure: entry.failure });
      case 'assistant':
        return this.addAnswer(entry);
      case 'tool-result':
        this.changeAnswer((last) => withResultOf(last, entry));
        return;
      case 'hook-context':
        return this.addNotes(entry);
      case 'turn-zone':
        return this.markInPart(notesSentInPart(entry));
      case 'log-restored':
        return this.addBeforeAnswer({ type: 'relief', id: entry.id, text: words.chatView.logRestored(entry.lines) });
      case 'changes-staged':
      case 'changes-settled':
        return this.addReview(entry.changeset);
      default:
        return this.addContextEvent(entry);
    }
  }

  private addAnswer(entry: ShownKind<'assistant'>): void {
    const sent = new SentEscapes(entry.escapes);
    const parts = entry.parts.flatMap((part): AnswerPart[] => {
      if (part.type === 'tool-call') return [shownCall(part)];
      // Without text, it only holds what the provider needs back.
      if (part.type === 'reasoning' && part.text === '') return [];
      return [{ type: part.type, text: sent.decode(part.text) }];
    });
    const { end, model, time } = entry;
    const isTimed = time !== undefined && this.asked > 0 && time > this.asked;
    const took: Pick<AnswerItem, 'took'> = isTimed ? { took: time - this.asked } : {};
    const isUnpriced = entry.usage !== undefined && entry.usage.cost === undefined;
    const shared = (earlier?: Usage) => {
      const usage = addUsage(earlier, entry.usage);
      return { end, model, ...(usage && { usage }), ...took, ...(isUnpriced && { isUnpriced }) };
    };
    this.joinAnswer({ type: 'answer', id: entry.id, parts, ...shared() }, ({ usage }) => shared(usage));
    if (took.took === undefined) this.changeAnswer(withoutTime);
    if (end === 'stopped' || end === 'interrupted' || end === 'failed') this.asked = 0;
  }

  /** Adds hook notes to the answer, or starts one with them if no answer has come yet. */
  private addNotes({ id, additions, reports }: ShownKind<'hook-context'>): void {
    const notes = [...additions.map(({ source }) => words.hooks.added(source)), ...reports];
    const parts = notes.map((text): AnswerPart => ({ type: 'note', text }));
    this.joinAnswer({ type: 'answer', id, parts, end: 'interrupted', model: '' }, () => ({}));
  }

  /** Adds the parts to the last answer, which only reviews may follow; without one, adds the answer. */
  private joinAnswer(fresh: AnswerItem, change: (last: AnswerItem) => Partial<AnswerItem>): void {
    const isJoined = this.changeAnswer((last) => ({ ...last, parts: last.parts.concat(fresh.parts), ...change(last) }));
    if (isJoined) return;
    this.markContinued();
    this.push(fresh);
  }

  /** Takes the sign of an interruption from an answer that went on after what was freed or summarized in between. */
  private markContinued(): void {
    const place = findLastIndex(this.places, (item) => item?.type === 'answer');
    const item = this.places[place];
    if (item?.type !== 'answer' || place < this.message || item.end !== 'tool-calls') return;
    this.replace(place, { ...item, end: 'complete' });
  }

  private changeAnswer(change: (last: AnswerItem) => AnswerItem): boolean {
    const last = this.places[this.last];
    if (last?.type !== 'answer') return false;
    this.replace(this.last, change(last));
    return true;
  }

  /** Marks the notes of the last message that were sent in part. */
  private markInPart(inPart: NotesInPart): void {
    const message = this.places[this.message];
    if (message?.type !== 'user' || Object.keys(inPart).length === 0) return;
    this.replace(this.message, { ...message, inPart });
  }

  /** Adds a note before an answer that is not over, so that it stays one item. */
  private addBeforeAnswer(note: ContextEventItem): void {
    const last = this.places[this.last];
    if (last?.type !== 'answer') return this.push(note);
    const later = this.places.splice(this.last, Infinity, note);
    for (const item of later) if (item !== null) this.push(item);
  }

  /** Moves a review that continues in a later turn to the end. */
  private addReview(id: string): void {
    const place = this.placeOf.review.get(id);
    if (place !== undefined) this.replace(place, null);
    this.hasMoved ||= place !== undefined;
    this.push({ type: 'review', id });
  }

  /** Shows a divider for each summary, and a note where something was cleared or a summary was refused. */
  private addContextEvent(entry: ShownEntry): void {
    switch (entry.kind) {
      case 'summary':
        return this.push({ type: 'summary', id: entry.id, summary: summaryPart(entry), undone: false });
      case 'summary-edited': {
        const { snapshot } = entry;
        return this.changeSummary(entry.summary, (item) => ({ ...item, summary: { ...item.summary, snapshot } }));
      }
      case 'summary-undone':
        return this.changeSummary(entry.summary, (item) => ({ ...item, undone: true }));
      case 'summary-refused':
        return this.push({ type: 'relief', id: entry.id, text: words.status.refused[entry.reason] });
      case 'context-forms': {
        const text = entry.by === 'user' ? '' : describeForms(entry.forms);
        if (text !== '') this.push({ type: 'relief', id: entry.id, text });
        return;
      }
      default:
        return;
    }
  }

  private changeSummary(id: string, change: (item: SummaryItem) => SummaryItem): void {
    const place = this.placeOf.summary.get(id) ?? -1;
    const item = this.places[place];
    if (item?.type === 'summary') this.replace(place, change(item));
  }
}

/** Returns a stored answer with the text that streams in after it. */
export function joinLive(stored: AnswerItem, live: AnswerItem): AnswerItem {
  return { ...stored, parts: [...stored.parts, ...live.parts], end: null };
}

function userItem({ id, text, mentions, time }: ShownKind<'user'>): UserItem {
  return { type: 'user', id, text, mentions, ...(time !== undefined && { at: time }) };
}

function withoutTime({ took: _took, ...answer }: AnswerItem): AnswerItem {
  return answer;
}

function shownCall({ id, name, argumentsText, notes }: ToolCallPart): ShownCall {
  const said = notes === undefined ? {} : { notes };
  return { type: 'tool-call', callId: id, name, argumentsText, ...said, result: null };
}

function withResultOf(answer: AnswerItem, result: ShownKind<'tool-result'>): AnswerItem {
  const parts = withResult(answer.parts, result.callId, result);
  const usage = addUsage(answer.usage, result.usage);
  const end = result.endsTurn === true ? { end: 'complete' as const } : {};
  return { ...answer, parts, ...end, ...(usage === undefined ? {} : { usage }) };
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
  const changed = parts.slice();
  const call = changed[open];
  if (call?.type === 'tool-call') changed[open] = { ...call, result };
  return changed;
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

/** Drops the header of a stored entry. */
function summaryPart(entry: SummaryItem['summary']): SummaryItem['summary'] {
  const { snapshot, by, trigger, focus, before, after, removed, kept, paths, topic, notices } = entry;
  const common = { snapshot, by, trigger, focus, before, after, removed, kept, paths };
  return { ...common, ...(topic === undefined ? {} : { topic }), ...(notices === undefined ? {} : { notices }) };
}

function describeForms(forms: (EntryBody & { readonly kind: 'context-forms' })['forms']): string {
  const dropped = forms.filter(({ form }) => form === 'dropped').length;
  const images = forms.filter(({ target, form }) => form === 'masked' && target.startsWith('image:')).length;
  const masked = forms.filter(({ form }) => form === 'masked').length - images;
  const outlined = new Set(
    forms.flatMap(({ target, form }) => {
      const note = form === 'outline' ? noteOf(target) : null;
      return note === null ? [] : decodeAttribute(note);
    }),
  );
  return [
    dropped > 0 ? words.status.trimmed(dropped) : '',
    images > 0 ? words.images.clearedNumber(images) : '',
    masked > 0 ? words.status.masked(masked) : '',
    outlined.size > 0 ? words.status.notesOutlined([...outlined]) : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** Whether an image is sent with a message or a result. */
export function hasImage(entries: readonly SessionEntry[], digest: string): boolean {
  const imagesOf = (entry: SessionEntry): readonly Mention[] =>
    entry.kind === 'user' ? entry.mentions : entry.kind === 'tool-result' ? (entry.images ?? []) : [];
  return entries.some((entry) => imagesOf(entry).some(({ image }) => image?.digest === digest));
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
