/** The naive way to open a chat: every answer is drawn at once. Bundled into the window that it measures. */
import type { RenderContext } from '../../../src/ui/render/drawing';
import { renderMarkdown } from '../../../src/ui/render/streaming-renderer';

const context: RenderContext = { resolveLink: () => null, openNote: () => undefined, openExternal: () => undefined };

/** Returns how many elements were drawn and laid out. */
(window as { drawWholeChat?: (answers: readonly string[]) => number }).drawWholeChat = (answers) => {
  const list = document.body.createDiv();
  for (const answer of answers) renderMarkdown(list.createDiv({ cls: 'docent-markdown' }), answer, context);
  // Reading a size lays it out.
  return list.offsetHeight > 0 ? list.querySelectorAll('*').length : 0;
};
