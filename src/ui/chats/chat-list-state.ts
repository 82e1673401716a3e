/** The state of one list of chats: what it shows, and what the user does with it. */
import { computed, signal } from '@preact/signals';
import type { ChatHit, ChatIndex, ChatPlace, ChatSummary } from '../../core/chat/chat-index';
import type { Failure, Outcome } from '../../core/ports/failure';
import { words } from '../../text';
import type { Question } from '../state/ports';

export interface ChatListHost {
  readonly index: ChatIndex;
  /** The id of the chat in view; null for none. */
  current(): string | null;
  /** Opens a chat where the user reads, at a place in it if one is given. */
  open(chat: string, place: ChatPlace | null): void;
  openIn(chat: string, place: 'tab' | 'window'): void;
  /** Makes a note of a chat; absent where nothing is written. */
  readonly exportNote?: ((chat: string) => void) | undefined;
  /** Asks the user before what cannot be undone here. */
  confirm(question: Question): Promise<boolean>;
  /** Called when a chat that is in view was deleted. */
  closed(chat: string): void;
}

/** Milliseconds without typing after which the search starts. */
const searchAfter = 200;
/** Rows that are drawn at first, and that are added at a time. */
const rowsAtOnce = 60;

export class ChatListState {
  readonly chats = signal<readonly ChatSummary[]>([]);
  readonly progress = signal<ChatIndex['progress']>(null);
  readonly query = signal('');
  /** Null without a query, and until its first answer. */
  readonly hits = signal<readonly ChatHit[] | null>(null);
  readonly failure = signal<Failure | null>(null);
  /** Why the chats could not be listed, until they can be. */
  readonly unlisted = signal<Failure | null>(null);
  readonly showsDeleted = signal(false);
  /** The chat that was deleted last, until something else is done. */
  readonly deleted = signal<ChatSummary | null>(null);
  /** The chat whose title is being changed. */
  readonly renaming = signal<string | null>(null);
  readonly rows = signal(rowsAtOnce);
  readonly current = signal<string | null>(null);
  readonly listed = computed(() =>
    forksBelow(this.chats.value.filter((chat) => chat.isDeleted === this.showsDeleted.value)),
  );
  readonly deletedCount = computed(() => this.chats.value.filter(({ isDeleted }) => isDeleted).length);
  /** What was found, as the chats are now: they may have been renamed, deleted, or restored since. */
  readonly found = computed(() => this.hits.value && followChats(this.hits.value, this.chats.value));
  private timer = 0;
  /** The chats that were there for the last search. */
  private searched: readonly ChatSummary[] = [];
  private searching = new AbortController();
  private readonly release: () => void;

  constructor(readonly host: ChatListHost) {
    this.release = host.index.subscribe(() => this.look());
    this.look();
  }

  /** Follows the files until the returned function is called. */
  show(): () => void {
    this.look();
    return this.host.index.show();
  }

  close(): void {
    this.release();
    window.clearTimeout(this.timer);
    this.searching.abort();
  }

  setQuery(query: string): void {
    this.query.value = query;
    this.rows.value = rowsAtOnce;
    window.clearTimeout(this.timer);
    this.searching.abort();
    this.searching = new AbortController();
    if (query.trim() === '') this.hits.value = null;
    else this.timer = window.setTimeout(() => void this.search(), searchAfter);
  }

  /** Shows more rows, as when the reader reaches the last ones. */
  showMore(): void {
    this.rows.value += rowsAtOnce;
  }

  showDeleted(shows: boolean): void {
    this.showsDeleted.value = shows;
    this.deleted.value = null;
    this.rows.value = rowsAtOnce;
  }

  /** Shows all chats, without a search, as before the user did anything in the list. */
  showAll(): void {
    this.setQuery('');
    this.showsDeleted.value = false;
  }

  async rename(chat: string, title: string): Promise<void> {
    this.renaming.value = null;
    this.say(await this.host.index.rename(chat, title));
  }

