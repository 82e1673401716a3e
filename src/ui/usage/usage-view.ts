/** UsageView: tokens and money of all chats, as a view of its own. */
import { type App, ItemView, type WorkspaceLeaf } from 'obsidian';
import { words } from '../../text';
import { openChatView } from '../chat/chat-view';
import type { ChatViewPorts } from '../state/ports';

export const usageViewType = 'docent-usage';

export class UsageView extends ItemView {
  override navigation = true;
  private isShown = false;
  private unmount: (() => void) | null = null;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly fetchPorts: () => Promise<ChatViewPorts>,
  ) {
    super(leaf);
  }

  getViewType(): string {
    return usageViewType;
  }

  getDisplayText(): string {
    return words.usage.title;
  }

  override getIcon(): string {
    return 'coins';
  }

  override async onOpen(): Promise<void> {
    this.contentEl.addClass('docent-view');
    this.isShown = true;
    const [ports, { mountUsage }] = await Promise.all([this.fetchPorts(), import('./usage')]);
    // The view may have been closed during the import, and even opened again.
    if (!this.isShown || this.unmount !== null) return;
    const { app } = this;
    this.unmount = mountUsage(this.contentEl, {
      index: ports.chatIndex,
      day: (time) => ports.usage.day(time),
      limit: () => ports.settings().spendingLimit,
      onChange: (listener) => ports.onChange(listener),
      openChat: (chat) => void openChatView(app).then((view) => view.showChat(chat, null)),
      save: (table) => ports.usage.save(table),
    });
  }

  override onClose(): Promise<void> {
    this.isShown = false;
    this.unmount?.();
    this.unmount = null;
    return Promise.resolve();
  }
}

/** Shows the usage where it is open already, or in a new tab. */
export async function openUsage({ workspace }: App): Promise<void> {
  const [open] = workspace.getLeavesOfType(usageViewType);
  const leaf = open ?? workspace.getLeaf('tab');
  if (open === undefined) await leaf.setViewState({ type: usageViewType, active: true });
  await workspace.revealLeaf(leaf);
}
