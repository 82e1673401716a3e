/** What the user has open, or what has changed in it since the model was last told (R189-R193). */
import { editorNews, type EditorNews, withoutHidden } from '../editor-news';
import type { Fact } from '../section';

export const editorContext: Fact<EditorNews | null> = {
  id: 'editor-context',
  gather: ({ vault, turn: { editor, knownEditor } }) => {
    const isVisible = (path: string): boolean => vault.file(path) !== undefined;
    return editorNews(withoutHidden(editor, isVisible), withoutHidden(knownEditor, isVisible));
  },
};
