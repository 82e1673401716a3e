/** The editing side of a note: CodeMirror under the note's title and properties. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { codeFolding } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Transaction } from '@codemirror/state';
import { drawSelection, EditorView, keymap, type ViewUpdate } from '@codemirror/view';
import type { App } from '../app/app';
import type { TFile } from '../vault/files';
import type { HoverPopover } from '../windows/popover';
import { CodeMirrorEditor } from './codemirror-editor';
import {
  editorEditorField,
  editorInfoField,
  editorLivePreviewField,
  livePreviewState,
  setEditorView,
  setLivePreview,
  type MarkdownFileInfo,
} from './editor-fields';
import { bindEditorEvents } from './editor-events';
import { frontmatterBlock } from './frontmatter-block';
import { liveBlocks } from './live-blocks';
import { livePreview } from './live-preview';
import { findEdit } from './merge-texts';
import { renderNoteHead } from './note-head';
import type { MarkdownView } from '../workspace/markdown-view';

export class MarkdownEditView implements MarkdownFileInfo {
  app: App;
  hoverPopover: HoverPopover | null = null;
  containerEl: HTMLElement;
  editor: CodeMirrorEditor;
  private readonly headEl: HTMLElement;
  private readonly extensions = new Compartment();
  private readonly scrollEl: HTMLElement;

  constructor(readonly view: MarkdownView) {
    this.app = view.app;
    this.containerEl = view.contentEl.createDiv('markdown-source-view cm-s-obsidian mod-cm6 is-live-preview');
    this.scrollEl = this.containerEl.createDiv('cm-sizer');
    this.headEl = this.scrollEl.createDiv('note-head');
    const host = this.scrollEl.createDiv('cm-contentContainer');
    const cm = new EditorView({ parent: host, state: this.createState('') });
    this.editor = new CodeMirrorEditor(cm, this.scrollEl);
    cm.dispatch({ effects: setEditorView.of(cm) });
    this.containerEl.onWindowMigrated((win) => cm.setRoot(win.document));
    bindEditorEvents(this);
  }

  /**
   * Attaches CodeMirror to its document. It was created before it was in one, and its selection belongs to that
   * document's window.
   */
  settle(): void {
    this.cm.setRoot(this.containerEl.doc);
  }

  get file(): TFile | null {
    return this.view.file;
  }

  get cm(): EditorView {
    return this.editor.cm;
  }

  private createState(doc: string): EditorState {
    return EditorState.create({
      doc,
      extensions: [
        editorInfoField.init(() => this.view),
        editorEditorField,
        editorLivePreviewField.init(() => this.view.isLivePreview),
        livePreviewState,
        history(),
        drawSelection(),
        codeFolding(),
        EditorState.allowMultipleSelections.of(true),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ spellcheck: 'false', autocapitalize: 'on' }),
        this.extensions.of(this.app.workspace.editorExtensions),
        frontmatterBlock,
        markdown({ base: markdownLanguage, addKeymap: true }),
        livePreview,
        liveBlocks,
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => this.onUpdate(update)),
      ],
    });
  }

  private onUpdate(update: ViewUpdate): void {
    const { workspace } = this.app;
    if (update.docChanged) {
      const loaded = update.transactions.some((transaction) => transaction.annotation(Transaction.remote) === true);
      if (!loaded) this.view.onEditorChange();
      workspace.trigger('editor-change', this.editor, this.view);
    }
    if (update.docChanged || update.selectionSet) {
      workspace.trigger('editor-selection-change', this.editor, this.view);
      const typed = update.transactions.some(
        (transaction) => transaction.isUserEvent('input') || transaction.isUserEvent('delete'),
      );
      if (this.file) workspace.editorSuggest.trigger(this.editor, this.file, typed);
    }
  }

  updateOptions(): void {
    this.cm.dispatch({ effects: this.extensions.reconfigure(this.app.workspace.editorExtensions) });
  }

  updateMode(): void {
    this.containerEl.toggleClass('is-live-preview', this.view.isLivePreview);
    this.cm.dispatch({ effects: setLivePreview.of(this.view.isLivePreview) });
    this.updateHead();
  }

  updateHead(): void {
    renderNoteHead(this.app, this.headEl, this.file, this.get(), this.view.isLivePreview);
  }

  get(): string {
    return this.cm.state.doc.toString();
  }

  /** `clear` starts a new history; otherwise only the differing stretch is replaced, so the cursor stays. */
  set(data: string, clear: boolean): void {
    if (clear) {
      this.cm.setState(this.createState(data));
      this.cm.dispatch({ effects: setEditorView.of(this.cm) });
      this.scrollEl.scrollTop = 0;
    } else {
      // The editor uses `\n` as its line break even if the file has others.
      const { from, to, text } = findEdit(this.get(), data.replace(/\r\n?/g, '\n'));
      if (from !== to || text) {
        this.cm.dispatch({ changes: { from, to, insert: text }, annotations: Transaction.remote.of(true) });
      }
    }
    this.updateHead();
  }

  clear(): void {
    this.set('', true);
  }

  getSelection(): string {
    return this.editor.getSelection();
  }

  getScroll(): number {
    return this.scrollEl.scrollTop;
  }

  applyScroll(scroll: number): void {
    this.scrollEl.scrollTop = scroll;
  }

  destroy(): void {
    this.cm.destroy();
    this.containerEl.remove();
  }
}
