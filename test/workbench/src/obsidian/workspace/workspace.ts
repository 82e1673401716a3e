/**
 * The Workspace of the API: where files and links open, sidebars, windows, and the layout that is saved between runs.
 */
import type { Extension } from '@codemirror/state';
import type { OpenViewState, PaneType, Side, SplitDirection, WorkspaceWindowInitData } from 'obsidian';
import { notifyWindowMigrated } from '../base/dom';
import { debounce } from '../base/text';
import { Platform } from '../base/platform';
import type { TFile } from '../vault/files';
import { parseLinktext } from '../index/links';
import type { Menu } from '../windows/menu';
import { EditorSuggests } from '../editor/editor-suggests';
import { applyLayout, readLayout, writeLayout } from './layout';
import type { WorkspaceLeaf } from './leaf';
import { MarkdownView } from './markdown-view';
import { openPopout } from './popout';
import { WorkspaceMobileDrawer, WorkspaceSidedock } from './sidedock';
import { WorkspaceWindow } from './split';
import { Tasks } from '../editor/tasks';
import { TextFileView } from './text-file-view';
import { WorkspaceLeaves } from './workspace-leaves';

const SAVE_LAYOUT_DELAY = 2000;
const REMEMBERED_FILES = 50;

export class Workspace extends WorkspaceLeaves {
  /** One array, reread by every editor on `updateOptions`. */
  editorExtensions: Extension[] = [];
  readonly editorSuggest = new EditorSuggests();
  readonly hoverLinkSources = new Map<string, { display: string; defaultMod: boolean }>();
  lastOpenFiles: string[] = [];
  private restoring = false;
  private changeAnnounced = false;

  requestSaveLayout = debounce(() => writeLayout(this), SAVE_LAYOUT_DELAY, true);

  protected get self(): Workspace {
    return this;
  }

  build(): void {
    this.buildFrame();
  }

  /** Whether a leaf nobody sees gets a placeholder instead of its view. */
  defersBackgroundLeaves(): boolean {
    const { chaos } = this.app;
    return chaos.defersLeaves && (this.restoring || chaos.seed !== null);
  }

  async loadLayout(): Promise<void> {
    await this.changeLayout(await readLayout(this));
  }

  finishLoading(): void {
    this.announceReady();
    this.trigger('layout-change');
  }

  async changeLayout(layout: unknown): Promise<void> {
    this.restoring = true;
    try {
      const leaves = this.collectLeaves();
      for (const leaf of leaves) await leaf.view.close();
      this.activeLeaf = null;
      // The first layout fills the frame that was just built.
      if (this.layoutReady || leaves.length > 0) this.buildFrame();
      await applyLayout(this, layout as Record<string, unknown> | null);
      if (this.collectLeaves(this.rootSplit).length === 0) this.createLeafInGroup(this.ensureRootTabs());
    } finally {
      this.restoring = false;
    }
    const leaf = this.activeLeaf ?? this.getMostRecentLeaf(this.rootSplit);
    if (leaf) this.setActiveLeaf(leaf, { focus: false });
    for (const one of this.collectLeaves()) if (one.isVisible()) await one.loadIfDeferred();
    this.onLayoutChange();
  }

  getLayout(): Record<string, unknown> {
    return {
      main: this.rootSplit.serialize(),
      left: this.leftSplit.serialize(),
      right: this.rightSplit.serialize(),
      ...(this.floatingSplit.children.length > 0 ? { floating: this.floatingSplit.serialize() } : {}),
      'left-ribbon': { hiddenItems: {} },
      active: this.activeLeaf?.id ?? null,
      lastOpenFiles: this.lastOpenFiles.slice(0, 10),
    };
  }

  /** Many changes of one moment are announced once. */
  onLayoutChange(): void {
    if (!this.layoutReady || this.restoring) return;
    this.requestSaveLayout();
    if (this.changeAnnounced) return;
    this.changeAnnounced = true;
    queueMicrotask(() => {
      this.changeAnnounced = false;
      this.trigger('layout-change');
    });
  }

  protected noteOpened(file: TFile): void {
    this.lastOpenFiles.remove(file.path);
    this.lastOpenFiles.unshift(file.path);
    this.lastOpenFiles.length = Math.min(this.lastOpenFiles.length, REMEMBERED_FILES);
  }

  getLastOpenFiles(): string[] {
    return this.lastOpenFiles.filter((path) => this.app.vault.getFileByPath(path)).slice(0, 10);
  }

  getLeaf(newLeaf?: PaneType | boolean, direction: SplitDirection = 'vertical'): WorkspaceLeaf {
    if (!newLeaf) return this.getUnpinnedLeaf();
    if (newLeaf === 'window' && Platform.isDesktop) return this.openPopoutLeaf();
    if (newLeaf === 'split' && Platform.isDesktop) {
      const recent = this.getMostRecentLeaf() ?? this.createTab();
      return this.createLeafBySplit(recent, direction);
    }
    return this.createTab();
  }

  splitActiveLeaf(direction?: SplitDirection): WorkspaceLeaf {
    return this.getLeaf('split', direction);
  }

  getLeftLeaf(split: boolean): WorkspaceLeaf | null {
    return this.getSideLeaf('left', split);
  }

  getRightLeaf(split: boolean): WorkspaceLeaf | null {
    return this.getSideLeaf('right', split);
  }

