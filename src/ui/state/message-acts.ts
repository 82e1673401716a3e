/** What the user does with single messages of the open chat, and why acts of the user failed. */
import { type Signal, signal } from '@preact/signals';
import type { Chat } from '../../core/chat/chat';
import type { ChatPlace } from '../../core/chat/chat-index';
import type { UserItem } from '../../core/chat/transcript';
import { followMove, mentionsInText, withArguments } from '../../core/mentions/mention-text';
import { describeFailure, type Failure, type Outcome } from '../../core/ports/failure';
import type { VersionPart } from '../../core/session/branches';
import type { ChatChoices, Mention } from '../../core/session/entry';
import { findLast } from '../../core/session/running-fold';
import { words } from '../../text';
import type { Draft } from './draft';
import type { ChatViewPorts } from './ports';

/** The open chat, as far as its messages need it. */
interface MessagesHost {
  readonly ports: Pick<ChatViewPorts, 'chats'>;
  showOutcome(outcome: Outcome<unknown>, again: () => void, chatId: string): boolean;
  readonly place: Signal<ChatPlace | number | 'end' | null>;
  open(chat: string): Promise<void>;
  choose(choices: ChatChoices): Promise<boolean>;
}

/** MessageActs: edits, other answers, versions, deletions. */
export class MessageActs {
  /** The id of the message that is being edited; null for none. */
  readonly editing = signal<string | null>(null);
  /** What is in the box of each message until it is sent or given up, by its id. */
  readonly edits = new Map<string, Signal<Draft>>();

  /**
   * The message whose open box is out of the page, as the reader has scrolled away, with what the message box held then;
   * that is null if the open box did not have the focus.
   */
  left: { readonly message: string; readonly draft: string | null } | null = null;

  constructor(
    private readonly model: MessagesHost,
    private readonly chat: () => Chat | null,
  ) {
    this.editing.subscribe(() => void (this.left = null));
  }

  /** The last message of the user in view; null without one. */
  get lastMessage(): UserItem | null {
    const last = findLast(this.chat()?.current.items ?? [], ({ type }) => type === 'user');
    return last?.type === 'user' ? last : null;
  }

  /** Whether something can be added to the chat. */
  get canChange(): boolean {
    const chat = this.chat();
    return chat !== null && chat.current.isReadOnly !== true;
  }

  /** Whether a message has this image, also one that is not in view. */
  hasImage(digest: string): boolean {
    return this.chat()?.hasImage(digest) ?? false;
  }

  /** Opens the box of a message, and scrolls to it. */
  startEdit(message: string): void {
    this.editing.value = message;
    this.left = null;
    this.model.place.value = { message, isAnswer: false };
  }

  /** Closes the box of a message, and drops what is in it. */
  giveUpEdit(message: string): void {
    this.edits.delete(message);
    // The user may have opened the box of another message since.
    if (this.editing.value === message) this.editing.value = null;
  }

  /** Has what is in the boxes of messages go on under the new name of what was moved, as a draft does. */
  follow(from: string, to: string, linkText: (path: string) => string): void {
    for (const edit of this.edits.values()) edit.value = followMove(edit.value, from, to, linkText) ?? edit.value;
  }

  /** Sends a message in place of another one; the box stays open if it could not be stored. */
  async edit(message: string, text: string, mentions: readonly Mention[], asked = this.chat()): Promise<void> {
    if (asked?.isIdle === true) await this.model.ports.chats.look?.([asked.id]);
    const said = text.trim();
    const sent = withArguments(said, mentionsInText(mentions, said));
    const send = (chat: Chat): Promise<Outcome<unknown>> => chat.send(said, sent, message);
    const isSent = await this.act(send, asked, () => void this.edit(message, text, mentions, asked));
    if (isSent) this.giveUpEdit(message);
  }

  /** Answers a message again, by another model if one is named, which the chat then goes on with. */
  async answerAgain(message: string, model?: string): Promise<void> {
    const asked = this.chat();
    if (model !== undefined && !(await this.model.choose({ model }))) return;
    await this.act((chat) => chat.answerAgain(message), asked);
  }

