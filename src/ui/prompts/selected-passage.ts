/** A passage that is selected in a note, and why there is none. */
import { type App, type Editor, type MarkdownFileInfo, MarkdownView } from 'obsidian';
import { words } from '../../text';

export interface SelectedPassage {
  readonly path: string;
  readonly text: string;
  readonly editor: Editor;
  /** Offset of its first character in the editor. */
  readonly from: number;
}

/** Returns null when nothing is selected, and in reading view. */
export function selectedPassage(editor: Editor, info: MarkdownView | MarkdownFileInfo): SelectedPassage | null {
  const { file } = info;
  const text = editor.getSelection();
  if (file === null || isReadingView(info) || text.trim() === '') return null;
  return { path: file.path, text, editor, from: editor.posToOffset(editor.getCursor('from')) };
}

/** Returns the selection in the active editor; null if there is none. */
export function activePassage(app: App): SelectedPassage | null {
  const { activeEditor } = app.workspace;
  return activeEditor?.editor === undefined ? null : selectedPassage(activeEditor.editor, activeEditor);
}

/** Says why the selection of the active editor cannot be rewritten, and what to do; empty if it can be. */
export function problemOfSelection(app: App): string {
  const say = words.prompts;
  const { activeEditor } = app.workspace;
  const file = activeEditor?.file ?? app.workspace.getActiveFile();
  if (file === null) return say.rewriteNoNote;
  if (file.extension !== 'md') return say.rewriteNotMarkdown(file.path);
  if (activeEditor === null || isReadingView(activeEditor)) return say.rewriteReading(file.path);
  return activePassage(app) === null ? say.rewriteNothingSelected : '';
}

function isReadingView(info: MarkdownView | MarkdownFileInfo): boolean {
  return info instanceof MarkdownView && info.getMode() !== 'source';
}
