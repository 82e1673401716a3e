/** Views bound to one file: they follow its renames and leave when it is deleted. */
import type { ViewStateResult } from 'obsidian';
import type { TAbstractFile, TFile } from '../vault/files';
import { Menu } from '../windows/menu';
import { ItemView } from './view';

export abstract class FileView extends ItemView {
  allowNoFile = false;
  file: TFile | null = null;
  override navigation = true;

  getDisplayText(): string {
    return this.file ? this.file.basename : 'No file';
  }

  override onload(): void {
    super.onload();
    const { vault } = this.app;
    this.registerEvent(vault.on('rename', (file: TAbstractFile) => this.onVaultRename(file)));
    this.registerEvent(vault.on('delete', (file: TAbstractFile) => void this.onVaultDelete(file)));
  }

  override getState(): Record<string, unknown> {
    return { ...super.getState(), file: this.file?.path ?? null };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    await super.setState(state, result);
    const path = (state as { file?: unknown } | null)?.file;
    if (path === undefined) return;
    const file = typeof path === 'string' ? this.app.vault.getFileByPath(path) : null;
    if (file === this.file) return;
    if (this.file) result.history = true;
    await this.loadFile(file);
  }

  private async loadFile(file: TFile | null): Promise<void> {
    const before = this.file;
    if (before) await this.onUnloadFile(before);
    this.file = file;
    if (file) await this.onLoadFile(file);
    this.leaf.updateHeader();
  }

  async onLoadFile(_file: TFile): Promise<void> {}
  async onUnloadFile(_file: TFile): Promise<void> {}

  async onRename(_file: TFile): Promise<void> {
    this.leaf.updateHeader();
  }

  canAcceptExtension(_extension: string): boolean {
    return false;
  }

  protected override async onClose(): Promise<void> {
    if (this.file) await this.onUnloadFile(this.file);
    this.file = null;
    await super.onClose();
  }

  private onVaultRename(file: TAbstractFile): void {
    if (!this.file) return;
    if (file === this.file) void this.onRename(this.file);
    else if (this.file.path.startsWith(`${file.path}/`)) this.leaf.updateHeader();
  }

  /** The buffer of a deleted file is dropped, not written: writing would bring the file back. */
  private async onVaultDelete(file: TAbstractFile): Promise<void> {
    if (file !== this.file) return;
    this.file = null;
    await this.onFileDeleted();
    if (!this.allowNoFile) this.leaf.detach();
  }

  protected async onFileDeleted(): Promise<void> {}

  override updateTitle(): void {
    super.updateTitle();
    this.titleParentEl.empty();
    const folders = this.file?.parent && !this.file.parent.isRoot() ? this.file.parent.path.split('/') : [];
    for (const folder of folders) {
      this.titleParentEl.createSpan({ cls: 'view-header-breadcrumb', text: folder });
      this.titleParentEl.createSpan({ cls: 'view-header-breadcrumb-separator', text: '/' });
    }
  }

  override onPaneMenu(menu: Menu, source: string): void {
    super.onPaneMenu(menu, source);
    const { file } = this;
    if (!file) return;
    menu.addItem((item) =>
      item
        .setSection('danger')
        .setTitle('Delete file')
        .setIcon('trash-2')
        .setWarning(true)
        .onClick(() => void this.app.fileManager.promptForDeletion(file)),
    );
    this.app.workspace.trigger(
      'file-menu',
      menu,
      file,
      source === 'tab-header' ? 'tab-header' : 'pane-more-options',
      this.leaf,
    );
  }
}

export abstract class EditableFileView extends FileView {}
