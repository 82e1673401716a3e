/** What a leaf shows while it holds nothing, waits in the background, or lost the plugin that drew it. */
import type { ViewState } from 'obsidian';
import type { WorkspaceLeaf } from './leaf';
import { ItemView, View } from './view';

export class EmptyView extends ItemView {
  override navigation = true;

  getViewType(): string {
    return 'empty';
  }

  getDisplayText(): string {
    return 'New tab';
  }

  protected override async onOpen(): Promise<void> {
    this.draw();
  }

  override attach(parentEl: HTMLElement): void {
    super.attach(parentEl);
    this.draw();
  }

  private draw(): void {
    this.contentEl.empty();
    const box = this.contentEl.createDiv('empty-state').createDiv('empty-state-container');
    box.createDiv({ cls: 'empty-state-title', text: 'No file is open' });
    const actions = box.createDiv('empty-state-action-list');
    const offer = (text: string, command: string): void => {
      const action = actions.createDiv({ cls: 'empty-state-action tappable', text });
      action.addEventListener('click', () => this.app.commands.executeCommandById(command));
    };
    offer('Create new note (Ctrl + N)', 'file-explorer:new-file');
    offer('Go to file (Ctrl + O)', 'switcher:open');
    const close = actions.createDiv({ cls: 'empty-state-action tappable mod-close', text: 'Close' });
    close.addEventListener('click', () => this.leaf.detach());
  }
}

abstract class HeldStateView extends View {
  constructor(
    leaf: WorkspaceLeaf,
    readonly held: ViewState,
  ) {
    super(leaf);
    const { icon } = held as { icon?: string };
    this.icon = icon ?? '';
  }

  getViewType(): string {
    return this.held.type;
  }

  override getState(): Record<string, unknown> {
    return this.held.state ?? {};
  }

  override async setState(state: unknown): Promise<void> {
    this.held.state = state as Record<string, unknown>;
  }
}

/** The placeholder of a view that was never shown; `leaf.isDeferred` identifies it. */
export class DeferredView extends HeldStateView {
  private eState: Record<string, unknown> = {};

  getDisplayText(): string {
    const { title } = this.held as { title?: string };
    const file = this.held.state?.['file'];
    if (typeof file === 'string') return (file.split('/').pop() ?? file).replace(/\.md$/, '');
    return title ?? this.held.type;
  }

  override getEphemeralState(): Record<string, unknown> {
    return this.eState;
  }

  override setEphemeralState(state: unknown): void {
    this.eState = { ...(state as Record<string, unknown>) };
  }
}

export class UnknownView extends HeldStateView {
  getDisplayText(): string {
    return 'Plugin no longer active';
  }

  override getIcon(): string {
    return 'ghost';
  }

  override attach(parentEl: HTMLElement): void {
    super.attach(parentEl);
    this.containerEl.empty();
    const content = this.containerEl.createDiv('view-content');
    const box = content.createDiv('pane-empty');
    box.setText('The plugin that shows this pane is not active.');
  }
}