  async ensureSideLeaf(
    type: string,
    side: Side,
    options: { active?: boolean; split?: boolean; reveal?: boolean; state?: unknown } = {},
  ): Promise<WorkspaceLeaf> {
    const { active = false, split = false, reveal = true, state } = options;
    let leaf = this.getLeavesOfType(type)[0];
    if (!leaf) {
      leaf = this.getSideLeaf(side, split);
      await leaf.setViewState({ type, state: (state ?? {}) as Record<string, unknown>, active });
    } else if (state !== undefined) {
      await leaf.setViewState({ ...leaf.getViewState(), state: state as Record<string, unknown>, active });
    }
    if (reveal) await this.revealLeaf(leaf);
    if (active) this.setActiveLeaf(leaf, { focus: true });
    return leaf;
  }

  async revealLeaf(leaf: WorkspaceLeaf): Promise<void> {
    const root = leaf.getRoot();
    leaf.parent.selectTab(leaf);
    if (root instanceof WorkspaceSidedock || root instanceof WorkspaceMobileDrawer) root.expand();
    else if (Platform.isMobile) for (const drawer of [this.leftSplit, this.rightSplit]) drawer.collapse();
    const container = leaf.getContainer();
    if (container instanceof WorkspaceWindow) container.win.focus();
    await leaf.loadIfDeferred();
    this.onLayoutChange();
  }

  async duplicateLeaf(
    leaf: WorkspaceLeaf,
    leafType?: PaneType | boolean | SplitDirection,
    direction?: SplitDirection,
  ): Promise<WorkspaceLeaf> {
    const old = leafType === 'vertical' || leafType === 'horizontal' ? leafType : null;
    const copy =
      old !== null || leafType === 'split' || leafType === undefined
        ? this.createLeafBySplit(leaf, old ?? direction)
        : this.getLeaf(leafType as PaneType | boolean);
    await copy.setViewState({ ...leaf.getViewState(), active: true }, leaf.getEphemeralState());
    return copy;
  }

  openPopoutLeaf(data?: WorkspaceWindowInitData): WorkspaceLeaf {
    const container = openPopout(this, data);
    return this.createLeafInParent(container, 0);
  }

  moveLeafToPopout(leaf: WorkspaceLeaf, data?: WorkspaceWindowInitData): WorkspaceWindow {
    const container = openPopout(this, data);
    const placeholder = this.createLeafInParent(container, 0);
    const group = placeholder.parent;
    leaf.parent.removeChild(leaf);
    group.insertChild(0, leaf);
    group.removeChild(placeholder);
    this.afterDetach(placeholder);
    notifyWindowMigrated(leaf.containerEl, container.win);
    this.setActiveLeaf(leaf, { focus: true });
    return container;
  }

  async openLinkText(
    linktext: string,
    sourcePath: string,
    newLeaf?: PaneType | boolean,
    openViewState: OpenViewState = {},
  ): Promise<void> {
    const { path, subpath } = parseLinktext(linktext);
    const file =
      path === ''
        ? this.app.vault.getFileByPath(sourcePath)
        : this.app.metadataCache.getFirstLinkpathDest(path, sourcePath);
    const target = file ?? (await this.createLinked(path, sourcePath));
    const eState = { ...openViewState.eState, ...(subpath ? { subpath } : {}) };
    if (Platform.isMobile) for (const drawer of [this.leftSplit, this.rightSplit]) drawer.collapse();
    await this.getLeaf(newLeaf).openFile(target, { ...openViewState, eState });
  }

  private async createLinked(path: string, sourcePath: string): Promise<TFile> {
    const { vault, fileManager } = this.app;
    const name = /\.[^./]+$/.test(path) ? path : `${path}.md`;
    const parent = name.includes('/') ? '' : fileManager.getNewFileParent(sourcePath, name).path;
    const full = parent === '' || parent === '/' ? name : `${parent}/${name}`;
    const folder = full.split('/').slice(0, -1).join('/');
    if (folder && !vault.getFolderByPath(folder)) await vault.createFolder(folder);
    return vault.create(full, '');
  }

  handleLinkContextMenu(menu: Menu, linktext: string, sourcePath: string, leaf?: WorkspaceLeaf): boolean {
    const { path } = parseLinktext(linktext);
    const file = this.app.metadataCache.getFirstLinkpathDest(path, sourcePath);
    const offer = (title: string, icon: string, leafType: PaneType | boolean): void => {
      menu.addItem((item) =>
        item
          .setSection('open')
          .setTitle(title)
          .setIcon(icon)
          .onClick(() => void this.openLinkText(linktext, sourcePath, leafType)),
      );
    };
    offer('Open link', 'file', false);
    offer('Open in new tab', 'file-plus', 'tab');
    offer('Open to the right', 'separator-vertical', 'split');
    if (file) this.trigger('file-menu', menu, file, 'link-context-menu', leaf);
    return file !== null;
  }

  updateOptions(): void {
    this.iterateAllLeaves((leaf) => {
      if (leaf.view instanceof MarkdownView) leaf.view.editMode.updateOptions();
    });
  }

  onResize(): void {
    this.iterateAllLeaves((leaf) => leaf.onResize());
    this.trigger('resize');
  }

  /** The best effort before the page goes: buffers and layout are written. */
  async quit(): Promise<void> {
    const tasks = new Tasks();
    this.trigger('quit', tasks);
    const saves = this.collectLeaves().map((leaf) =>
      leaf.view instanceof TextFileView ? leaf.view.save() : undefined,
    );
    this.requestSaveLayout.cancel();
    await Promise.all([...saves, tasks.promise(), writeLayout(this)]);
  }
}