  delete(message: string, isDeleted: boolean): Promise<boolean> {
    return this.act((chat) => chat.deleteMessage(message, isDeleted));
  }

  /** Shows the version so many after the one in view; after the last one the first. */
  async showVersion(message: string, part: VersionPart, step: number): Promise<void> {
    const version = this.chat()?.current.versions?.get(message)?.[part];
    if (version === undefined) return;
    const { number, of } = version;
    const place = this.chat()?.current.items.findIndex(({ id }) => id === message) ?? -1;
    const isShown = await this.act((chat) => chat.showVersion(message, part, ((number - 1 + step + of) % of) + 1));
    const item = this.chat()?.current.items[place];
    if (isShown && item?.type === 'user') this.model.place.value = { message: item.id, isAnswer: false };
  }

  /** Shows another version of the last message or answer that has several. */
  async showVersionOfLast(step: number): Promise<void> {
    const { items, versions } = this.chat()?.current ?? { items: [] };
    const last = findLast(items, ({ id }) => versions?.has(id) === true);
    if (last === undefined) return;
    await this.showVersion(last.id, versions?.get(last.id)?.answer === undefined ? 'question' : 'answer', step);
  }

  /** Opens a new chat that begins with this one, up to the answer to a message. */
  async fork(message: string): Promise<void> {
    const { chats } = this.model.ports;
    const chat = this.chat();
    if (chat === null || chats.fork === undefined) return;
    const forked = await chats.fork(chat.id, message);
    const isForked = this.model.showOutcome(forked, () => void this.fork(message), chat.id);
    // The user may have opened another chat since.
    if (isForked && forked.ok && this.chat()?.id === chat.id) await this.model.open(forked.value);
  }

  /** Puts the branch in view that has a message, or the answer to it that was searched for. */
  async find({ message, entry = message }: ChatPlace): Promise<void> {
    const chat = this.chat();
    if (chat !== null && !chat.current.items.some(({ id }) => id === entry)) await chat.showEntry(entry);
  }

  /**
   * @param asked the chat in which the user did it: another one may be in view by now, and this one may have been read
   *   again
   */
  private async act(
    act: (chat: Chat) => Promise<Outcome<unknown>>,
    asked = this.chat(),
    again = (): void => void this.act(act, asked),
  ): Promise<boolean> {
    const open = this.chat();
    const chat = open?.id === asked?.id ? open : asked;
    return chat !== null && this.model.showOutcome(await act(chat), again, chat.id);
  }
}

/** Failures: why acts of the user failed, each shown in the chat in which it was done. */
export class Failures {
  /** The one in view. */
  readonly shown = signal<Failure | null>(null);
  /** What tries an act again, by its failure. */
  private readonly again = new WeakMap<Failure, () => void>();
  /** Those of chats that were not in view, by the id of the chat. */
  private readonly elsewhere = new Map<string | null, Failure>();

  constructor(
    private readonly view: {
      readonly chatId: string | null;
      /** The id of the chat in view, also while it is being read. */
      readonly shownId: string | null;
      readonly ports: { report(said: string): void };
    },
  ) {}

  /**
   * Shows why an act failed; nothing after one that did not. If another chat is in view by now, a notice says it. A chat
   * that is not open yet shows it once it is.
   */
  show(outcome: Outcome<unknown>, again?: () => void, chatId = this.view.chatId): boolean {
    const failure = outcome.ok ? null : outcome.failure;
    if (failure !== null && again !== undefined) this.again.set(failure, again);
    if (chatId === this.view.chatId) this.shown.value = failure;
    else if (failure === null) this.elsewhere.delete(chatId);
    else {
      this.elsewhere.set(chatId, failure);
      if (chatId === this.view.shownId) this.shown.value = failure;
      else this.view.ports.report(words.chatView.elsewhere(describeFailure(failure)));
    }
    return failure === null;
  }

  /** Shows what failed in a chat before it came into view. */
  opened(chat: string): void {
    this.shown.value = this.elsewhere.get(chat) ?? null;
    this.elsewhere.delete(chat);
  }

  againAfter(failure: Failure): (() => void) | undefined {
    return this.again.get(failure);
  }
}
