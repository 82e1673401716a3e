/** The notes that the user has open, the cursor, and the selection (R189-R193). */
import { type EditorChanges, editorChanges, withoutHidden } from '../editor-changes';
import { type Fact, section } from '../section';

/** What the user has open, or how it changed since the model last saw it (R189-R193). */
export const editorContext: Fact<EditorChanges | null> = {
  id: 'editor-context',
  gather: ({ vault, turn: { editor, knownEditor } }) => {
    const isVisible = (path: string): boolean => vault.file(path) !== undefined;
    return editorChanges(withoutHidden(editor, isVisible), withoutHidden(knownEditor, isVisible));
  },
};

export const editorContextSection = section({
  id: 'editor-context',
  tag: 'editor_context',
  zone: 'turn',
  buildOrder: 115,
  priority: 65,
  trim: 'tail',
  needs: { changes: editorContext },
  when: ({ changes }) => changes !== null,
  full: ({ changes }) => {
    if (changes === null) return [];
    return changes.kind === 'full'
      ? [`The notes that the user has open, for words such as "this note" or "here":\n${JSON.stringify(changes.open)}`]
      : [`Changes in the notes that the user has open:\n${JSON.stringify(changes.changes)}`];
  },
});
