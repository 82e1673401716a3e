/**
 * ChatIndex: what the list of chats shows of each stored chat, and a search over their texts. All of it is read from the
 * logs and can be read from them again; what is stored on the device only saves reading logs that did not change.
 */
import { words } from '../../text';
import { createWorkBudget, subscribeTo } from '../base/async';
import { endOf, startOf } from '../base/cut';
import { compareText } from '../base/list-edits';
import { foldGoals } from '../goals/fold-goals';
import { frontGoal } from '../goals/goal-state';
import { textOfAnswer } from '../markup/escapes';
import { oneLine } from '../markup/prose';
import type { Digest, SessionStore, StoredConversation, UnsavedTexts } from '../ports/device';
import { describeFailure, type Failure, type Outcome } from '../ports/failure';
import { activeEntries, beginningKinds, writtenBranch } from '../session/branches';
import type { EntryBody, SessionEntry } from '../session/entry';
import { type MergedLog, mergeShards } from '../session/log-format';
import { spentIn } from '../session/log-state';
import { type ChatTitle, maxTitle, titleIn } from './chat-title';
import { findWord, foldForFind } from './find-in-chat';
import { isUsage, usageIn, type UsagePlace, type UsageRow } from './usage';

export interface ChatSummary extends ChatTitle {
  readonly id: string;
  /** Of the first and of the newest message, in milliseconds since the epoch. */
  readonly started: number;
  readonly changed: number;
  /** Messages of the user. */
  readonly messages: number;
  /** The id of the model that gave the newest answer; empty before the first one. */
  readonly model: string;
  /** The goal that the chat works on; empty for none. */
  readonly goal: string;
  /** US dollars, as far as prices are known. */
  readonly spent: number;
  /** What it took on each day with each model. */
  readonly usage: readonly UsageRow[];
  /** Bytes of its logs. */
  readonly size: number;
  readonly isPinned: boolean;
  /** Whether the user deleted it; its files are still there. */
  readonly isDeleted: boolean;
  /** The id of the chat that it began as a copy of; empty for none. */
  readonly forkOf: string;
  /** Why it cannot be read, or not in full; empty if all of it was read. */
  readonly problem: string;
  /** Lines that could not be read, and lines of a newer version. */
  readonly damaged: number;
  readonly unknown: number;
}

/** A message of the user, or the answer to it. */
export interface ChatPlace {
  /** The id of the user’s message. */
  readonly message: string;
  readonly isAnswer: boolean;
  /** The id of the entry of the answer, of which the message may have several; absent for any. */
  readonly entry?: string;
  /** What was found there; absent for the place as a whole. */
  readonly found?: string;
}

/** A chat that contains all words of a query. */
export interface ChatHit {
  readonly chat: ChatSummary;
  /** Where it matches best; null if only the title does. */
  readonly place: ChatPlace | null;
  /** Part of the text there; empty if only the title matches. */
  readonly passage: string;
  /** Where the longest word of the query is in the passage; null if only the title matches. */
  readonly found: TextRange | null;
  /** Where the words of the query are in the passage, each one at its first place, in order and apart. */
  readonly marks: readonly TextRange[];
}

/** Characters of a text; the end is excluded. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** What is stored about a chat as a whole, whether it is open or not. */
export type ChatAnnotation = Extract<EntryBody, { readonly kind: 'title' | 'chat-list' | 'request-beside' }>;

export interface ChatIndexPorts {
  readonly store: Pick<SessionStore, 'conversations' | 'shards'>;
  /** Where the index is stored between sessions. */
  readonly memory: UnsavedTexts;
  readonly digest: Digest;
  readonly usagePlace: UsagePlace;
  /** Adds an entry about a chat to its log, whether the chat is open or not. */
  readonly annotate: (chat: string, body: ChatAnnotation) => Promise<Outcome<unknown>>;
  /** Moves the files of a chat to the trash of the user’s choice. */
  readonly trash: (chat: string) => Promise<Outcome<void>>;
}

