/** Finding, making and activating leaves. */
import type { SplitDirection } from 'obsidian';
import type { TFile } from '../vault/files';
import type { MarkdownFileInfo } from '../editor/editor-fields';
import { FileView } from './file-view';
import type { WorkspaceItem } from './item';
import { WorkspaceParent } from './item';
import { WorkspaceLeaf } from './leaf';
import { MarkdownView } from './markdown-view';
import { EmptyView } from './placeholder-views';
import { WorkspaceMobileDrawer, type WorkspaceSidedock } from './sidedock';
import { WorkspaceContainer, WorkspaceRoot, WorkspaceSplit } from './split';
import { LeafGroup, WorkspaceTabs } from './tabs';
import type { View } from './view';
import { WorkspaceShell } from './workspace-shell';

type AnyView = abstract new (...args: never[]) => unknown;

export abstract class WorkspaceLeaves extends WorkspaceShell {
  activeLeaf: WorkspaceLeaf | null = null;
  activeEditor: MarkdownFileInfo | null = null;
  private activeFile: TFile | null = null;
  private activations = 0;
  private readonly closings = new Set<Promise<void>>();
  /** The group of each window that was marked last. */
  private readonly markedGroups = new WeakMap<Document, HTMLElement>();

  abstract onLayoutChange(): void;
  protected abstract noteOpened(file: TFile): void;

  private visit(item: WorkspaceItem, callback: (leaf: WorkspaceLeaf) => unknown): void {
    if (item instanceof WorkspaceLeaf) callback(item);
    else if (item instanceof WorkspaceParent) for (const child of item.children.slice()) this.visit(child, callback);
  }

  iterateRootLeaves(callback: (leaf: WorkspaceLeaf) => unknown): void {
    this.visit(this.rootSplit, callback);
  }

  iterateAllLeaves(callback: (leaf: WorkspaceLeaf) => unknown): void {
    for (const root of [this.rootSplit, this.floatingSplit, this.leftSplit, this.rightSplit])
      this.visit(root, callback);
  }

  collectLeaves(root?: WorkspaceItem): WorkspaceLeaf[] {
    const leaves: WorkspaceLeaf[] = [];
    if (root) this.visit(root, (leaf) => leaves.push(leaf));
    else this.iterateAllLeaves((leaf) => leaves.push(leaf));
    return leaves;
  }

  getLeavesOfType(viewType: string): WorkspaceLeaf[] {
    return this.collectLeaves().filter((leaf) => leaf.view.getViewType() === viewType);
  }

  detachLeavesOfType(viewType: string): void {
    for (const leaf of this.getLeavesOfType(viewType)) leaf.detach();
  }

  getLeafById(id: string): WorkspaceLeaf | null {
    return this.collectLeaves().find((leaf) => leaf.id === id) ?? null;
  }

  getGroupLeaves(group: string): WorkspaceLeaf[] {
    return this.collectLeaves().filter((leaf) => leaf.group === group);
  }

  /** The leaf that an element is drawn in. */
  findLeafOf(el: Node): WorkspaceLeaf | null {
    return this.collectLeaves().find((leaf) => leaf.containerEl.contains(el)) ?? null;
  }

  getMostRecentLeaf(root?: WorkspaceItem): WorkspaceLeaf | null {
    const leaves = root
      ? this.collectLeaves(root)
      : [...this.collectLeaves(this.rootSplit), ...this.collectLeaves(this.floatingSplit)];
    return leaves.reduce<WorkspaceLeaf | null>(
      (best, leaf) => (!best || leaf.activeTime > best.activeTime ? leaf : best),
      null,
    );
  }

  getActiveViewOfType<T>(type: abstract new (...args: never[]) => T): T | null {
    const view = this.activeLeaf?.view as View | undefined;
    return view instanceof (type as AnyView) ? (view as unknown as T) : null;
  }

  getActiveFile(): TFile | null {
    const view = this.activeLeaf?.view;
    if (view instanceof FileView) return view.file;
    const recent = this.getMostRecentLeaf()?.view;
    return recent instanceof FileView ? recent.file : null;
  }

  setActiveLeaf(leaf: WorkspaceLeaf, params?: { focus?: boolean } | boolean, focus?: boolean): void {
    const wantsFocus = typeof params === 'object' ? params.focus === true : focus === true;
    if (!(leaf.parent as LeafGroup | null)) return;
    const before = this.activeLeaf;
    this.activations += 1;
    leaf.activeTime = this.activations;
    if (before !== leaf || !leaf.isVisible()) leaf.parent.selectTab(leaf);
    this.activeLeaf = leaf;
    if (before !== leaf) {
      before?.containerEl.removeClass('mod-active');
      before?.tabHeaderEl.removeClass('mod-active');
      leaf.containerEl.addClass('mod-active');
      leaf.tabHeaderEl.addClass('mod-active');
      this.markActiveGroup(leaf.parent.containerEl);
    }
    this.updateActiveEditor();
    if (before !== leaf) {
      this.trigger('active-leaf-change', leaf);
      this.onLayoutChange();
    }
    this.updateActiveFile();
    if (wantsFocus) leaf.view.setEphemeralState({ focus: true });
  }

