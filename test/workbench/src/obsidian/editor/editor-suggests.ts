/** The suggesters that editors ask after each change. */
import type { TFile } from '../vault/files';
import { triggerEditorSuggests, type EditorSuggest } from '../suggest/editor-suggest';
import type { CodeMirrorEditor } from './codemirror-editor';

export class EditorSuggests {
  readonly suggests: EditorSuggest<unknown>[] = [];

  addSuggest(suggest: EditorSuggest<unknown>): void {
    this.suggests.push(suggest);
  }

  removeSuggest(suggest: EditorSuggest<unknown>): void {
    suggest.close();
    this.suggests.remove(suggest);
  }

  /** Moving the cursor closes what is open; only typing opens. */
  trigger(editor: CodeMirrorEditor, file: TFile, typed: boolean): void {
    if (this.suggests.length === 0) return;
    if (typed) triggerEditorSuggests(this.suggests, editor, file, editor.cm.dom.ownerDocument);
    else
      for (const suggest of this.suggests)
        if (suggest.context) suggest.trigger(editor, file, editor.cm.dom.ownerDocument);
  }

  close(): void {
    for (const suggest of this.suggests) suggest.close();
  }
}
