/** Images, sound, films and other files in a leaf. */
import type { TFile } from '../vault/files';
import type { WorkspaceLeaf } from '../workspace/leaf';
import { FileView } from '../workspace/file-view';
import { TextFileView } from '../workspace/text-file-view';

export const MEDIA_EXTENSIONS = {
  image: ['png', 'jpg', 'jpeg', 'gif', 'svg', 'webp', 'avif', 'bmp'],
  audio: ['mp3', 'wav', 'm4a', 'ogg', 'flac', '3gp'],
  video: ['mp4', 'webm', 'ogv', 'mov', 'mkv'],
  pdf: ['pdf'],
} as const;

export type MediaKind = keyof typeof MEDIA_EXTENSIONS;

const TAGS = { image: 'img', audio: 'audio', video: 'video', pdf: 'iframe' } as const;

export class MediaView extends FileView {
  constructor(
    leaf: WorkspaceLeaf,
    private readonly kind: MediaKind,
  ) {
    super(leaf);
    this.icon = kind === 'image' ? 'image' : 'file';
  }

  getViewType(): string {
    return this.kind;
  }

  override async onLoadFile(file: TFile): Promise<void> {
    this.contentEl.empty();
    const box = this.contentEl.createDiv(`${this.kind}-container`);
    const src = this.app.vault.getResourcePath(file);
    box.createEl(TAGS[this.kind], { attr: { src, ...(this.kind === 'image' ? {} : { controls: '' }) } });
  }

  override canAcceptExtension(extension: string): boolean {
    return (MEDIA_EXTENSIONS[this.kind] as readonly string[]).includes(extension);
  }
}

/** Text formats without a drawing of their own here: canvas, bases and the like, as their plain text. */
export class PlainTextView extends TextFileView {
  private readonly inputEl: HTMLTextAreaElement;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly type: string,
  ) {
    super(leaf);
    this.inputEl = this.contentEl.createEl('textarea', { cls: 'plain-text-view' });
    this.inputEl.addEventListener('input', () => this.requestSave());
  }

  getViewType(): string {
    return this.type;
  }

  getViewData(): string {
    return this.inputEl.value;
  }

  setViewData(data: string): void {
    this.inputEl.value = data;
  }

  clear(): void {
    this.inputEl.value = '';
  }
}
