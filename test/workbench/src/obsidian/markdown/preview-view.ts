/** The reading side of a note. */
import { Component } from '../base/component';
import type { TFile } from '../vault/files';
import { renderNoteHead } from '../editor/note-head';
import type { MarkdownView } from '../workspace/markdown-view';
import { bindLinkEvents } from './link-events';
import { markUnresolved } from './decorate-rendered';
import { MarkdownRenderer, renderMarkdown } from './renderer';

export class MarkdownPreviewView extends MarkdownRenderer {
  private readonly scrollEl: HTMLElement;
  private readonly headEl: HTMLElement;
  private readonly bodyEl: HTMLElement;
  private text = '';
  private shown: string | null = null;
  private run = 0;
  private rendered: Promise<void> = Promise.resolve();
  private owner: Component | null = null;

  constructor(readonly view: MarkdownView) {
    super(view.contentEl.createDiv('markdown-reading-view'));
    this.app = view.app;
    this.scrollEl = this.containerEl.createDiv({
      cls: 'markdown-preview-view markdown-rendered node-insert-event is-readable-line-width allow-fold-headings show-properties',
      attr: { tabindex: '-1' },
    });
    const sizer = this.scrollEl.createDiv('markdown-preview-sizer markdown-preview-section');
    this.headEl = sizer.createDiv('note-head mod-header');
    this.bodyEl = sizer.createDiv('note-body');
    bindLinkEvents(this.app, this.containerEl, () => this.view.file?.path ?? '', this.view, 'preview');
    this.bodyEl.addEventListener('click', (event) => this.onTaskClick(event));
  }

  get file(): TFile | null {
    return this.view.file;
  }

  get(): string {
    return this.text;
  }

  set(data: string, _clear: boolean): void {
    this.text = data;
    if (this.view.getMode() === 'preview') this.rerender();
  }

  clear(): void {
    this.text = '';
    this.shown = null;
    this.run += 1;
    this.bodyEl.empty();
  }

  rerender(full = false): void {
    const { file } = this;
    if (!file) return;
    const key = `${file.path}\n${this.text}`;
    if (!full && this.shown === key) return;
    this.shown = key;
    this.run += 1;
    this.rendered = this.draw(this.run, file);
  }

  whenRendered(): Promise<void> {
    return this.rendered;
  }

  /** Renders into a detached element and swaps it in, so that a newer run never mixes with an older one. */
  private async draw(run: number, file: TFile): Promise<void> {
    renderNoteHead(this.app, this.headEl, file, this.text, true);
    const owner = new Component();
    owner.load();
    const box = this.bodyEl.doc.createElement('div');
    await renderMarkdown(this.text, box, { app: this.app, sourcePath: file.path, component: owner, sections: true });
    if (run !== this.run) {
      owner.unload();
      return;
    }
    this.owner?.unload();
    this.owner = owner;
    const scroll = this.scrollEl.scrollTop;
    this.bodyEl.setChildrenInPlace(Array.from(box.childNodes));
    this.scrollEl.scrollTop = scroll;
  }

  override onunload(): void {
    this.run += 1;
    this.owner?.unload();
    this.owner = null;
  }

  updateLinks(): void {
    if (this.file && this.shown !== null) markUnresolved(this.app, this.bodyEl, this.file.path);
  }

  getScroll(): number {
    return this.scrollEl.scrollTop;
  }

  applyScroll(scroll: number): void {
    this.scrollEl.scrollTop = scroll;
  }

  scrollToLine(line: number): void {
    const sections = Array.from(this.bodyEl.querySelectorAll<HTMLElement>(':scope > [data-line]'));
    const target = sections.filter((section) => Number(section.dataset['line']) <= line).pop();
    // jsdom has no layout and no such method.
    (target?.scrollIntoView as (() => void) | undefined)?.call(target);
  }

  /** Ticking a box in reading view changes the note. */
  private onTaskClick(event: MouseEvent): void {
    const box = event.target as HTMLInputElement;
    const { file } = this;
    if (!file || !box.classList.contains('task-list-item-checkbox') || box.closest('.internal-embed')) return;
    const boxes = Array.from(this.bodyEl.querySelectorAll('.task-list-item-checkbox')).filter(
      (one) => !one.closest('.internal-embed'),
    );
    const index = boxes.indexOf(box);
    let seen = -1;
    const text = this.view
      .getViewData()
      .replace(
        /^(\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[)(.)(\]\s)/gm,
        (whole, open: string, mark: string, close: string) => {
          seen += 1;
          return seen === index ? `${open}${mark === ' ' ? 'x' : ' '}${close}` : whole;
        },
      );
    void this.app.vault.modify(file, text);
  }
}