  private markActiveGroup(groupEl: HTMLElement): void {
    const marked = this.markedGroups.get(groupEl.doc);
    if (marked?.hasClass('workspace-tabs')) marked.removeClass('mod-active');
    groupEl.addClass('mod-active');
    this.markedGroups.set(groupEl.doc, groupEl);
  }

  private updateActiveEditor(): void {
    const view = this.activeLeaf?.view;
    this.activeEditor = view instanceof MarkdownView ? view : null;
  }

  /** Announces a change of the active file; a view without a file does not change it. */
  updateActiveFile(): void {
    this.updateActiveEditor();
    const view = this.activeLeaf?.view;
    if (!(view instanceof FileView) && !(view instanceof EmptyView)) return;
    const file = view instanceof FileView ? view.file : null;
    if (file === this.activeFile) return;
    this.activeFile = file;
    if (file) this.noteOpened(file);
    this.trigger('file-open', file);
  }

  /** Views write their buffers while they close; a window waits for them before it goes. */
  holdClosing(closing: Promise<void>): void {
    const held = closing.catch((error) => console.error(error)).then(() => void this.closings.delete(held));
    this.closings.add(held);
  }

  async whenClosed(): Promise<void> {
    await Promise.all(this.closings);
  }

  afterDetach(leaf: WorkspaceLeaf): void {
    const empty = this.collectLeaves(this.rootSplit).length === 0;
    const next = empty ? this.createLeafInGroup(this.ensureRootTabs()) : this.getMostRecentLeaf(this.rootSplit);
    if (this.activeLeaf === leaf) {
      this.activeLeaf = null;
      this.activeEditor = null;
      if (next) this.setActiveLeaf(next, { focus: false });
    }
    this.onLayoutChange();
  }

  protected ensureRootTabs(): LeafGroup {
    const found = this.getMostRecentLeaf(this.rootSplit)?.parent;
    if (found) return found;
    const tabs = new WorkspaceTabs(this.self);
    this.rootSplit.insertChild(-1, tabs);
    return tabs;
  }

  createLeafInGroup(group: LeafGroup, index = -1): WorkspaceLeaf {
    const leaf = new WorkspaceLeaf(this.app);
    group.insertChild(index, leaf);
    return leaf;
  }

  createLeafInParent(parent: WorkspaceSplit, index: number): WorkspaceLeaf {
    const tabs = new WorkspaceTabs(this.self);
    parent.insertChild(index, tabs);
    return this.createLeafInGroup(tabs);
  }

  createLeafBySplit(leaf: WorkspaceLeaf, direction: SplitDirection = 'vertical', before = false): WorkspaceLeaf {
    const group = leaf.parent;
    if (group instanceof WorkspaceMobileDrawer) return this.createLeafInGroup(group);
    let split = group.parent as WorkspaceSplit;
    if (split.direction !== direction) {
      if (split.children.length === 1 && split instanceof WorkspaceContainer) split.setDirection(direction);
      else {
        const inner = new WorkspaceSplit(this.self, direction);
        split.replaceChild(split.children.indexOf(group), inner);
        inner.insertChild(0, group);
        split = inner;
      }
    }
    const tabs = new WorkspaceTabs(this.self);
    split.insertChild(split.children.indexOf(group) + (before ? 0 : 1), tabs);
    return this.createLeafInGroup(tabs);
  }

  private isInMainArea(leaf: WorkspaceLeaf): boolean {
    const root = leaf.getRoot();
    return root instanceof WorkspaceRoot || root === this.floatingSplit;
  }

  getUnpinnedLeaf(): WorkspaceLeaf {
    const active = this.activeLeaf && this.isInMainArea(this.activeLeaf) ? this.activeLeaf : this.getMostRecentLeaf();
    if (active && !active.pinned && active.view.navigation) return active;
    return this.createTab();
  }

  protected createTab(): WorkspaceLeaf {
    const recent = this.getMostRecentLeaf();
    const group = recent?.parent ?? this.ensureRootTabs();
    const index = recent ? group.leaves.indexOf(recent) + 1 : -1;
    return this.createLeafInGroup(group, index);
  }

  protected getSideLeaf(side: 'left' | 'right', split: boolean): WorkspaceLeaf {
    const dock: WorkspaceSidedock | WorkspaceMobileDrawer = side === 'left' ? this.leftSplit : this.rightSplit;
    if (dock instanceof WorkspaceMobileDrawer) return this.createLeafInGroup(dock);
    const first = dock.children.find((child): child is WorkspaceTabs => child instanceof WorkspaceTabs);
    return first && !split ? this.createLeafInGroup(first) : this.createLeafInParent(dock, -1);
  }
}
