/** ChatsView: the list of chats as a view of its own, which opens chats in the chat view. */
import { ItemView, type WorkspaceLeaf } from 'obsidian';
import { words } from '../../text';
import { confirmAction } from '../components/dialogs';
import type { ChatViewPorts } from '../state/ports';
import { findView, openChatView } from './chat-view';

export const chatsViewType = 'docent-chats';

export class ChatsView extends ItemView {
  override navigation = false;
  private isShown = false;
  private unmount: (() => void) | null = null;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly fetchPorts: () => Promise<ChatViewPorts>,
  ) {
    super(leaf);
  }

  getViewType(): string {
    return chatsViewType;
  }

  getDisplayText(): string {
    return words.chats.title;
  }

  override getIcon(): string {
    return 'messages-square';
  }

  override async onOpen(): Promise<void> {
    this.contentEl.addClass('docent-view');
    this.isShown = true;
    const [ports, { mountChatList }] = await Promise.all([this.fetchPorts(), import('../chats/chat-list')]);
    // The view may have been closed during the import, and even opened again.
    if (!this.isShown || this.unmount !== null) return;
    const { app } = this;
    this.unmount = mountChatList(this.contentEl, {
      index: ports.chatIndex,
      current: () => findView(app)?.chatId ?? null,
      open: (chat, place) => void openChatView(app).then((view) => view.showChat(chat, place)),
      openIn: (chat, place) => ports.openChatIn(chat, place),
      exportNote: ports.noteActs && ((chat) => void ports.noteActs?.export(chat)),
      confirm: (question) => confirmAction(app, question),
      closed: () => void findView(app)?.newChat(),
    });
  }

  override onClose(): Promise<void> {
    this.isShown = false;
    this.unmount?.();
    this.unmount = null;
    return Promise.resolve();
  }
}
