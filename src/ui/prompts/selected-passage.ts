/** A passage that is selected in a note, and its replacement in one step of the note's own undo history. */
import { type App, type Editor, type EditorPosition, type MarkdownFileInfo, MarkdownView } from 'obsidian';

export interface SelectedPassage {
  readonly path: string;
  readonly text: string;
  /** Replaces the passage; returns false and changes nothing if it has changed since, or its note is no longer open. */
  replace(wording: string): boolean;
}

/** Returns null when nothing is selected. */
export function selectedPassage(editor: Editor, info: MarkdownView | MarkdownFileInfo): SelectedPassage | null {
  const { file } = info;
  const text = editor.getSelection();
  if (file === null || text.trim() === '') return null;
  const range = { from: editor.getCursor('from'), to: editor.getCursor('to') };
  const { path } = file;
  return {
    path,
    text,
    replace: (wording) => {
      if (info.file !== file || (info instanceof MarkdownView && !info.containerEl.isConnected)) return false;
      const place = placeOf(editor, text, range);
      if (place === null) return false;
      editor.transaction({ changes: [{ ...place, text: wording }] }, 'docent.rewrite');
      return true;
    },
  };
}

/** Returns the selection in the active editor; null if there is none. */
export function passageInFront(app: App): SelectedPassage | null {
  const { activeEditor } = app.workspace;
  return activeEditor?.editor === undefined ? null : selectedPassage(activeEditor.editor, activeEditor);
}

interface Range {
  readonly from: EditorPosition;
  readonly to: EditorPosition;
}

/** Returns the passage's original range, or the only place to which it has moved. */
function placeOf(editor: Editor, text: string, range: Range): Range | null {
  if (editor.getRange(range.from, range.to) === text) return range;
  const whole = editor.getValue();
  const at = whole.indexOf(text);
  if (at < 0 || whole.includes(text, at + 1)) return null;
  return { from: editor.offsetToPos(at), to: editor.offsetToPos(at + text.length) };
}
