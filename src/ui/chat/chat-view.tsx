/** ChatView: the pane as a view of the app; it mounts the interface and remembers which chat is open. */
import { ItemView, type ViewStateResult, type WorkspaceLeaf } from 'obsidian';
import { effect } from '@preact/signals';
import { render } from 'preact';
import type { Mention } from '../../core/mentions/mention';
import type { ChatChoices } from '../../core/session/entry';
import { words } from '../../text';
import { showCutOff } from '../diagnostics/cut-off-notice';
import { DiagnosticsModal } from '../diagnostics/diagnostics-modal';
import { InspectorModal } from '../inspector/inspector-modal';
import type { OpenChat } from '../own-prompt/own-prompt-ports';
import type { PanePorts } from '../pane-ports';
import type { ReviewModel } from '../review/review-model';
import { ContextListModal } from '../status/context-list-modal';
import { SnapshotModal } from '../status/snapshot-modal';
import { PaneModel } from './pane-model';

export const chatViewType = 'docent-chat';

const openChatKey = 'open-chat';

export class ChatView extends ItemView {
  override navigation = false;
  private model: PaneModel | null = null;
  private readonly releases: (() => void)[] = [];
  private markOpened: () => void = () => {};
  private readonly opened = new Promise<void>((resolve) => (this.markOpened = resolve));

  constructor(
    leaf: WorkspaceLeaf,
    private readonly ports: PanePorts,
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
    const model = new PaneModel(this.ports, this.contentEl.win);
    this.model = model;
    model.context.windows = {
      showList: () => this.showContext(),
      editSnapshot: (shown) => SnapshotModal.ask(this.app, shown),
    };
    this.releases.push(effect(() => this.ports.planned?.(model.preview.value)));
    // What draws the pane is only run once one is opened; a start of the app does without it.
    const { Pane } = await import('./pane');
    if (this.model !== model) return;
    render(
      <Pane
        model={model}
        onNewChat={() => void this.newChat()}
        onStartClean={() => void this.startClean()}
        onInspect={() => this.inspect()}
        onContext={() => this.showContext()}
        onDiagnose={() => this.showDiagnostics()}
      />,
      this.contentEl,
    );
    await this.ports.paneOpened();
    if (this.ports.cutOff !== undefined) showCutOff(this.ports.cutOff);
    await this.openChat(this.ports.device.get(openChatKey));
    this.markOpened();
  }

  override onClose(): Promise<void> {
    for (const release of this.releases.splice(0)) release();
    this.ports.planned?.(null);
    this.model?.close();
    this.model = null;
    render(null, this.contentEl);
    return Promise.resolve();
  }

  override getState(): Record<string, unknown> {
    return { chat: this.model?.chatId ?? null };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    const chat = typeof state === 'object' && state !== null && 'chat' in state ? state.chat : null;
    if (typeof chat === 'string' && chat !== this.model?.chatId) await this.openChat(chat);
    await super.setState(state, result);
  }

  async newChat(): Promise<void> {
    await this.openChat(null);
    this.focusComposer();
  }

  /** Goes on without the text that others wrote; the message that brought it is the draft. */
  async startClean(): Promise<void> {
    const started = await this.model?.startClean();
    if (started == null) return;
    await this.openChat(started.conversation);
    await this.addToDraft(started.request, []);
  }

  stop(): void {
    this.model?.stop();
  }

  inspect(): void {
    if (this.model !== null) new InspectorModal(this.app, this.model).open();
  }

  showContext(): void {
    if (this.model === null) return;
    new ContextListModal(this.app, this.model, () => this.inspect()).open();
  }

  /** Has older messages summarised, and shows the summary first. */
  summarise(): void {
    void this.model?.context.summarise({});
  }

  /** The changes of the open chat; null while none is open. */
  get review(): ReviewModel | null {
    return this.model?.review ?? null;
  }

  showDiagnostics(): void {
    new DiagnosticsModal(this.app, this.ports, () => this.model?.next ?? null).open();
  }

  /** What the open chat has chosen and would send next; null while none is open. */
  get openedChat(): OpenChat | null {
    return this.model?.openChat ?? null;
  }

  /** Resolves once a chat is open in the pane. */
  untilOpen(): Promise<void> {
    return this.opened;
  }

  /** Lets the open chat have these choices. */
  async choose(choices: ChatChoices): Promise<void> {
    await this.opened;
    await this.model?.choose(choices);
  }

  /** Sends a message beside the draft. */
  async sendAside(text: string, mentions: readonly Mention[]): Promise<void> {
    await this.opened;
    await this.model?.sendAside(text, mentions);
  }

  /** Puts text and attachments behind the draft, with the cursor after them. */
  async addToDraft(text: string, mentions: readonly Mention[]): Promise<void> {
    await this.opened;
    this.model?.addToDraft(text, mentions);
    this.focusComposer();
  }

  focusComposer(): void {
    this.contentEl.find('.docent-composer-input')?.focus();
  }

  private async openChat(id: string | null): Promise<void> {
    const { model } = this;
    await model?.open(id);
    // A pane that was closed meanwhile leaves the chat to be found by the next.
    if (model === null || model !== this.model) return;
    this.ports.device.set(openChatKey, model.chatId);
    this.app.workspace.requestSaveLayout();
  }
}
