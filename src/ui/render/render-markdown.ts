/** Draws a whole text of a model or a tool as safe Markdown. */
import type { RenderContext } from './render-context';
import { createStreamingRenderer } from './streaming-renderer';

/** Replaces the content of the target. */
export function renderMarkdown(target: HTMLElement, markdown: string, context: RenderContext): void {
  const renderer = createStreamingRenderer(target, context);
  renderer.update(markdown);
  renderer.finish();
}
