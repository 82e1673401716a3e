/** ChatView: the pane as a view of the app; it mounts the interface and remembers which chat is open. */
import { ItemView, type ViewStateResult, type WorkspaceLeaf } from 'obsidian';
import { render } from 'preact';
import { words } from '../../text';
import { InspectorModal } from '../inspector/inspector-modal';
import type { PanePorts } from '../pane-ports';
import { PaneModel } from './pane-model';

export const chatViewType = 'docent-chat';

const openChatKey = 'open-chat';

export class ChatView extends ItemView {
  override navigation = false;
  private model: PaneModel | null = null;

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
    // What draws the pane is only run once one is opened; a start of the app does without it.
    const { Pane } = await import('./pane');
    if (this.model !== model) return;
    render(
      <Pane model={model} onNewChat={() => void this.newChat()} onInspect={() => this.inspect()} />,
      this.contentEl,
    );
    await this.ports.paneOpened();
    await this.openChat(this.ports.device.get(openChatKey));
  }

  override onClose(): Promise<void> {
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

  stop(): void {
    this.model?.stop();
  }

  inspect(): void {
    if (this.model !== null) new InspectorModal(this.app, this.model).open();
  }

  focusComposer(): void {
    this.contentEl.find('.docent-composer-input')?.focus();
  }

  private async openChat(id: string | null): Promise<void> {
    await this.model?.open(id);
    this.ports.device.set(openChatKey, this.model?.chatId ?? null);
    this.app.workspace.requestSaveLayout();
  }
}
