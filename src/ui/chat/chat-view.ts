/**
 * ChatView: the chat as a view of Obsidian. It remembers which chat is open, and imports its interface only when it
 * opens.
 */
import { type App, ItemView, Platform, Scope, type ViewStateResult, type WorkspaceLeaf } from 'obsidian';
import type { ChatPlace } from '../../core/chat/chat-index';
import { unsavedOf } from '../../core/ports/device';
import type { RequestPlan } from '../../core/ports/request-plan';
import type { ChatChoices, Mention } from '../../core/session/entry';
import { words } from '../../text';
import type { OpenChat, ChatViewPorts } from '../state/ports';
import type { MessageActs } from '../state/message-acts';
import type { ReviewState } from '../state/review-state';
import type { MountedChat } from './mounted-chat';

export const chatViewType = 'docent-chat';

/** The event of the workspace when a chat view has its chat, which comes after the events of its leaf. */
export const chatMounted = 'docent:chat-mounted';

const openChatKey = 'open-chat';

export class ChatView extends ItemView {
  override navigation = false;
  private mountedChat: MountedChat | null = null;
  private isShown = false;
  /** The chat that Obsidian asked for before there was a mounted chat to open it in. */
  private wanted: string | null = null;
  /** Whether the mounted chat was asked for a chat. */
  private isAsked = false;
  /** Names the view in the layout, in which the chat may be older than the one that was open when the app was killed. */
  private id: string | null = null;
  private isRestored = false;
  private restoring: Promise<void> = Promise.resolve();
  private markMounted: () => void = () => {};
  private readonly mounted = new Promise<void>((resolve) => (this.markMounted = resolve));
  private markOpened: () => void = () => {};
  private readonly opened = new Promise<void>((resolve) => (this.markOpened = resolve));

  constructor(
    leaf: WorkspaceLeaf,
    private readonly fetchPorts: () => Promise<ChatViewPorts>,
  ) {
    super(leaf);
    // Keys of a view hold while it is in focus, so that other views keep theirs.
    this.scope = new Scope(this.app.scope);
    this.scope.register(['Mod'], 'f', () => this.find());
    this.scope.register(['Alt', 'Shift'], 'ArrowUp', () => this.goToQuestion(-1));
    this.scope.register(['Alt', 'Shift'], 'ArrowDown', () => this.goToQuestion(1));
  }

  getViewType(): string {
    return chatViewType;
  }

  getDisplayText(): string {
    return this.mountedChat?.title || words.chatView.title;
  }

  /** Updates the header of the tab, or of the view on a phone. Obsidian's types leave the method out. */
  announceTitle(): void {
    (this.leaf as { updateHeader?: () => void }).updateHeader?.();
  }

  override getIcon(): string {
    return 'message-circle';
  }

  override async onOpen(): Promise<void> {
    this.contentEl.addClass('docent-view');
    this.isShown = true;
    const [ports, { MountedChat }] = await Promise.all([this.fetchPorts(), import('./mounted-chat')]);
    // The view may have been closed during the import, and even opened again.
    if (!this.isShown || this.mountedChat !== null) return;
    const mountedChat = new MountedChat(this, ports);
    this.mountedChat = mountedChat;
    this.markMounted();
    this.app.workspace.trigger(chatMounted);
    const [last] = await Promise.all([ports.unsaved?.read(openChatKey), mountedChat.start()]);
    void this.openFirst(mountedChat, last ?? ports.device.get(openChatKey));
  }

  /** @param last the chat that was open last in any view, for a view that nobody asks for a chat */
  private async openFirst(mountedChat: MountedChat, last: string | null): Promise<void> {
    // Obsidian sets the state of a restored view once `onOpen` has ended.
    await new Promise<void>((resolve) => void window.setTimeout(resolve));
    await this.restoring;
    if (!this.isAsked && mountedChat === this.mountedChat) await this.openChat(this.wanted ?? last);
    await mountedChat.model.opening;
    this.markOpened();
  }

