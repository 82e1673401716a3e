/** The two sides of the window: resizable docks on the desktop, full-screen drawers on a phone, and the ribbon. */
import type { Side } from 'obsidian';
import { Menu } from '../windows/menu';
import { setIcon } from '../controls/icons';
import { setTooltip } from '../windows/tooltip';
import type { Workspace } from './workspace';
import type { WorkspaceItem } from './item';
import { dragHandle, WorkspaceSplit } from './split';
import { LeafGroup } from './tabs';

const NARROWEST = 200;

export class WorkspaceSidedock extends WorkspaceSplit {
  collapsed = false;
  width = 300;
  readonly side: Side;

  constructor(workspace: Workspace, side: Side) {
    super(workspace, 'horizontal', `mod-sidedock mod-${side}-split`);
    this.side = side;
    this.allowEmpty = true;
    const handle = this.containerEl.createEl('hr', 'workspace-leaf-resize-handle');
    handle.addEventListener('pointerdown', (event) => this.dragEdge(event, handle));
    this.setWidth(this.width);
  }

  override getContainer(): WorkspaceItem {
    return this.workspace.rootSplit;
  }

  setWidth(width: number): void {
    this.width = width;
    this.containerEl.setCssStyles({ width: `${width}px` });
  }

  private dragEdge(event: PointerEvent, handle: HTMLElement): void {
    const start = event.clientX;
    const width = this.width;
    dragHandle(this.workspace, event, handle, (moved) => {
      const delta = (moved.clientX - start) * (this.side === 'left' ? 1 : -1);
      this.setWidth(Math.max(NARROWEST, Math.min(width + delta, this.workspace.window.innerWidth * 0.7)));
    });
  }

  toggle(): void {
    if (this.collapsed) this.expand();
    else this.collapse();
  }

  collapse(): void {
    this.setCollapsed(true);
  }

  expand(): void {
    this.setCollapsed(false);
  }

  private setCollapsed(collapsed: boolean): void {
    if (this.collapsed === collapsed) return;
    this.collapsed = collapsed;
    this.containerEl.toggleClass('is-sidedock-collapsed', collapsed);
    this.workspace.containerEl.toggleClass(`is-${this.side}-sidedock-open`, !collapsed);
    if (!collapsed) for (const child of this.children) void (child as LeafGroup).currentLeaf?.loadIfDeferred();
    this.workspace.trigger('resize');
    this.workspace.onLayoutChange();
  }

  override serialize(): Record<string, unknown> {
    return { ...super.serialize(), width: this.width, ...(this.collapsed ? { collapsed: true } : {}) };
  }
}

/** A phone's side: one leaf at a time, picked from the title. */
export class WorkspaceMobileDrawer extends LeafGroup {
  collapsed = true;
  readonly side: Side;
  private readonly titleEl: HTMLElement;
  private readonly titleIconEl: HTMLElement;

  constructor(workspace: Workspace, side: Side) {
    super(workspace);
    this.side = side;
    this.allowEmpty = true;
    this.containerEl = workspace.document.createElement('div');
    this.containerEl.addClass('workspace-drawer', `mod-${side}`);
    const inner = this.containerEl.createDiv('workspace-drawer-inner');
    const header = inner.createDiv('workspace-drawer-header');
    const picker = header.createDiv('workspace-drawer-active-tab-header');
    this.titleIconEl = picker.createSpan('workspace-drawer-active-tab-icon');
    this.titleEl = picker.createSpan('workspace-drawer-active-tab-title');
    setIcon(picker.createSpan('workspace-drawer-active-tab-back-icon'), 'chevrons-up-down');
    picker.addEventListener('click', (event) => this.showPicker(event));
    const settings = header.createDiv('workspace-drawer-header-icon clickable-icon mod-settings');
    setIcon(settings, 'settings');
    setTooltip(settings, 'Settings');
    settings.addEventListener('click', () => workspace.app.setting.open());
    const close = header.createDiv('workspace-drawer-header-icon clickable-icon mod-close');
    setIcon(close, 'x');
    setTooltip(close, 'Close');
    close.addEventListener('click', () => this.collapse());
    this.contentEl = inner.createDiv('workspace-drawer-active-tab-container');
    this.containerEl.toggle(false);
  }

  override getContainer(): WorkspaceItem {
    return this.workspace.rootSplit;
  }

  isOpen(): boolean {
    return !this.collapsed;
  }

  override updateHeader(): void {
    const leaf = this.currentLeaf;
    this.titleEl.setText(leaf ? leaf.getDisplayText() : '');
    this.titleIconEl.empty();
    if (leaf) setIcon(this.titleIconEl, leaf.getIcon());
  }

  private showPicker(event: MouseEvent): void {
    const menu = new Menu();
    for (const leaf of this.leaves) {
      menu.addItem((item) =>
        item
          .setTitle(leaf.getDisplayText())
          .setIcon(leaf.getIcon())
          .setChecked(leaf === this.currentLeaf)
          .onClick(() => void this.workspace.revealLeaf(leaf)),
      );
    }
    menu.showAtMouseEvent(event);
  }

  toggle(): void {
    if (this.collapsed) this.expand();
    else this.collapse();
  }

  collapse(): void {
    if (this.collapsed) return;
    this.collapsed = true;
    this.containerEl.toggle(false);
    this.workspace.onLayoutChange();
  }

  expand(): void {
    if (!this.collapsed) return;
    const other = this.side === 'left' ? this.workspace.rightSplit : this.workspace.leftSplit;
    other.collapse();
    this.collapsed = false;
    this.containerEl.toggle(true);
    this.showCurrent();
    void this.currentLeaf?.loadIfDeferred();
    this.workspace.onLayoutChange();
  }

  override serialize(): Record<string, unknown> {
    return { ...super.serialize(), type: 'mobile-drawer', collapsed: this.collapsed };
  }
}

export class WorkspaceRibbon {
  containerEl: HTMLElement;
  private readonly actionsEl: HTMLElement;
  readonly settingsEl: HTMLElement;

  constructor(
    readonly workspace: Workspace,
    side: Side,
  ) {
    this.containerEl = workspace.document.createElement('div');
    this.containerEl.addClass('workspace-ribbon', 'side-dock-ribbon', `mod-${side}`);
    this.actionsEl = this.containerEl.createDiv('side-dock-actions');
    this.settingsEl = this.containerEl.createDiv('side-dock-settings');
  }

  get items(): HTMLElement[] {
    return Array.from(this.actionsEl.children) as HTMLElement[];
  }

  addAction(
    icon: string,
    title: string,
    callback: (event: MouseEvent) => unknown,
    place: 'actions' | 'settings' = 'actions',
  ): HTMLElement {
    const parent = place === 'actions' ? this.actionsEl : this.settingsEl;
    const button = parent.createDiv({ cls: 'clickable-icon side-dock-ribbon-action', attr: { role: 'button' } });
    setIcon(button, icon);
    setTooltip(button, title, { placement: 'right' });
    button.setAttr('aria-label', title);
    button.addEventListener('click', (event) => void callback(event));
    return button;
  }
}