/** A summary with the state of the files that it was read from. */
interface Known {
  readonly summary: ChatSummary;
  readonly mark: string;
}

const memoryKey = 'chat-index';
/** Increased whenever a summary says something else of the same log. */
const memoryVersion = 4;
/** Characters of texts that are held for the next search; those of further chats are read again. */
const maxHeldText = 30_000_000;
/** Characters of a passage before the match, and in all. */
const beforeMatch = 40;
const maxPassage = 160;

export class ChatIndex {
  private known = new Map<string, Known>();
  private sorted: readonly ChatSummary[] | null = null;
  private isLoaded = false;
  private refreshing: Promise<void> | null = null;
  private isStale = false;
  private readonly listeners = new Set<() => void>();
  /** How many lists are in view. */
  private shown = 0;
  private readonly texts = new Map<string, { readonly mark: string; readonly messages: readonly Message[] }>();
  private heldText = 0;
  /** Why the chats, or some of them, could not be listed; null when they could. */
  failure: Failure | null = null;
  /** Logs read and to be read while the index is brought up to date; null otherwise. */
  progress: { readonly read: number; readonly all: number } | null = null;

  constructor(private readonly ports: ChatIndexPorts) {}

  /** All chats with content: pinned ones first, then the newest first. The same array until something changes. */
  get chats(): readonly ChatSummary[] {
    this.sorted ??= [...this.known.values()]
      .map(({ summary }) => summary)
      .filter(hasContent)
      .sort((a, b) => Number(b.isPinned) - Number(a.isPinned) || b.changed - a.changed || compareText(a.id, b.id));
    return this.sorted;
  }

  /** All chats, also those without content, whose requests cost as much. */
  get used(): readonly ChatSummary[] {
    return [...this.known.values()].map(({ summary }) => summary);
  }

  find(id: string | null): ChatSummary | null {
    return id === null ? null : (this.known.get(id)?.summary ?? null);
  }

