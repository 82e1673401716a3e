/** OpenChats: the live chats, one per conversation, so that two views of one conversation share its running turn. */
import { subscribeTo } from '../base/async';
import { movedChoices } from '../context/chat-choices';
import { eventsOfRenames, type Rename } from '../goals/goal-request';
import { contextEventNames } from '../hooks/context-events';
import { describeFailure, type Outcome, succeed } from '../ports/failure';
import { copyEntries, entriesBeforeTaint, entriesUpTo } from '../session/copy-entries';
import type { Mention, SessionEntry } from '../session/entry';
import { SessionLog, type SessionLogPorts, trashed } from '../session/session-log';
import { Chat } from './chat';
import type { ChatAnnotation } from './chat-index';
import type { LiveLog } from './chat-note';
import type { ChatPorts, Outgoing } from './chat-view-state';
import { foldTranscript, type TranscriptItem } from './transcript';

export interface CleanStart {
  readonly conversation: string;
  /** The message that brought in untrusted text; empty if there was none. */
  readonly request: string;
}

/** A live chat with its log. */
interface LiveChat {
  readonly chat: Chat;
  readonly log: SessionLog;
  /** Whether the log has what the chat does not show yet. */
  isBehind: boolean;
  /** Ends listening to the chat. */
  readonly release: () => void;
}

export class OpenChats {
  private readonly chats = new Map<string, LiveChat>();
  private readonly listeners = new Set<(chat: Chat) => void>();
  private readonly followers = new Set<(conversation: string) => void>();
  private readonly opening = new Map<string, Promise<Outcome<Chat>>>();

  constructor(
    private readonly chatPorts: ChatPorts,
    private readonly logPorts: SessionLogPorts,
  ) {}

  /**
   * Returns the chat of this conversation, or a new one for null. Nothing is stored before the first message.
   * @param showEnd gets the end of a long chat before the rest of it is read, which begins once this resolves
   */
  async open(
    conversation: string | null,
    showEnd?: (items: readonly TranscriptItem[]) => Promise<void>,
  ): Promise<Outcome<Chat>> {
    const id = conversation ?? this.logPorts.identifiers.next();
    const alive = this.chats.get(id);
    if (alive !== undefined) return succeed(alive.chat);
    // Opening restores what a crash cut off, so concurrent callers share one opening.
    const opening = this.opening.get(id) ?? this.openLog(id, conversation !== null, showEnd);
    this.opening.set(id, opening);
    return opening.finally(() => this.opening.delete(id));
  }

  /**
   * Looks whether others changed the files of these chats, as far as they are live, and of those with a file that could
   * not be read; of all unless some are named. A chat that went on elsewhere is opened again as soon as it is idle, with
   * the entries of both devices.
   */
  async look(conversations: Iterable<string> = this.chats.keys()): Promise<void> {
    const unread = [...this.chats.values()].filter(({ log }) => !log.isWhole).map(({ chat }) => chat.id);
    await Promise.all(
      [...new Set([...conversations, ...unread])].map(async (conversation) => {
        // What is written while a chat is opened may have come too late for it.
        await this.opening.get(conversation);
        const live = this.chats.get(conversation);
        if (live === undefined) return;
        if (await live.log.look()) live.isBehind = true;
        // Its files are in the trash of another device.
        if (live.log.isTrashed) this.leave(conversation);
        else this.catchUp(live);
      }),
    );
  }

