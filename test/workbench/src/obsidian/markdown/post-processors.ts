/** The registry of Markdown post-processors, and the form they take for fenced code. */
import type { MarkdownPostProcessor, MarkdownPostProcessorContext } from 'obsidian';

type CodeBlockHandler = (source: string, el: HTMLElement, ctx: MarkdownPostProcessorContext) => Promise<unknown> | void;

const registered: MarkdownPostProcessor[] = [];

export class MarkdownPreviewRenderer {
  static registerPostProcessor(postProcessor: MarkdownPostProcessor, sortOrder = 0): void {
    postProcessor.sortOrder = sortOrder;
    registered.push(postProcessor);
    registered.sort((a, b) => (a.sortOrder ?? 0) - (b.sortOrder ?? 0));
  }

  static unregisterPostProcessor(postProcessor: MarkdownPostProcessor): void {
    const index = registered.indexOf(postProcessor);
    if (index >= 0) registered.splice(index, 1);
  }

  static createCodeBlockPostProcessor(language: string, handler: CodeBlockHandler): MarkdownPostProcessor {
    return async (el, ctx) => {
      for (const code of Array.from(el.querySelectorAll('pre > code'))) {
        if (!code.classList.contains(`language-${language}`)) continue;
        const block = el.doc.createElement('div');
        block.className = `block-language-${language}`;
        code.parentElement?.replaceWith(block);
        await handler((code.textContent ?? '').replace(/\n$/, ''), block, ctx);
      }
    };
  }

  /** One failing processor never keeps the others, or the text, from being shown. */
  static async postProcess(el: HTMLElement, ctx: MarkdownPostProcessorContext): Promise<void> {
    for (const process of registered.slice()) {
      try {
        await process(el, ctx);
      } catch (error) {
        console.error(error);
      }
    }
  }
}