  /** Calls the listener whenever `chats`, `failure` or `progress` change. */
  subscribe(listener: () => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  /** Reads the logs that changed since they were read last. Concurrent callers share one reading. */
  refresh(): Promise<void> {
    if (this.refreshing !== null) this.isStale = true;
    this.refreshing ??= this.readAll().finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  /** Brings the index up to date now, and whenever `touched` is called until the returned function is. */
  show(): () => void {
    this.shown += 1;
    void this.refresh();
    return () => (this.shown -= 1);
  }

  /** Called when files of chats may have changed. */
  touched(): void {
    if (this.shown > 0) void this.refresh();
  }

  /** Reads one chat again. */
  async refreshOne(id: string): Promise<void> {
    await this.load();
    const [summary] = await this.read({ id, modified: 0, size: 0 });
    // Without a mark, the next refresh reads it again, when it knows the state of its files.
    this.known.set(id, { summary, mark: '' });
    this.changed();
  }

  /** Sets the title; an empty one gives the chat back the title that it had before one was given by hand. */
  rename(id: string, title: string): Promise<Outcome<unknown>> {
    return this.annotate(id, { kind: 'title', title: startOf(oneLine(title), maxTitle) });
  }

  pin(id: string, pinned: boolean): Promise<Outcome<unknown>> {
    return this.annotate(id, { kind: 'chat-list', pinned });
  }

  /** Deletes a chat from the list, or restores it; its files stay. */
  setDeleted(id: string, deleted: boolean): Promise<Outcome<unknown>> {
    return this.annotate(id, { kind: 'chat-list', deleted });
  }

  /** Moves the files of a chat to the trash. */
  async trash(id: string): Promise<Outcome<void>> {
    const trashed = await this.ports.trash(id);
    if (trashed.ok) {
      this.known.delete(id);
      this.changed();
      await this.store();
    }
    return trashed;
  }

  /**
   * Finds the chats that contain every word of the query, deleted ones excepted: matches in titles first, then those
   * with most of the words in one message, then the newest. Stops early when the signal fires.
   */
  async search(query: string, signal: AbortSignal): Promise<readonly ChatHit[]> {
    const wanted = [...new Set(foldForFind(query).split(/\s+/).filter(Boolean))];
    if (wanted.length === 0) return [];
    const budget = createWorkBudget(signal);
    const matches: ChatMatch[] = [];
    for (const chat of this.chats) {
      if (chat.isDeleted) continue;
      const messages = await this.textsOf(chat.id);
      const match = matchChat(chat, messages, wanted);
      if (match !== null) matches.push(match);
      if (!(await budget.spend(lengthOf(messages) + 1))) break;
    }
    return matches
      .sort((a, b) => b.rank - a.rank || b.chat.changed - a.chat.changed)
      .map(({ chat, best }) => ({ chat, ...passageOf(best) }));
  }

  /** Stores something about a chat, and shows what follows from it. */
  async annotate(id: string, body: ChatAnnotation): Promise<Outcome<unknown>> {
    const stored = await this.ports.annotate(id, body);
    if (stored.ok) await this.refreshOne(id);
    return stored;
  }

  private async readAll(): Promise<void> {
    await this.load();
    do {
      this.isStale = false;
      const listed = await this.ports.store.conversations();
      this.failure = listed.ok ? reportUnlisted(listed.value) : listed.failure;
      if (listed.ok) await this.readChanged(listed.value);
      this.changed();
    } while (this.isStale);
  }

  private async readChanged(listed: readonly StoredConversation[]): Promise<void> {
    const ids = new Set(listed.map(({ id }) => id));
    const vanished = [...this.known.keys()].filter((id) => !ids.has(id));
    for (const id of vanished) this.known.delete(id);
    // What is known of a chat whose folder cannot be listed now stays as it was.
    const stale = listed.filter((chat) => !chat.unlisted && this.known.get(chat.id)?.mark !== markOf(chat));
    if (stale.length === 0 && vanished.length === 0) return;
    const budget = createWorkBudget(new AbortController().signal);
    let read = 0;
    for (const chat of [...stale].sort((a, b) => b.modified - a.modified)) {
      const [summary, isWhole] = await this.read(chat);
      // The files may be as they are when they can be read again.
      this.known.set(chat.id, { summary, mark: isWhole ? markOf(chat) : '' });
      read += 1;
      if (read % 100 === 0) {
        this.progress = { read, all: stale.length };
        this.changed();
      }
      await budget.spend(chat.size);
    }
    this.progress = null;
    await this.store();
  }

  /** Returns the summary, and whether all of the chat could be read. */
  private async read({ id, modified, size }: StoredConversation): Promise<readonly [ChatSummary, boolean]> {
    const shards = await this.ports.store.shards(id);
    if (!shards.ok) {
      const problem = describeFailure(shards.failure);
      return [{ ...emptySummary(id, modified, size), problem }, false];
    }
    const bytes = size === 0 ? shards.value.reduce((sum, { text }) => sum + text.length, 0) : size;
    const log = await mergeShards(shards.value, this.ports.digest);
    const summary = summariseChat(id, log, bytes, this.ports.usagePlace);
    return [summary, !shards.value.some(({ isUnread }) => isUnread)];
  }

  private async textsOf(id: string): Promise<readonly Message[]> {
    const { mark = '' } = this.known.get(id) ?? {};
    const held = this.texts.get(id);
    if (held !== undefined && mark !== '' && held.mark === mark) return held.messages;
    const shards = await this.ports.store.shards(id);
    if (!shards.ok) return [];
    const messages = messagesOf((await mergeShards(shards.value, this.ports.digest)).entries);
    // Another search may have read it in the meantime.
    this.heldText -= lengthOf(this.texts.get(id)?.messages ?? []);
    this.texts.delete(id);
    const isWhole = !shards.value.some(({ isUnread }) => isUnread);
    if (isWhole && this.heldText + lengthOf(messages) <= maxHeldText) {
      this.texts.set(id, { mark, messages });
      this.heldText += lengthOf(messages);
    }
    return messages;
  }

  private async load(): Promise<void> {
    if (this.isLoaded) return;
    const text = await this.ports.memory.read(memoryKey);
    if (this.isLoaded) return;
    this.isLoaded = true;
    for (const known of readMemory(text)) this.known.set(known.summary.id, known);
    this.changed();
  }

  private async store(): Promise<void> {
    await this.ports.memory.write(
      memoryKey,
      JSON.stringify({ version: memoryVersion, chats: [...this.known.values()] }),
    );
  }

  private changed(): void {
    this.sorted = null;
    for (const listener of [...this.listeners]) listener();
  }
}

/** Summarises a chat from its log. */
export function summariseChat(
  id: string,
  {
    entries: all,
    damaged,
    unknown,
  }: Readonly<Omit<MergedLog, 'entries'>> & { readonly entries: readonly SessionEntry[] },
  size: number,
  usagePlace: UsagePlace,
): ChatSummary {
  const entries = activeEntries(all);
  const said = entries.filter(({ kind }) => kind === 'user' || kind === 'assistant');
  const users = entries.filter((entry) => entry.kind === 'user');
  const answers = entries.filter((entry) => entry.kind === 'assistant');
  const marks = entries.filter((entry) => entry.kind === 'chat-list');
  const first = said[0] ?? entries[0];
  const last = said.at(-1) ?? entries.at(-1);
  return {
    ...emptySummary(id, last?.time ?? 0, size),
    ...titleIn(entries),
    started: first?.time ?? 0,
    messages: users.length,
    model: answers.at(-1)?.model ?? '',
    goal: goalOf(entries),
    spent: spentIn(all),
    usage: usageIn(all, usagePlace),
    forkOf: entries.find((entry) => entry.kind === 'forked')?.chat ?? '',
    isPinned: newest(marks.map(({ pinned }) => pinned)) === true,
    isDeleted: newest(marks.map(({ deleted }) => deleted)) === true,
    damaged,
    unknown,
  };
}

/** Returns the last value that is there. */
function newest<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  return values.filter((value) => value !== undefined).at(-1);
}

function goalOf(entries: readonly SessionEntry[]): string {
  return startOf(oneLine(frontGoal(foldGoals(entries))?.description ?? ''), maxTitle);
}

function emptySummary(id: string, changed: number, size: number): ChatSummary {
  return {
    ...{ id, title: '', isNamed: false, started: changed, changed, messages: 0, model: '', goal: '', spent: 0, size },
    usage: [],
    forkOf: '',
    ...{ isPinned: false, isDeleted: false, problem: '', damaged: 0, unknown: 0 },
  };
}

function reportUnlisted(listed: readonly StoredConversation[]): Failure | null {
  const unlisted = listed.flatMap((chat) => chat.unlisted ?? []);
  const [first] = unlisted;
  if (first === undefined) return null;
  const { notListed, notListedRemedy } = words.chats;
  const folders = unlisted.map(({ folder }) => folder);
  return { kind: 'storage', words: notListed(folders, first.detail), remedy: notListedRemedy };
}

/** A chat in which nothing was said and that nobody named is one that was opened and left. */
function hasContent({ messages, isNamed, goal, problem, damaged, unknown }: ChatSummary): boolean {
  return messages + damaged + unknown > 0 || isNamed || goal !== '' || problem !== '';
}

function markOf({ modified, size }: StoredConversation): string {
  return `${modified}:${size}`;
}

function readMemory(text: string | null): readonly Known[] {
  try {
    const stored = JSON.parse(text ?? 'null') as { readonly version?: unknown; readonly chats?: unknown } | null;
    if (stored?.version !== memoryVersion || !Array.isArray(stored.chats)) return [];
    return (stored.chats as Partial<Known>[]).filter(isKnown);
  } catch {
    return [];
  }
}

const summaryTypes = Object.entries(emptySummary('', 0, 0)).map(([key, usual]) => [key, typeof usual] as const);

/** What is damaged on the device is read from the log again. */
function isKnown(value: Partial<Known> | null): value is Known {
  if (typeof value?.mark !== 'string' || typeof value.summary !== 'object') return false;
  const given: Readonly<Record<string, unknown>> = { ...value.summary };
  return isUsage(given['usage']) && summaryTypes.every(([key, type]) => typeof given[key] === type);
}

interface Message {
  readonly place: ChatPlace;
  readonly text: string;
  readonly folded: string;
}

/** Returns the messages of all branches, without those that were deleted. */
function messagesOf(entries: readonly SessionEntry[]): readonly Message[] {
  const marks = entries.filter((entry) => entry.kind === 'message-deleted');
  const deleted = new Map(marks.map((mark) => [mark.message, mark.deleted]));
  const [omitted, failed] = [new Set<string>(), new Set<string>()];
  let newest = '';
  return entries.flatMap((entry) => {
    if (entry.kind === 'user') newest = entry.id;
    const message = entry.turn ?? newest;
    const answer = `${message} ${writtenBranch(entry)}`;
    // After a failure, the message was sent again, and has another answer.
    if (entry.kind === 'failure') failed.add(answer);
    else if (beginningKinds.has(entry.kind) && failed.delete(answer)) omitted.delete(answer);
    if (deleted.get(entry.id) === true) omitted.add(entry.kind === 'user' ? message : answer);
    // In the form that is folded, so that places in the folded text are places in it.
    const text = omitted.has(message) || omitted.has(answer) ? '' : textOf(entry).normalize('NFC');
    const isAnswer = entry.kind !== 'user';
    const place = { message, isAnswer, ...(isAnswer && { entry: entry.id }) };
    return text === '' ? [] : [{ place, text, folded: foldForFind(text) }];
  });
}

function textOf(entry: SessionEntry): string {
  if (entry.kind === 'user') return entry.text;
  return entry.kind === 'assistant' ? textOfAnswer(entry) : '';
}

function lengthOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { text }) => sum + 2 * text.length, 0);
}

