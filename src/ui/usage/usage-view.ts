/** UsageView: tokens and money of all chats, as a view of its own. */
import type { App } from 'obsidian';
import { words } from '../../text';
import { openChatView } from '../chat/chat-view';
import { MountedView } from '../chat/chats-view';
import type { ChatViewPorts } from '../state/ports';

export const usageViewType = 'docent-usage';

export class UsageView extends MountedView {
  override navigation = true;

  getViewType(): string {
    return usageViewType;
  }

  getDisplayText(): string {
    return words.usage.title;
  }

  override getIcon(): string {
    return 'coins';
  }

  protected override async prepare() {
    const { mountUsage } = await import('./usage');
    const { app, contentEl } = this;
    return (ports: ChatViewPorts) =>
      mountUsage(contentEl, {
        index: ports.chatIndex,
        day: (time) => ports.usage.day(time),
        limit: () => ports.settings().spendingLimit,
        onChange: (listener) => ports.onChange(listener),
        openChat: (chat) => void openChatView(app).then((view) => view.showChat(chat, null)),
        save: (table) => ports.usage.save(table),
      });
  }
}

/** Shows the usage where it is open already, or in a new tab. */
export async function openUsage({ workspace }: App): Promise<void> {
  const [open] = workspace.getLeavesOfType(usageViewType);
  const leaf = open ?? workspace.getLeaf('tab');
  if (open === undefined) await leaf.setViewState({ type: usageViewType, active: true });
  await workspace.revealLeaf(leaf);
}