  override onClose(): Promise<void> {
    this.isShown = false;
    this.store(null);
    const { mountedChat } = this;
    this.mountedChat = null;
    mountedChat?.close();
    this.isAsked = false;
    return Promise.resolve();
  }

  override getState(): Record<string, unknown> {
    return { chat: this.mountedChat?.model.chatId ?? this.wanted, ...(this.id !== null && { view: this.id }) };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    const given: { readonly chat?: unknown; readonly view?: unknown } = typeof state === 'object' ? { ...state } : {};
    this.restoring = this.openStored(given.chat, given.view);
    await this.restoring;
    await super.setState(state, result);
  }

  private async openStored(stored: unknown, view: unknown): Promise<void> {
    const chat = typeof view === 'string' ? await this.restore(view, stored) : stored;
    if (typeof chat === 'string' && chat !== this.chatId) await this.openChat(chat);
  }

  /** The id of the open chat; null while none is open. */
  get chatId(): string | null {
    return this.mountedChat?.model.chatId ?? null;
  }

  /** Opens a stored chat, at a place in it if one is given. */
  async showChat(chat: string, place: ChatPlace | null): Promise<void> {
    this.mountedChat?.showChats(false);
    await this.openChat(chat);
    if (place === null) this.readyComposer();
    else await this.mountedChat?.showPlace(place);
  }

  /** Shows the list of chats in place of the chat. */
  showChats(): void {
    this.mountedChat?.showChats(true);
  }

  async newChat(): Promise<void> {
    this.mountedChat?.showChats(false);
    await this.openChat(null);
    this.focusComposer();
  }

  /** Opens a new chat in place of a deleted one, behind the list in which it can be restored. */
  async leaveChat(): Promise<void> {
    await this.openChat(null);
  }

  /** Opens a new chat without the untrusted text; the message that brought it in becomes the draft. */
  async startClean(): Promise<void> {
    const { model } = this;
    const started = await model?.startClean();
    if (model === null || started == null) return;
    await this.openChat(started.conversation);
    // The user may have opened another chat since, which has its own draft.
    if (this.chatId === started.conversation) await this.addToDraft(started.request, []);
    else model.storeDraft(started.conversation, { text: started.request, mentions: [] });
  }

  stop(): void {
    this.mountedChat?.model.stop();
  }

  inspect(): void {
    this.mountedChat?.inspect();
  }

  /** Opens the bar that finds words in the chat; false, as each of these keys does nothing else. */
  find(): false {
    this.mountedChat?.find();
    return false;
  }

  goToQuestion(by: -1 | 1): false {
    this.mountedChat?.goToQuestion(by);
    return false;
  }

  goToEnd(): void {
    this.mountedChat?.goToEnd();
  }

  showContext(): void {
    this.mountedChat?.showContext();
  }

  /** Requests a summary of older messages, and shows it to the user before it is used. */
  summarise(): void {
    void this.mountedChat?.model.context.summarise({});
  }

  /** The review of the open chat; null while none is open. */
  get review(): ReviewState | null {
    return this.mountedChat?.model.review ?? null;
  }

  /** What can be done with the messages of the open chat; null while none is open. */
  get messages(): MessageActs | null {
    return this.mountedChat?.model.messages ?? null;
  }

  showDiagnostics(): void {
    this.mountedChat?.showDiagnostics();
  }

  /** What the view shows; null before it is mounted and after it is closed. */
  get model(): MountedChat['model'] | null {
    return this.mountedChat?.model ?? null;
  }

  /** The choices and the next request of the open chat; null while none is open. */
  get openedChat(): OpenChat | null {
    return this.mountedChat?.model.openChat ?? null;
  }

  /** Resolves once the chat is mounted, so that its modals and another chat can be opened. */
  untilMounted(): Promise<void> {
    return this.mounted;
  }