interface ChatMatch {
  readonly chat: ChatSummary;
  /** The message with most of the words; null if the title alone has them. */
  readonly best: { readonly message: Message; readonly words: readonly string[] } | null;
  readonly rank: number;
}

function matchChat(chat: ChatSummary, messages: readonly Message[], wanted: readonly string[]): ChatMatch | null {
  const title = foldForFind(chat.title);
  const inTitle = wanted.filter((word) => title.includes(word));
  const missing = new Set(wanted.filter((word) => !inTitle.includes(word)));
  let best: ChatMatch['best'] = null;
  for (const message of messages) {
    const words = wanted.filter((word) => message.folded.includes(word));
    for (const word of words) missing.delete(word);
    if (words.length > (best?.words.length ?? 0)) best = { message, words };
  }
  if (missing.size > 0) return null;
  return { chat, best, rank: inTitle.length === wanted.length ? wanted.length + 1 : (best?.words.length ?? 0) };
}

function passageOf(best: ChatMatch['best']): Omit<ChatHit, 'chat'> {
  const words = [...(best?.words ?? [])].sort((a, b) => b.length - a.length);
  const [longest] = words;
  if (best === null || longest === undefined) return { place: null, passage: '', found: null, marks: [] };
  const { place, text, folded } = best.message;
  const match = folded.indexOf(longest);
  const start = match <= beforeMatch ? 0 : match - endOf(text.slice(0, match), beforeMatch).length;
  const lead = start > 0 ? '…' : '';
  const shown = startOf(text.slice(start), maxPassage);
  const inPassage = (at: number, length: number): TextRange => ({
    start: lead.length + at - start,
    end: lead.length + at - start + length,
  });
  const found = inPassage(match, longest.length);
  const marks = [found];
  for (const word of words.slice(1)) {
    const at = findWord(word, folded.slice(start, start + shown.length));
    const mark = inPassage(start + at, word.length);
    if (at !== -1 && marks.every(({ start: from, end }) => mark.end <= from || mark.start >= end)) marks.push(mark);
  }
  marks.sort((a, b) => a.start - b.start);
  return { place, passage: lead + shown.replace(/\s/g, ' '), found, marks };
}