  async pin({ id, isPinned }: ChatSummary): Promise<void> {
    this.say(await this.host.index.pin(id, !isPinned));
  }

  async delete(chat: ChatSummary): Promise<void> {
    const stored = await this.host.index.setDeleted(chat.id, true);
    this.say(stored);
    if (!stored.ok) return;
    this.deleted.value = chat;
    if (this.host.current() === chat.id) this.host.closed(chat.id);
    this.look();
  }

  async restore({ id }: ChatSummary): Promise<void> {
    this.deleted.value = null;
    this.say(await this.host.index.setDeleted(id, false));
  }

  async trash(chat: ChatSummary, title: string): Promise<void> {
    const { trashTitle, trashText, trash } = words.chats;
    const question = { title: trashTitle, text: trashText(title), action: trash };
    if (!(await this.host.confirm(question))) return;
    const trashed = await this.host.index.trash(chat.id);
    this.say(trashed);
    if (trashed.ok && this.host.current() === chat.id) this.host.closed(chat.id);
  }

  private say(outcome: Outcome<unknown>): void {
    this.failure.value = outcome.ok ? null : outcome.failure;
  }

  private async search(): Promise<void> {
    const { signal } = this.searching;
    const { index } = this.host;
    this.searched = index.chats;
    const hits = await index.search(this.query.value, signal);
    if (signal.aborted) return;
    this.hits.value = hits;
    this.searchFurther();
  }

  /** Searches again once there are chats that were not there for the last search. */
  private searchFurther(): void {
    const { index } = this.host;
    // While many are read, each search would go through all of them again.
    if (this.hits.value === null || index.progress !== null) return;
    const searched = new Set(this.searched.map(({ id }) => id));
    if (index.chats.every(({ id }) => searched.has(id))) return;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.search(), searchAfter);
  }

  private look(): void {
    const { index } = this.host;
    this.chats.value = index.chats;
    this.progress.value = index.progress;
    this.current.value = this.host.current();
    this.unlisted.value = index.failure;
    this.searchFurther();
  }
}

/** Returns the hits with what is known of their chats now, without those of chats that are missing or deleted. */
function followChats(hits: readonly ChatHit[], chats: readonly ChatSummary[]): readonly ChatHit[] {
  const known = new Map(chats.map((chat) => [chat.id, chat]));
  return hits.flatMap((hit) => {
    const chat = known.get(hit.chat.id);
    return chat === undefined || chat.isDeleted ? [] : { ...hit, chat };
  });
}

/**
 * Returns the chats with each fork below the chat that it began with, if that one is among them. One that is pinned is
 * below no chat that is not.
 */
export function forksBelow(chats: readonly ChatSummary[]): readonly ChatSummary[] {
  const known = new Map(chats.map((chat) => [chat.id, chat]));
  const isBelow = ({ forkOf, isPinned }: ChatSummary): boolean => {
    const origin = known.get(forkOf);
    return origin !== undefined && (origin.isPinned || !isPinned);
  };
  const forks = new Map<string, ChatSummary[]>();
  for (const chat of chats.filter(isBelow)) {
    const others = forks.get(chat.forkOf) ?? [];
    others.push(chat);
    forks.set(chat.forkOf, others);
  }
  if (forks.size === 0) return chats;
  const ordered = new Set<ChatSummary>();
  const add = (start: ChatSummary): void => {
    const waiting = [start];
    for (let chat = waiting.pop(); chat !== undefined; chat = waiting.pop()) {
      if (ordered.has(chat)) continue;
      ordered.add(chat);
      waiting.push(...[...(forks.get(chat.id) ?? [])].reverse());
    }
  };
  for (const chat of chats) if (!isBelow(chat)) add(chat);
  // Chats of damaged logs may begin with one another.
  for (const chat of chats) add(chat);
  return [...ordered];
}
