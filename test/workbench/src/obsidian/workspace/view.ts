/** The base of everything a leaf can show, with and without a header. */
import type { ViewStateResult } from 'obsidian';
import { Component } from '../base/component';
import type { Scope } from '../base/scope';
import { setIcon } from '../controls/icons';
import { setTooltip } from '../windows/tooltip';
import { Menu } from '../windows/menu';
import type { App } from '../app/app';
import type { WorkspaceLeaf } from './leaf';

export abstract class View extends Component {
  app: App;
  icon = '';
  navigation = false;
  leaf: WorkspaceLeaf;
  containerEl: HTMLElement;
  scope: Scope | null = null;

  constructor(leaf: WorkspaceLeaf) {
    super();
    this.leaf = leaf;
    this.app = leaf.app;
    this.containerEl = leaf.containerEl.doc.createElement('div');
    this.containerEl.addClass('workspace-leaf-content');
  }

  /** Puts the element in place without opening; placeholders need no more. */
  attach(parentEl: HTMLElement): void {
    parentEl.empty();
    this.containerEl.setAttr('data-type', this.getViewType());
    parentEl.appendChild(this.containerEl);
  }

  async open(parentEl: HTMLElement): Promise<void> {
    this.attach(parentEl);
    this.load();
    await this.onOpen();
    this.updateTitle();
  }

  async close(): Promise<void> {
    await this.onClose();
    this.unload();
    this.containerEl.remove();
  }

  protected async onOpen(): Promise<void> {}
  protected async onClose(): Promise<void> {}
  abstract getViewType(): string;
  abstract getDisplayText(): string;

  getState(): Record<string, unknown> {
    return {};
  }

  async setState(_state: unknown, _result: ViewStateResult): Promise<void> {}

  getEphemeralState(): Record<string, unknown> {
    return {};
  }

  setEphemeralState(state: unknown): void {
    if ((state as { focus?: boolean } | null)?.focus) this.focus();
  }

  focus(): void {
    const target = this.containerEl.querySelector<HTMLElement>(
      '[tabindex="0"], input, textarea, [contenteditable="true"]',
    );
    target?.focus({ preventScroll: true });
  }

  getIcon(): string {
    return this.icon || 'lucide-file';
  }

  onResize(): void {}
  onPaneMenu(_menu: Menu, _source: string): void {}
  updateTitle(): void {}
}

export abstract class ItemView extends View {
  contentEl: HTMLElement;
  headerEl: HTMLElement;
  titleEl: HTMLElement;
  titleParentEl: HTMLElement;
  actionsEl: HTMLElement;
  backButtonEl: HTMLElement;
  forwardButtonEl: HTMLElement;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    this.headerEl = this.containerEl.createDiv('view-header');
    const left = this.headerEl.createDiv('view-header-left');
    const drawer = left.createDiv('clickable-icon view-action mod-drawer-toggle');
    setIcon(drawer, 'panel-left');
    setTooltip(drawer, 'Expand');
    drawer.addEventListener('click', () => this.app.workspace.leftSplit.toggle());
    const buttons = left.createDiv('view-header-nav-buttons');
    this.backButtonEl = this.createTravelButton(buttons, 'arrow-left', 'Navigate back', 'back');
    this.forwardButtonEl = this.createTravelButton(buttons, 'arrow-right', 'Navigate forward', 'forward');
    const middle = this.headerEl.createDiv('view-header-title-container mod-at-start mod-fade mod-at-end');
    this.titleParentEl = middle.createDiv('view-header-title-parent');
    this.titleEl = middle.createDiv('view-header-title');
    this.actionsEl = this.headerEl.createDiv('view-actions');
    const more = this.addAction('more-vertical', 'More options', (event) => {
      const menu = new Menu();
      this.onPaneMenu(menu, 'more-options');
      menu.showAtMouseEvent(event);
    });
    more.addClass('mod-more-options');
    const right = this.actionsEl.createDiv('clickable-icon view-action mod-drawer-toggle');
    setIcon(right, 'panel-right');
    setTooltip(right, 'Expand right sidebar');
    right.addEventListener('click', () => this.app.workspace.rightSplit.toggle());
    this.contentEl = this.containerEl.createDiv('view-content');
  }

  private createTravelButton(
    parent: HTMLElement,
    icon: string,
    label: string,
    direction: 'back' | 'forward',
  ): HTMLElement {
    const button = parent.createEl('button', { cls: 'clickable-icon', attr: { 'aria-disabled': 'true' } });
    setIcon(button, icon);
    setTooltip(button, label);
    button.addEventListener('click', () => void this.leaf.travel(direction));
    return button;
  }

  addAction(icon: string, title: string, callback: (event: MouseEvent) => unknown): HTMLElement {
    const button = this.headerEl.doc.createElement('button');
    button.addClass('clickable-icon', 'view-action');
    setIcon(button, icon);
    setTooltip(button, title);
    button.addEventListener('click', (event) => void callback(event));
    this.actionsEl.prepend(button);
    return button;
  }

  override onPaneMenu(menu: Menu, source: string): void {
    super.onPaneMenu(menu, source);
    if (source !== 'more-options') return;
    menu.addItem((item) =>
      item
        .setSection('close')
        .setTitle('Close')
        .setIcon('x')
        .onClick(() => this.leaf.detach()),
    );
  }

  override updateTitle(): void {
    this.titleEl.setText(this.getDisplayText());
    this.backButtonEl.setAttr('aria-disabled', String(this.leaf.history.back.length === 0));
    this.forwardButtonEl.setAttr('aria-disabled', String(this.leaf.history.forward.length === 0));
  }
}
