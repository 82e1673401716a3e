/** ChatView: the pane as a view of the app; it remembers which chat is open. What it shows is fetched when it opens. */
import { type App, ItemView, type ViewStateResult, type WorkspaceLeaf } from 'obsidian';
import type { ChatChoices, Mention } from '../../core/session/entry';
import { words } from '../../text';
import type { OpenChat, ChatViewPorts } from '../state/ports';
import type { ReviewState } from '../state/review-state';
import type { MountedChat } from './mounted-chat';

export const chatViewType = 'docent-chat';

const openChatKey = 'open-chat';

export class ChatView extends ItemView {
  override navigation = false;
  private pane: MountedChat | null = null;
  private isShown = false;
  /** The chat that the app asked for before the pane was there to open it. */
  private wanted: string | null = null;
  private markMounted: () => void = () => {};
  private readonly mounted = new Promise<void>((resolve) => (this.markMounted = resolve));
  private markOpened: () => void = () => {};
  private readonly opened = new Promise<void>((resolve) => (this.markOpened = resolve));

  constructor(
    leaf: WorkspaceLeaf,
    private readonly fetchPorts: () => Promise<ChatViewPorts>,
  ) {
    super(leaf);
  }

  getViewType(): string {
    return chatViewType;
  }

  getDisplayText(): string {
    return words.pane.title;
  }

  override getIcon(): string {
    return 'message-circle';
  }

  override async onOpen(): Promise<void> {
    this.contentEl.addClass('docent-view');
    this.isShown = true;
    const [ports, { MountedChat }] = await Promise.all([this.fetchPorts(), import('./mounted-chat')]);
    // It may have been closed meanwhile, and even opened again.
    if (!this.isShown || this.pane !== null) return;
    const pane = new MountedChat(this, ports);
    this.pane = pane;
    this.markMounted();
    await pane.start();
    await this.openChat(this.wanted ?? ports.device.get(openChatKey));
    this.markOpened();
  }

  override onClose(): Promise<void> {
    this.isShown = false;
    this.pane?.close();
    this.pane = null;
    return Promise.resolve();
  }

  override getState(): Record<string, unknown> {
    return { chat: this.pane?.model.chatId ?? this.wanted };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    const chat = typeof state === 'object' && state !== null && 'chat' in state ? state.chat : null;
    if (typeof chat === 'string' && chat !== this.pane?.model.chatId) await this.openChat(chat);
    await super.setState(state, result);
  }

  async newChat(): Promise<void> {
    await this.openChat(null);
    this.focusComposer();
  }

  /** Goes on without the text that others wrote; the message that brought it is the draft. */
  async startClean(): Promise<void> {
    const started = await this.pane?.model.startClean();
    if (started == null) return;
    await this.openChat(started.conversation);
    await this.addToDraft(started.request, []);
  }

  stop(): void {
    this.pane?.model.stop();
  }

  inspect(): void {
    this.pane?.inspect();
  }

  showContext(): void {
    this.pane?.showContext();
  }

  /** Has older messages summarised, and shows the summary first. */
  summarise(): void {
    void this.pane?.model.context.summarise({});
  }

  /** The changes of the open chat; null while none is open. */
  get review(): ReviewState | null {
    return this.pane?.model.review ?? null;
  }

  showDiagnostics(): void {
    this.pane?.showDiagnostics();
  }

  /** What the open chat has chosen and would send next; null while none is open. */
  get openedChat(): OpenChat | null {
    return this.pane?.model.openChat ?? null;
  }

  /** Resolves once what the pane shows is there, and can be asked for windows and for another chat. */
  untilMounted(): Promise<void> {
    return this.mounted;
  }

  /** Resolves once a chat is open in the pane. */
  untilOpen(): Promise<void> {
    return this.opened;
  }

  /** Lets the open chat have these choices. */
  async choose(choices: ChatChoices): Promise<void> {
    await this.opened;
    await this.pane?.model.choose(choices);
  }

  /** Sends a message beside the draft. */
  async sendWithoutDraft(text: string, mentions: readonly Mention[]): Promise<void> {
    await this.opened;
    await this.pane?.model.sendWithoutDraft(text, mentions);
  }

  /** Puts text and attachments behind the draft, with the cursor after them. */
  async addToDraft(text: string, mentions: readonly Mention[]): Promise<void> {
    await this.opened;
    this.pane?.model.addToDraft(text, mentions);
    this.focusComposer();
  }

  focusComposer(): void {
    this.contentEl.find('.docent-composer-input')?.focus();
  }

  private async openChat(id: string | null): Promise<void> {
    this.wanted = id;
    const { pane } = this;
    await pane?.model.open(id);
    // A pane that was closed meanwhile leaves the chat to be found by the next.
    if (pane === null || pane !== this.pane) return;
    this.wanted = null;
    pane.ports.device.set(openChatKey, pane.model.chatId);
    this.app.workspace.requestSaveLayout();
  }
}

// Opens the pane in the right sidebar, and finds it where it is open.

/** The pane's view, opened and shown. A pane that was restored as a placeholder is loaded first. */
export async function openChatView(app: App): Promise<ChatView> {
  const leaf = await app.workspace.ensureSideLeaf(chatViewType, 'right', { active: true, reveal: true });
  await app.workspace.revealLeaf(leaf);
  await leaf.loadIfDeferred();
  if (!(leaf.view instanceof ChatView)) throw new Error('The pane opened as another view.');
  await leaf.view.untilMounted();
  return leaf.view;
}

/** The view of a pane that is open and loaded; of several, the one that is in use. */
export function findView(app: App): ChatView | null {
  const active = app.workspace.getActiveViewOfType(ChatView);
  if (active !== null) return active;
  const views = app.workspace.getLeavesOfType(chatViewType).map((leaf) => leaf.view);
  return views.find((view): view is ChatView => view instanceof ChatView) ?? null;
}
