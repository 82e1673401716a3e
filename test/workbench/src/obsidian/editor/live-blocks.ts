/** Shows callouts, tables and embeds as they will read, wherever the cursor is not inside them. */
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { StateField, type EditorState, type Range } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import { Component } from '../base/component';
import { renderMarkdown } from '../markdown/renderer';
import { editorInfoField, editorLivePreviewField } from './editor-fields';

const PARSE_BUDGET = 50;
const owners = new WeakMap<HTMLElement, Component>();

class RenderedBlock extends WidgetType {
  constructor(
    readonly text: string,
    readonly sourcePath: string,
  ) {
    super();
  }

  override eq(other: RenderedBlock): boolean {
    return other.text === this.text && other.sourcePath === this.sourcePath;
  }

  toDOM(view: EditorView): HTMLElement {
    const info = view.state.field(editorInfoField);
    const el = view.dom.ownerDocument.createElement('div');
    el.className = 'cm-embed-block markdown-rendered';
    const owner = new Component();
    void owner.load();
    owners.set(el, owner);
    void renderMarkdown(this.text, el, { app: info.app, sourcePath: this.sourcePath, component: owner }).then(() =>
      view.requestMeasure(),
    );
    el.addEventListener('mousedown', (event) => {
      if ((event.target as Element).closest('a, input, button, .callout-fold')) return;
      event.preventDefault();
      view.dispatch({ selection: { anchor: view.posAtDOM(el) } });
      view.focus();
    });
    return el;
  }

  override destroy(el: HTMLElement): void {
    owners.get(el)?.unload();
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function isShownAsBlock(name: string, text: string): boolean {
  if (name === 'Table') return true;
  if (name === 'Blockquote') return /^>\s*\[![^\]]+\]/.test(text);
  return name === 'Paragraph' && /^!\[\[[^\]\n]+\]\]$/.test(text.trim());
}

function build(state: EditorState): DecorationSet {
  if (!state.field(editorLivePreviewField)) return Decoration.none;
  const sourcePath = (state.field(editorInfoField) as { file: { path: string } | null } | null)?.file?.path ?? '';
  const found: Range<Decoration>[] = [];
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_BUDGET) ?? syntaxTree(state);
  for (let node = tree.topNode.firstChild; node; node = node.nextSibling) {
    const from = state.doc.lineAt(node.from).from;
    const to = state.doc.lineAt(node.to).to;
    if (state.selection.ranges.some((range) => range.from <= to && range.to >= from)) continue;
    const text = state.sliceDoc(from, to);
    if (!isShownAsBlock(node.name, text)) continue;
    found.push(Decoration.replace({ widget: new RenderedBlock(text, sourcePath), block: true }).range(from, to));
  }
  return Decoration.set(found);
}

export const liveBlocks = StateField.define<DecorationSet>({
  create: (state) => build(state),
  update: (value, transaction) => {
    const { startState, state } = transaction;
    const mode = startState.field(editorLivePreviewField) !== state.field(editorLivePreviewField);
    const parsed = syntaxTree(startState) !== syntaxTree(state);
    return transaction.docChanged || transaction.selection || mode || parsed ? build(state) : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});
