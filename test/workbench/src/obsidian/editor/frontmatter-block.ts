/** Hides the frontmatter in a live preview, where the properties block is shown above the text. */
import { StateField, type EditorState } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';
import { editorLivePreviewField } from './editor-fields';

/** The offset just behind the closing fence, or 0. */
export function findFrontmatterEnd(text: string): number {
  const match = /^---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?=\r?\n|$)/.exec(text);
  return match ? match[0].length : 0;
}

function build(state: EditorState): DecorationSet {
  if (!state.field(editorLivePreviewField)) return Decoration.none;
  const end = findFrontmatterEnd(state.doc.toString());
  if (end === 0) return Decoration.none;
  return Decoration.set([Decoration.replace({ block: true }).range(0, Math.min(end, state.doc.length))]);
}

export const frontmatterBlock = StateField.define<DecorationSet>({
  create: (state) => build(state),
  update: (value, transaction) => {
    const mode =
      transaction.startState.field(editorLivePreviewField) !== transaction.state.field(editorLivePreviewField);
    return transaction.docChanged || mode ? build(transaction.state) : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});