  /** Resolves once a chat is open in the view. */
  untilOpen(): Promise<void> {
    return this.opened;
  }

  /** Sets the choices of the open chat, after one is open. */
  async choose(choices: ChatChoices): Promise<void> {
    await this.opened;
    await this.mountedChat?.model.choose(choices);
  }

  /** Appends text and attachments to the draft, and puts the cursor after them. */
  async addToDraft(text: string, mentions: readonly Mention[]): Promise<void> {
    this.mountedChat?.showChats(false);
    await this.opened;
    this.mountedChat?.model.addToDraft(text, mentions);
    this.focusComposer();
  }

  /** Puts the cursor into the box; not on a phone, where the keyboard would cover the chat that was asked for. */
  readyComposer(): void {
    if (!Platform.isMobile) this.focusComposer();
  }

  private focusComposer(): void {
    this.contentEl.find('.docent-composer-input')?.focus();
  }

  /** Returns the chat that the view of a stored layout had open last; once it is restored, the one that is asked for. */
  private async restore(id: string, chat: unknown): Promise<unknown> {
    if (this.isRestored) return chat;
    this.isRestored = true;
    const { unsaved } = await this.fetchPorts();
    const last = await unsaved?.read(`${openChatKey}-${id}`);
    if (this.id !== id) this.store(null);
    this.id = id;
    return last ?? chat;
  }

  /** Stores which chat the view has open; a layout is stored seconds later. */
  private store(chat: string | null): void {
    if (this.id !== null) void this.mountedChat?.ports.unsaved?.write(`${openChatKey}-${this.id}`, chat);
  }

  private async openChat(id: string | null): Promise<void> {
    this.wanted = id;
    const { mountedChat } = this;
    this.isAsked = mountedChat !== null;
    await mountedChat?.model.open(id);
    // If the view was closed in between, `wanted` stays set, so that the next mount opens this chat.
    if (mountedChat === null || mountedChat !== this.mountedChat) return;
    this.wanted = null;
    if (mountedChat.model.chatId === null) this.remember(null);
  }

  /** Stores which chat to open at the next start; the interface also opens chats, such as a fork. */
  chatOpened(chat: string): void {
    this.id ??= `${chat}${Date.now().toString(36)}`;
    this.remember(chat);
  }

  private remember(chat: string | null): void {
    if (this.mountedChat === null) return;
    void unsavedOf(this.mountedChat.ports).write(openChatKey, chat);
    this.store(chat);
    this.app.workspace.requestSaveLayout();
  }
}

/**
 * Reveals the view that is in use, else any that is open, or opens one in the right sidebar. A view that was restored as
 * a placeholder is loaded first.
 */
export async function openChatView(app: App): Promise<ChatView> {
  const inUse = app.workspace.getActiveViewOfType(ChatView)?.leaf;
  const leaf = inUse ?? (await app.workspace.ensureSideLeaf(chatViewType, 'right', { active: true, reveal: true }));
  await app.workspace.revealLeaf(leaf);
  await leaf.loadIfDeferred();
  if (!(leaf.view instanceof ChatView)) throw new Error('The pane opened as another view.');
  await leaf.view.untilMounted();
  return leaf.view;
}

/** Returns what the view in use sends next, or any other if none is; null if no chat is open. */
export function planInUse(app: App): RequestPlan | null {
  const views = [findView(app), ...app.workspace.getLeavesOfType(chatViewType).map(({ view }) => view)];
  const shown = views.find((view): view is ChatView => view instanceof ChatView && view.model !== null);
  return shown?.model?.preview.peek() ?? null;
}

/** Returns the loaded chat view, the active one if there are several; null if none is open. */
export function findView(app: App): ChatView | null {
  const active = app.workspace.getActiveViewOfType(ChatView);
  if (active !== null) return active;
  const views = app.workspace.getLeavesOfType(chatViewType).map((leaf) => leaf.view);
  return views.find((view): view is ChatView => view instanceof ChatView) ?? null;
}
