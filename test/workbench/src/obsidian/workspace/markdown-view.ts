/** A note in a leaf: live preview, source or reading view over one buffer. */
import type { ViewStateResult } from 'obsidian';
import { openSearchPanel } from '@codemirror/search';
import type { TFile } from '../vault/files';
import { MarkdownPreviewView } from '../markdown/preview-view';
import { setIcon } from '../controls/icons';
import { setTooltip } from '../windows/tooltip';
import type { HoverPopover } from '../windows/popover';
import type { Menu } from '../windows/menu';
import type { CodeMirrorEditor } from '../editor/codemirror-editor';
import type { WorkspaceLeaf } from './leaf';
import { MarkdownEditView } from '../editor/markdown-edit-view';
import { TextFileView } from './text-file-view';

export type MarkdownViewMode = 'source' | 'preview';

export class MarkdownView extends TextFileView {
  editor: CodeMirrorEditor;
  editMode: MarkdownEditView;
  previewMode: MarkdownPreviewView;
  currentMode: MarkdownEditView | MarkdownPreviewView;
  hoverPopover: HoverPopover | null = null;
  isLivePreview = true;
  private mode: MarkdownViewMode = 'source';
  private readonly modeButtonEl: HTMLElement;
  private headTimer: number | null = null;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    this.icon = 'lucide-file';
    this.editMode = new MarkdownEditView(this);
    this.editor = this.editMode.editor;
    this.previewMode = new MarkdownPreviewView(this);
    this.currentMode = this.editMode;
    this.previewMode.containerEl.toggle(false);
    this.modeButtonEl = this.addAction('book-open', 'Current view: editing', () => void this.toggleMode());
    this.containerEl.setAttr('data-mode', 'source');
  }

  override onload(): void {
    super.onload();
    this.addChild(this.previewMode);
    this.registerEvent(this.app.metadataCache.on('resolved', () => this.previewMode.updateLinks()));
  }

  protected override async onOpen(): Promise<void> {
    await super.onOpen();
    this.editMode.settle();
  }

  getViewType(): string {
    return 'markdown';
  }

  getMode(): MarkdownViewMode {
    return this.mode;
  }

  override getState(): Record<string, unknown> {
    return { ...super.getState(), mode: this.mode, source: !this.isLivePreview };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    const { mode, source } = (state ?? {}) as { mode?: unknown; source?: unknown };
    await super.setState(state, result);
    if (typeof source === 'boolean' && source === this.isLivePreview) {
      this.isLivePreview = !source;
      this.editMode.updateMode();
    }
    if (mode === 'source' || mode === 'preview') this.showMode(mode);
    if (this.mode === 'preview') await this.previewMode.whenRendered();
  }

  override getEphemeralState(): Record<string, unknown> {
    const cursor = { from: this.editor.getCursor('anchor'), to: this.editor.getCursor('head') };
    return { cursor, scroll: this.currentMode.getScroll() };
  }

  override setEphemeralState(state: unknown): void {
    const { cursor, scroll, line, subpath, focus } = (state ?? {}) as {
      cursor?: { from: { line: number; ch: number }; to: { line: number; ch: number } };
      scroll?: number;
      line?: number;
      subpath?: string;
      focus?: boolean;
    };
    if (cursor) this.editor.setSelection(cursor.from, cursor.to);
    if (typeof scroll === 'number') this.currentMode.applyScroll(scroll);
    const target = line ?? (subpath ? this.findSubpathLine(subpath) : null);
    if (target !== null) {
      this.editor.setCursor(target, 0);
      this.editor.scrollIntoView({ from: { line: target, ch: 0 }, to: { line: target, ch: 0 } }, true);
      this.previewMode.scrollToLine(target);
    }
    if (focus) this.focus();
  }

  private findSubpathLine(subpath: string): number | null {
    const wanted = subpath.replace(/^#/, '');
    const lines = this.getViewData().split('\n');
    const found = wanted.startsWith('^')
      ? lines.findIndex((line) => line.trimEnd().endsWith(wanted))
      : lines.findIndex(
          (line) => /^#{1,6}\s/.test(line) && line.replace(/^#+\s+/, '').trim() === wanted.split('#').pop(),
        );
    return found < 0 ? null : found;
  }

  override focus(): void {
    if (this.mode === 'source') this.editor.focus();
    else
      this.previewMode.containerEl.querySelector<HTMLElement>('.markdown-preview-view')?.focus({ preventScroll: true });
  }

  getViewData(): string {
    return this.editMode.get();
  }

  setViewData(data: string, clear: boolean): void {
    this.editMode.set(data, clear);
    this.previewMode.set(data, clear);
  }

  clear(): void {
    this.editMode.clear();
    this.previewMode.clear();
  }

  /** Called for changes made in this editor, not for text loaded from disk. */
  onEditorChange(): void {
    this.data = this.getViewData();
    this.requestSave();
    if (this.file) this.app.workspace.trigger('quick-preview', this.file, this.data);
    if (this.headTimer !== null) return;
    this.headTimer = this.app.workspace.window.setTimeout(() => {
      this.headTimer = null;
      this.editMode.updateHead();
    }, 200);
  }

  async toggleMode(): Promise<void> {
    this.showMode(this.mode === 'source' ? 'preview' : 'source');
    this.app.workspace.onLayoutChange();
    await this.previewMode.whenRendered();
  }

  private showMode(mode: MarkdownViewMode): void {
    const preview = mode === 'preview';
    this.mode = mode;
    this.currentMode = preview ? this.previewMode : this.editMode;
    this.editMode.containerEl.toggle(!preview);
    this.previewMode.containerEl.toggle(preview);
    this.containerEl.setAttr('data-mode', mode);
    if (preview) this.previewMode.set(this.getViewData(), false);
    this.modeButtonEl.empty();
    setIcon(this.modeButtonEl, preview ? 'edit-3' : 'book-open');
    setTooltip(this.modeButtonEl, preview ? 'Current view: reading' : 'Current view: editing');
  }

  showSearch(_replace = false): void {
    openSearchPanel(this.editMode.cm);
  }

  override async onRename(file: TFile): Promise<void> {
    await super.onRename(file);
    this.editMode.updateHead();
    this.previewMode.rerender();
  }

  override onPaneMenu(menu: Menu, source: string): void {
    if (source === 'more-options') {
      menu.addItem((item) =>
        item
          .setSection('pane')
          .setTitle('Reading view')
          .setIcon('book-open')
          .setChecked(this.mode === 'preview')
          .onClick(() => void this.toggleMode()),
      );
      menu.addItem((item) =>
        item
          .setSection('pane')
          .setTitle('Source mode')
          .setIcon('code')
          .setChecked(!this.isLivePreview)
          .onClick(() => void this.setState({ source: this.isLivePreview }, { history: false })),
      );
    }
    super.onPaneMenu(menu, source);
  }

  protected override async onClose(): Promise<void> {
    await super.onClose();
    if (this.headTimer !== null) this.app.workspace.window.clearTimeout(this.headTimer);
    this.editMode.destroy();
  }
}