  /** Calls the listener with each chat that was opened again, until the returned function is called. */
  onReopened(listener: (chat: Chat) => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  /** Calls the listener with each chat that rests after it has changed, until the returned function is called. */
  onChanged(listener: (conversation: string) => void): () => void {
    return subscribeTo(this.followers, listener);
  }

  /** Returns an open chat as it is in memory; null for any other, for one at work, and for one not read in full. */
  live(conversation: string): (LiveLog & { readonly model: string }) | null {
    const live = this.chats.get(conversation);
    if (live === undefined || live.chat.current.running || !live.log.isWhole) return null;
    const { entries, all } = live.log;
    return { all, entries, items: live.chat.current.items, model: live.chat.choices.model };
  }

  private changed(conversation: string): void {
    for (const follower of this.followers) follower(conversation);
  }

  private catchUp({ chat, log, isBehind }: LiveChat): void {
    if (!isBehind || !chat.isIdle || this.chats.get(chat.id)?.chat !== chat) return;
    log.join();
    const next = chat.reopen(() => {
      const live = this.chats.get(chat.id);
      if (live !== undefined) this.catchUp(Object.assign(live, { isBehind: true }));
    });
    this.adopt(next, log);
    for (const listener of [...this.listeners]) listener(next);
  }

  /**
   * Starts a conversation from the entries before this one read untrusted text, and returns the message that brought it
   * in.
   */
  async startClean(conversation: string): Promise<Outcome<CleanStart>> {
    const log = await SessionLog.open(conversation, this.logPorts);
    if (!log.ok) return log;
    const { entries, request } = entriesBeforeTaint(log.value.entries);
    const clean = SessionLog.start(this.logPorts.identifiers.next(), this.logPorts);
    const copied = await this.copy(entries, clean);
    return copied.ok ? succeed({ conversation: clean.conversation, request }) : copied;
  }

  /** Starts a chat with what this one has up to the answer to a message; returns its id. */
  async fork(conversation: string, message: string): Promise<Outcome<string>> {
    const known = this.chats.get(conversation)?.log;
    const log = known === undefined ? await SessionLog.open(conversation, this.logPorts) : succeed(known);
    if (!log.ok) return log;
    const fork = SessionLog.start(this.logPorts.identifiers.next(), this.logPorts);
    const begun = await fork.append({ kind: 'forked', chat: conversation, message });
    const copied = begun.ok ? await this.copy(entriesUpTo(log.value.entries, message), fork) : begun;
    if (!copied.ok) return copied;
    this.changed(fork.conversation);
    return succeed(fork.conversation);
  }

  /** Copies entries to another chat, with the images that they name. */
  private async copy(entries: readonly SessionEntry[], to: SessionLog): Promise<Outcome<void>> {
    const { images } = this.chatPorts;
    const own: SessionEntry[] = [];
    for (const entry of entries) {
      const key = entry.kind === 'user' ? 'mentions' : 'images';
      const mentions = key in entry ? (entry as Partial<Record<typeof key, readonly Mention[]>>)[key] : undefined;
      const hasImages = mentions?.some(({ image }) => image !== undefined) === true;
      const copied = hasImages ? await images?.copy?.(mentions, to.conversation) : undefined;
      own.push(copied === undefined ? entry : { ...entry, [key]: copied });
    }
    return copyEntries(own, to);
  }

  /** Adds an entry about a chat as a whole, whether it is open or not; nothing is sent for it. */
  async annotate(conversation: string, body: ChatAnnotation): Promise<Outcome<unknown>> {
    const live = this.chats.get(conversation);
    if (live !== undefined) return live.chat.annotate(body);
    const log = await SessionLog.open(conversation, this.logPorts);
    if (!log.ok) return log;
    // Its files were moved to the trash in the meantime; an entry would bring back a part of them.
    const stored = log.value.isEmpty ? trashed() : await log.value.append(body);
    if (stored.ok) this.changed(conversation);
    return stored;
  }

  /** Reports vault changes to all chats; the files that goals name follow to their new paths. */
  async heard(batch: readonly { readonly path: string; readonly oldPath?: string }[]): Promise<void> {
    const paths = batch.flatMap(({ path, oldPath = path }) => [path, oldPath]);
    const renames = batch.flatMap(({ path, oldPath }): Rename[] =>
      oldPath === undefined ? [] : [{ from: oldPath, to: path }],
    );
    for (const { chat } of this.chats.values()) chat.changes?.heard(paths, renames);
    for (const { chat } of renames.length === 0 ? [] : [...this.chats.values()])
      await this.renameInGoals(chat, renames);
  }

  private async renameInGoals(chat: Chat, renames: readonly Rename[]): Promise<void> {
    for (const event of eventsOfRenames(chat.goals.state, renames)) {
      const stored = await chat.goals.act(event, { origin: 'vault' });
      if (!stored.ok) this.chatPorts.note(describeFailure(stored.failure));
    }
  }

  /** Has the open chats go on with the notes that they have chosen, under the names that these have now. */
  async moved(): Promise<void> {
    await Promise.all([...this.chats.values()].map((live) => this.followChosen(live)));
  }

  private async followChosen({ chat, log }: Pick<LiveChat, 'chat' | 'log'>): Promise<void> {
    const { movesSince } = this.chatPorts;
    const moved = movesSince === undefined || log.isReadOnly ? null : movedChoices(log.entries, movesSince);
    const stored = moved === null ? null : await chat.choose(moved);
    if (stored?.ok === false) this.chatPorts.note(describeFailure(stored.failure));
  }

  /** Puts others in place of messages that wait in any chat; the function returns one that stays as it is. */
  replaceQueued(replace: (message: Outgoing) => Outgoing): void {
    for (const { chat } of this.chats.values()) chat.replaceQueued(replace);
  }

  /**
   * Stops a chat and moves its files to the trash once nothing more of it is written, not even what is missing from them.
   * What still shows it then is read-only; it can be opened again.
   */
  async trash(conversation: string, move: () => Promise<Outcome<void>>): Promise<Outcome<void>> {
    // What is being opened would write back what is taken away.
    await this.opening.get(conversation);
    const { chat, log } = this.chats.get(conversation) ?? {};
    if (chat === undefined || log === undefined) return move();
    chat.stop();
    let release = (): void => undefined;
    await new Promise<void>((resolve) => {
      const check = (): void => void (chat.isIdle && resolve());
      release = chat.subscribe(check);
      check();
    });
    release();
    const moved = await log.leave(move);
    // It may have been opened again since, over the same log.
    if (moved.ok) this.leave(conversation);
    return moved;
  }

  /** Lets go of a chat whose files are in the trash. */
  private leave(conversation: string): void {
    const live = this.chats.get(conversation);
    this.chats.delete(conversation);
    live?.release();
    live?.chat.showTrashed();
  }

  /** Stops every running turn; the text shown so far is saved. */
  close(): void {
    for (const { chat } of this.chats.values()) chat.close();
    this.chats.clear();
    this.listeners.clear();
    this.followers.clear();
  }

  private async openLog(
    id: string,
    isStored: boolean,
    showEnd?: (items: readonly TranscriptItem[]) => Promise<void>,
  ): Promise<Outcome<Chat>> {
    const show = showEnd && ((entries: readonly SessionEntry[]) => showEnd(foldTranscript(entries)));
    const log = isStored
      ? await SessionLog.open(id, this.logPorts, show)
      : succeed(SessionLog.start(id, this.logPorts));
    if (!log.ok) return log;
    const { chatPorts } = this;
    const chat = isStored ? await Chat.open(log.value, chatPorts) : Chat.start(log.value, chatPorts);
    this.adopt(chat, log.value);
    await this.followChosen({ chat, log: log.value });
    // While the chat was open, its goals have heard of each renaming.
    const changed = log.value.isReadOnly ? undefined : chat.goals.state.records.at(-1)?.time;
    if (changed !== undefined) await this.renameInGoals(chat, chatPorts.movesSince?.(changed) ?? []);
    return succeed(chat);
  }

  private adopt(chat: Chat, log: SessionLog): void {
    // Whoever else listens to this chat hears of its end first.
    const release = chat.subscribe(({ running }) => {
      if (live.isBehind) void Promise.resolve().then(() => this.catchUp(live));
      if (!running) this.changed(chat.id);
    });
    const live: LiveChat = { chat, log, isBehind: false, release };
    this.chats.set(chat.id, live);
    for (const name of contextEventNames) {
      chat.context.subscribe(name, (event) => this.chatPorts.events?.announce(chat.id, name, event));
    }
  }
}
