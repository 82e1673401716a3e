/** The file explorer: folders first, by name, drawn only where they are open. */
import { TFile, TFolder, type TAbstractFile } from '../vault/files';
import { setIcon } from '../controls/icons';
import { setTooltip } from '../windows/tooltip';
import { View } from '../workspace/view';
import type { WorkspaceLeaf } from '../workspace/leaf';
import { createFolder, createNote } from './create-note';
import { createRow, fillRow, type ExplorerHost } from './explorer-rows';

const BATCH = 300;
const REDRAW_DELAY = 30;

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export class FileExplorerView extends View implements ExplorerHost {
  private readonly listEl: HTMLElement;
  private readonly openPaths = new Set<string>(['/']);
  private readonly containers = new Map<string, HTMLElement>();
  private readonly stale = new Set<TFolder>();
  private redrawTimer: number | null = null;
  private descending = false;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    this.icon = 'folder-closed';
    const header = this.containerEl.createDiv('nav-header').createDiv('nav-buttons-container');
    const addButton = (icon: string, title: string, callback: () => unknown): void => {
      const button = header.createDiv('clickable-icon nav-action-button');
      setIcon(button, icon);
      setTooltip(button, title);
      button.addEventListener('click', () => void callback());
    };
    addButton('edit', 'New note', () => createNote(this.app));
    addButton('folder-plus', 'New folder', () => createFolder(this.app, this.app.vault.getRoot()));
    addButton('sort-asc', 'Change sort order', () => this.flipOrder());
    addButton('chevrons-down-up', 'Collapse all', () => this.collapseAll());
    this.listEl = this.containerEl.createDiv('nav-files-container node-insert-event show-unsupported').createDiv();
    this.drawVaultProfile();
  }

  /** The name of the vault, at the foot of the sidebar. */
  private drawVaultProfile(): void {
    const profile = this.containerEl.createDiv('workspace-sidedock-vault-profile');
    const name = profile.createDiv('workspace-drawer-vault-switcher');
    setIcon(name.createDiv('workspace-drawer-vault-switcher-icon'), 'chevrons-up-down');
    name.createDiv({ cls: 'workspace-drawer-vault-name', text: this.app.vault.getName() });
    const settings = profile.createDiv('workspace-drawer-vault-actions').createDiv('clickable-icon');
    setIcon(settings, 'settings');
    setTooltip(settings, 'Settings', { placement: 'top' });
    settings.addEventListener('click', () => this.app.setting.open());
  }

  getViewType(): string {
    return 'file-explorer';
  }

  getDisplayText(): string {
    return 'Files';
  }

  override onload(): void {
    const { vault, workspace } = this.app;
    this.registerEvent(vault.on('create', (file: TAbstractFile) => this.markStale(file.parent)));
    this.registerEvent(vault.on('delete', (file: TAbstractFile) => this.onDelete(file)));
    this.registerEvent(vault.on('rename', (file: TAbstractFile, oldPath: string) => this.onRename(file, oldPath)));
    this.registerEvent(workspace.on('file-open', (file: TFile | null) => this.markActive(file, true)));
    this.register(() => {
      if (this.redrawTimer !== null) workspace.window.clearTimeout(this.redrawTimer);
    });
    const kept = this.app.loadLocalStorage('file-explorer-open') as string[] | null;
    for (const path of kept ?? []) this.openPaths.add(path);
    this.drawChildren(vault.getRoot(), this.listEl);
    this.markActive(workspace.getActiveFile(), true);
  }

  private sortChildren(folder: TFolder): TAbstractFile[] {
    const direction = this.descending ? -1 : 1;
    return folder.children.slice().sort((a, b) => {
      const [aFolder, bFolder] = [a instanceof TFolder, b instanceof TFolder];
      if (aFolder !== bFolder) return aFolder ? -1 : 1;
      return direction * collator.compare(a.name, b.name);
    });
  }

  /** Long folders are drawn in batches, the next one when the end comes into view. */
  private drawChildren(folder: TFolder, el: HTMLElement): void {
    el.empty();
    this.containers.set(folder.path, el);
    const children = this.sortChildren(folder);
    const drawFrom = (start: number): void => {
      for (const child of children.slice(start, start + BATCH)) this.drawRow(child, el);
      if (children.length > start + BATCH) this.drawMore(el, () => drawFrom(start + BATCH));
    };
    drawFrom(0);
  }

  private drawMore(el: HTMLElement, draw: () => void): void {
    const more = el.createDiv({ cls: 'nav-more tree-item-self', text: 'Show more' });
    const advance = (): void => {
      if (!more.isConnected) return;
      more.remove();
      draw();
      this.markActive(this.app.workspace.getActiveFile(), false);
    };
    more.addEventListener('click', advance);
    const { IntersectionObserver: Observer } = el.win as unknown as {
      IntersectionObserver?: typeof IntersectionObserver;
    };
    if (!Observer) return;
    const observer = new Observer((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      advance();
    });
    observer.observe(more);
  }

  private drawRow(file: TAbstractFile, el: HTMLElement): void {
    const row = createRow(this, file, el);
    if (!(file instanceof TFolder)) return;
    const inner = row.createDiv('tree-item-children nav-folder-children');
    this.showFolder(file, row, inner, this.openPaths.has(file.path));
  }

  private showFolder(folder: TFolder, row: HTMLElement, inner: HTMLElement, open: boolean): void {
    row.toggleClass('is-collapsed', !open);
    row.querySelector('.collapse-icon')?.toggleClass('is-collapsed', !open);
    inner.toggle(open);
    if (open) this.drawChildren(folder, inner);
    else {
      inner.empty();
      this.containers.delete(folder.path);
    }
  }

  toggleFolder(folder: TFolder, row: HTMLElement): void {
    const inner = row.querySelector<HTMLElement>(':scope > .nav-folder-children');
    if (!inner) return;
    const open = !this.openPaths.has(folder.path);
    if (open) this.openPaths.add(folder.path);
    else this.openPaths.delete(folder.path);
    this.showFolder(folder, row, inner, open);
    this.keepOpen();
    this.markActive(this.app.workspace.getActiveFile(), false);
  }

  private keepOpen(): void {
    this.app.saveLocalStorage('file-explorer-open', [...this.openPaths].slice(0, 500));
  }

  private collapseAll(): void {
    this.openPaths.clear();
    this.openPaths.add('/');
    this.keepOpen();
    this.drawChildren(this.app.vault.getRoot(), this.listEl);
  }

  private flipOrder(): void {
    this.descending = !this.descending;
    this.drawChildren(this.app.vault.getRoot(), this.listEl);
    this.markActive(this.app.workspace.getActiveFile(), false);
  }

  private onDelete(file: TAbstractFile): void {
    this.openPaths.delete(file.path);
    const row = this.findRow(file.path);
    if (row) row.parentElement?.remove();
    else this.markStale(file.parent);
  }

  private onRename(file: TAbstractFile, oldPath: string): void {
    if (this.openPaths.delete(oldPath)) this.openPaths.add(file.path);
    const slash = oldPath.lastIndexOf('/');
    const before = slash < 0 ? this.app.vault.getRoot() : this.app.vault.getFolderByPath(oldPath.slice(0, slash));
    if (before !== file.parent) this.markStale(before);
    this.markStale(file.parent);
  }

  private markStale(folder: TFolder | null): void {
    if (!folder) return;
    this.stale.add(folder);
    this.redrawTimer ??= this.app.workspace.window.setTimeout(() => {
      this.redrawTimer = null;
      this.redrawStale();
    }, REDRAW_DELAY);
  }

  private redrawStale(): void {
    const folders = [...this.stale];
    this.stale.clear();
    for (const folder of folders) {
      const el = this.containers.get(folder.path);
      if (el?.isConnected) this.drawChildren(folder, el);
    }
    this.markActive(this.app.workspace.getActiveFile(), false);
  }

  private findRow(path: string): HTMLElement | null {
    return this.listEl.querySelector<HTMLElement>(`[data-path=${JSON.stringify(path)}]`);
  }

  private markActive(file: TFile | null, reveal: boolean): void {
    for (const el of Array.from(this.listEl.querySelectorAll('.is-active'))) el.removeClass('is-active');
    if (!file) return;
    if (reveal) this.revealParents(file);
    this.findRow(file.path)?.addClass('is-active');
  }

  private revealParents(file: TFile): void {
    const parents: TFolder[] = [];
    for (let folder = file.parent; folder && !folder.isRoot(); folder = folder.parent) parents.unshift(folder);
    for (const folder of parents) {
      const row = this.findRow(folder.path)?.parentElement;
      if (row && !this.openPaths.has(folder.path)) this.toggleFolder(folder, row);
    }
  }

  /** Puts an input in place of the name. */
  startRename(file: TAbstractFile): void {
    const row = this.findRow(file.path);
    if (row) fillRow(this, file, row, true);
  }
}
