/** Views next to the chat view: the list of chats, which opens them there, what all of them took, and the inspector of requests. */
import { type App, type Events, ItemView, type WorkspaceLeaf } from 'obsidian';
import { words } from '../text';
import { chatMounted, ChatView, chatViewType, findView, openChatView } from './chat/chat-view';
import type { OpenChatState } from './state/chat-state';
import type { ChatViewPorts } from './state/ports';

export const chatsViewType = 'docent-chats';

/** MountedView: a view that draws itself once its ports and its code are there, and as long as it is open. */
export abstract class MountedView extends ItemView {
  private isShown = false;
  private unmount: (() => void) | null = null;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly fetchPorts: () => Promise<ChatViewPorts>,
  ) {
    super(leaf);
  }

  /** Loads the code of the view; returns a function that draws it and returns how it is removed. */
  protected abstract prepare(): Promise<(ports: ChatViewPorts) => () => void>;

  override async onOpen(): Promise<void> {
    this.contentEl.addClass('docent-view');
    this.isShown = true;
    const [ports, mount, { restoreLostFocus }] = await Promise.all([
      this.fetchPorts(),
      this.prepare(),
      import('./components/controls'),
    ]);
    // The view may have been closed during the import, and even opened again.
    if (!this.isShown || this.unmount !== null) return;
    const releases = [restoreLostFocus(this.contentEl), mount(ports)];
    this.unmount = () => releases.forEach((release) => release());
  }

  override onClose(): Promise<void> {
    this.isShown = false;
    this.unmount?.();
    this.unmount = null;
    return Promise.resolve();
  }
}

export class ChatsView extends MountedView {
  override navigation = false;

  getViewType(): string {
    return chatsViewType;
  }

  getDisplayText(): string {
    return words.chats.title;
  }

  override getIcon(): string {
    return 'messages-square';
  }

  protected override async prepare() {
    const [{ mountChatList }, { confirmAction }] = await Promise.all([
      import('./chats/chat-list'),
      import('./components/dialogs'),
    ]);
    const { app, contentEl } = this;
    return (ports: ChatViewPorts) =>
      mountChatList(contentEl, {
        index: ports.chatIndex,
        current: () => findView(app)?.chatId ?? null,
        open: (chat, place) => void openChatView(app).then((view) => view.showChat(chat, place)),
        openIn: (chat, place) => ports.openChatIn(chat, place),
        exportNote: ports.noteActs && ((chat) => void ports.noteActs?.export(chat)),
        confirm: (question) => confirmAction(app, question),
        closed: () => void findView(app)?.newChat(),
      });
  }
}

export const usageViewType = 'docent-usage';

/** UsageView: tokens and money of all chats. */
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
    const { mountUsage } = await import('./usage/usage');
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

export const inspectorViewType = 'docent-inspector';

/** InspectorView: the requests of the chat that is open in the chat view, the one used last if there are several. */
export class InspectorView extends MountedView {
  override navigation = true;
  private model: OpenChatState | null = null;

  getViewType(): string {
    return inspectorViewType;
  }

  getDisplayText(): string {
    return words.inspector.title;
  }

  override getIcon(): string {
    return 'scan-text';
  }

  protected override async prepare() {
    const { mountInspector } = await import('./context/inspector');
    const { contentEl } = this;
    const { workspace } = this.app;
    return () => {
      contentEl.addClass('docent-inspector-view');
      const mount = (): (() => void) =>
        this.model === null ? this.showNothing() : mountInspector(contentEl, this.model);
      this.model = this.chatToShow();
      let unmount = mount();
      const follow = (): void => {
        const model = this.chatToShow();
        if (model === this.model) return;
        unmount();
        this.model = model;
        unmount = mount();
      };
      const events: Events = workspace;
      const heard = ['layout-change', 'active-leaf-change', chatMounted].map((name) => events.on(name, follow));
      return () => {
        heard.forEach((each) => workspace.offref(each));
        unmount();
      };
    };
  }

  /** Returns the active chat, else the one shown before if it is still open, else any. */
  private chatToShow(): OpenChatState | null {
    const { workspace } = this.app;
    const active = workspace.getActiveViewOfType(ChatView)?.model ?? null;
    const open = workspace
      .getLeavesOfType(chatViewType)
      .map(({ view }) => (view instanceof ChatView ? view.model : null));
    return active ?? (open.includes(this.model) ? this.model : null) ?? open.find((model) => model !== null) ?? null;
  }

  private showNothing(): () => void {
    const { app, contentEl } = this;
    contentEl.createEl('p', { text: words.inspector.noChat });
    const button = contentEl.createEl('button', { text: words.commandNames['open-chat'] });
    button.addEventListener('click', () => void openChatView(app));
    return () => contentEl.empty();
  }
}

/** Shows the inspector where it is open already, or in a new tab. */
export function openInspector(app: App): Promise<void> {
  return showInTab(app, inspectorViewType);
}

/** Shows the usage where it is open already, or in a new tab. */
export function openUsage(app: App): Promise<void> {
  return showInTab(app, usageViewType);
}

async function showInTab({ workspace }: App, type: string): Promise<void> {
  const [open] = workspace.getLeavesOfType(type);
  const leaf = open ?? workspace.getLeaf('tab');
  if (open === undefined) await leaf.setViewState({ type, active: true });
  await workspace.revealLeaf(leaf);
}
