/** The notes that the user has open, the cursor and the selection (R189-R193). */
import { editorContext } from '../facts';
import { section } from '../section';

export const editorContextSection = section({
  id: 'editor-context',
  tag: 'editor_context',
  zone: 'turn',
  flatOrder: 115,
  priority: 65,
  trim: 'tail',
  needs: { news: editorContext },
  when: ({ news }) => news !== null,
  full: ({ news }) => {
    if (news === null) return [];
    return news.kind === 'full'
      ? [`What the user has open, for words such as “this note” or “here”:\n${JSON.stringify(news.open)}`]
      : [`What has changed in the notes that the user has open:\n${JSON.stringify(news.changes)}`];
  },
});
