/** A view over a text file with a buffer that is saved late, and that meets changes made elsewhere. */
import type { TFile } from '../vault/files';
import { EditableFileView } from './file-view';
import { mergeTexts } from '../editor/merge-texts';

export abstract class TextFileView extends EditableFileView {
  data = '';
  /** What the file held when this view last read or wrote it. */
  protected lastSavedData: string | null = null;
  protected dirty = false;
  private saveTimer: number | null = null;
  private saving: Promise<void> = Promise.resolve();

  requestSave = (): void => {
    this.dirty = true;
    const win = this.app.workspace.window;
    if (this.saveTimer !== null) win.clearTimeout(this.saveTimer);
    this.saveTimer = win.setTimeout(() => {
      this.saveTimer = null;
      void this.save();
    }, this.app.chaos.saveDelay());
  };

  abstract getViewData(): string;
  abstract setViewData(data: string, clear: boolean): void;
  abstract clear(): void;

  override onload(): void {
    super.onload();
    this.registerEvent(
      this.app.vault.on('modify', (file) => {
        if (file === this.file) void this.onModify();
      }),
    );
  }

  override async onLoadFile(file: TFile): Promise<void> {
    const data = await this.app.vault.read(file);
    if (this.file !== file) return;
    this.dirty = false;
    this.lastSavedData = data;
    this.data = data;
    this.setViewData(data, true);
  }

  override async onUnloadFile(_file: TFile): Promise<void> {
    await this.save(true);
  }

  protected override async onFileDeleted(): Promise<void> {
    this.cancelSave();
    this.dirty = false;
  }

  /** Writes the buffer now; resolves when it is on disk. */
  save(clear = false): Promise<void> {
    this.cancelSave();
    const { file } = this;
    if (this.dirty && file) {
      this.dirty = false;
      const data = this.getViewData();
      this.data = data;
      this.saving = this.saving.then(() => this.write(file, data));
    }
    const saved = this.saving;
    if (!clear) return saved;
    return saved.then(() => {
      this.data = '';
      this.lastSavedData = null;
      this.clear();
    });
  }

  private async write(file: TFile, data: string): Promise<void> {
    if (data === this.lastSavedData) return;
    this.lastSavedData = data;
    try {
      await this.app.vault.modify(file, data);
    } catch (error) {
      this.lastSavedData = null;
      this.dirty = true;
      console.error(`Could not save ${file.path}`, error);
    }
  }

  private cancelSave(): void {
    if (this.saveTimer !== null) this.app.workspace.window.clearTimeout(this.saveTimer);
    this.saveTimer = null;
  }

  /** A clean buffer takes the new text; a dirty one takes it only where nothing was typed. */
  private async onModify(): Promise<void> {
    const { file } = this;
    if (!file) return;
    await this.saving;
    const base = this.lastSavedData;
    const theirs = await this.app.vault.read(file);
    if (this.file !== file || theirs === this.lastSavedData) return;
    if (!this.dirty) {
      this.adopt(theirs, theirs);
      return;
    }
    const merged = mergeTexts(base ?? '', this.getViewData(), theirs);
    if (merged !== null) this.adopt(merged, theirs);
    else this.lastSavedData = theirs;
    this.requestSave();
  }

  private adopt(data: string, saved: string): void {
    this.lastSavedData = saved;
    this.data = data;
    this.setViewData(data, false);
  }
}
