/** Groups of leaves of which one shows at a time: tab groups on the desktop, drawers on a phone. */
import { setIcon } from '../controls/icons';
import { setTooltip } from '../windows/tooltip';
import { Menu } from '../windows/menu';
import type { Workspace } from './workspace';
import type { WorkspaceLeaf } from './leaf';
import { WorkspaceItem, WorkspaceParent } from './item';

export abstract class LeafGroup extends WorkspaceParent {
  currentTab = 0;

  constructor(readonly workspace: Workspace) {
    super();
  }

  get leaves(): WorkspaceLeaf[] {
    return this.children as WorkspaceLeaf[];
  }

  get currentLeaf(): WorkspaceLeaf | null {
    return this.leaves[this.currentTab] ?? null;
  }

  selectTab(leaf: WorkspaceLeaf): void {
    const index = this.leaves.indexOf(leaf);
    if (index >= 0) this.selectTabIndex(index);
  }

  selectTabIndex(index: number): void {
    this.currentTab = Math.max(0, Math.min(index, this.children.length - 1));
    this.showCurrent();
    // While a layout is being restored it decides itself which leaves load.
    if (this.workspace.layoutReady && this.isOpen()) void this.currentLeaf?.loadIfDeferred();
  }

  /** Whether the group itself can be seen, so that its current leaf can. */
  abstract isOpen(): boolean;

  override insertChild(index: number, child: WorkspaceItem): void {
    const current = this.currentLeaf;
    super.insertChild(index, child);
    this.currentTab = current ? this.leaves.indexOf(current) : 0;
    this.showCurrent();
  }

  override removeChild(child: WorkspaceItem): void {
    const index = this.children.indexOf(child);
    if (index < 0) return;
    if (index < this.currentTab || this.currentTab === this.children.length - 1) {
      this.currentTab = Math.max(0, this.currentTab - 1);
    }
    (child as WorkspaceLeaf).tabHeaderEl.remove();
    super.removeChild(child);
    if (this.children.length > 0) this.selectTabIndex(this.currentTab);
  }

  showCurrent(): void {
    this.leaves.forEach((leaf, index) => {
      const shown = index === this.currentTab;
      leaf.containerEl.toggle(shown);
      leaf.tabHeaderEl.toggleClass('is-active', shown);
    });
    this.updateHeader();
  }

  updateHeader(): void {}

  serialize(): Record<string, unknown> {
    return {
      id: this.id,
      type: 'tabs',
      ...(this.dimension === null ? {} : { dimension: this.dimension }),
      children: this.children.map((child) => child.serialize()),
      ...(this.currentTab > 0 ? { currentTab: this.currentTab } : {}),
    };
  }
}

export class WorkspaceTabs extends LeafGroup {
  tabHeaderContainerEl: HTMLElement;
  tabHeadersEl: HTMLElement;

  constructor(workspace: Workspace) {
    super(workspace);
    this.containerEl = workspace.document.createElement('div');
    this.containerEl.addClass('workspace-tabs');
    this.tabHeaderContainerEl = this.containerEl.createDiv('workspace-tab-header-container');
    this.tabHeadersEl = this.tabHeaderContainerEl.createDiv('workspace-tab-header-container-inner');
    const newTab = this.tabHeaderContainerEl.createDiv('workspace-tab-header-new-tab');
    const button = newTab.createSpan('clickable-icon');
    setIcon(button, 'plus');
    setTooltip(button, 'New tab');
    button.addEventListener('click', () => {
      const leaf = workspace.createLeafInGroup(this);
      workspace.setActiveLeaf(leaf, { focus: true });
    });
    this.tabHeaderContainerEl.createDiv('workspace-tab-header-spacer');
    const list = this.tabHeaderContainerEl.createDiv('workspace-tab-header-tab-list').createSpan('clickable-icon');
    setIcon(list, 'chevron-down');
    setTooltip(list, 'Tab list');
    list.addEventListener('click', (event) => this.showTabList(event));
    this.contentEl = this.containerEl.createDiv('workspace-tab-container');
  }

  private showTabList(event: MouseEvent): void {
    const menu = new Menu();
    this.leaves.forEach((leaf, index) =>
      menu.addItem((item) =>
        item
          .setTitle(leaf.getDisplayText())
          .setIcon(leaf.getIcon())
          .setChecked(index === this.currentTab)
          .onClick(() => this.workspace.setActiveLeaf(leaf, { focus: true })),
      ),
    );
    menu.showAtMouseEvent(event);
  }

  isOpen(): boolean {
    const root = this.getRoot() as WorkspaceItem & { collapsed?: boolean };
    return root.collapsed !== true;
  }

  override insertChild(index: number, child: WorkspaceItem): void {
    super.insertChild(index, child);
    const next = this.leaves[this.leaves.indexOf(child as WorkspaceLeaf) + 1];
    this.tabHeadersEl.insertBefore((child as WorkspaceLeaf).tabHeaderEl, next ? next.tabHeaderEl : null);
  }
}
