/** MarkdownRenderer: Markdown to elements, with post-processors and owned children. */
import type { MarkdownPostProcessorContext, MarkdownSectionInformation } from 'obsidian';
import type { App } from '../app/app';
import { getCurrentApp } from '../app/current-app';
import { Component } from '../base/component';
import { getFrontMatterInfo, parseYaml } from '../index/yaml';
import type { TFile } from '../vault/files';
import type { HoverPopover } from '../windows/popover';
import { renderCallouts } from './callouts';
import { decorateRendered } from './decorate-rendered';
import { fillEmbeds } from './embeds';
import { parseMarkdown } from './parse-markdown';
import { MarkdownPreviewRenderer } from './post-processors';
import { sanitizeHTMLToDom } from './sanitize';

export interface RenderOptions {
  app: App;
  sourcePath: string;
  component: Component;
  /** How many levels of embeds contain the text. */
  depth?: number;
  /** Reading view keeps each top-level block in an element of its own. */
  sections?: boolean;
}

export class MarkdownRenderChild extends Component {
  constructor(public containerEl: HTMLElement) {
    super();
  }
}

let nextDocId = 0;

function readFrontmatter(text: string): unknown {
  const info = getFrontMatterInfo(text);
  if (!info.exists) return null;
  try {
    return parseYaml(info.frontmatter);
  } catch {
    return null;
  }
}

export async function renderMarkdown(text: string, el: HTMLElement, options: RenderOptions): Promise<void> {
  const { app, sourcePath, component } = options;
  const frontmatter = readFrontmatter(text);
  const { contentStart } = getFrontMatterInfo(text);
  const firstLine = text.slice(0, contentStart).split('\n').length - 1;
  const blocks = parseMarkdown(text.slice(contentStart));
  const lines = new Map<HTMLElement, MarkdownSectionInformation>();
  nextDocId += 1;
  const context: MarkdownPostProcessorContext = {
    docId: nextDocId.toString(16).padStart(8, '0'),
    sourcePath,
    frontmatter,
    addChild: (child) => void component.addChild(child as unknown as Component),
    getSectionInfo: (inner) => {
      for (const [section, info] of lines) if (section.contains(inner)) return info;
      return null;
    },
  };
  const draw = async (box: HTMLElement): Promise<void> => {
    renderCallouts(box);
    decorateRendered(app, box, sourcePath);
    await fillEmbeds(box, options, renderMarkdown);
    await MarkdownPreviewRenderer.postProcess(box, context);
  };
  if (options.sections) {
    for (const block of blocks) {
      const section = el.doc.createElement('div');
      section.className = `el-${block.tag}`;
      section.setAttribute('data-line', String(block.lineStart + firstLine));
      lines.set(section, { text, lineStart: block.lineStart + firstLine, lineEnd: block.lineEnd + firstLine });
      section.append(el.doc.adoptNode(sanitizeHTMLToDom(block.html)));
      el.append(section);
      await draw(section);
    }
    return;
  }
  const box = el.doc.createElement('div');
  box.append(el.doc.adoptNode(sanitizeHTMLToDom(blocks.map((block) => block.html).join(''))));
  await draw(box);
  while (box.firstChild) el.appendChild(box.firstChild);
}

export abstract class MarkdownRenderer extends MarkdownRenderChild {
  app!: App;
  hoverPopover: HoverPopover | null = null;
  abstract get file(): TFile | null;

  static async render(
    app: App,
    markdown: string,
    el: HTMLElement,
    sourcePath: string,
    component: Component,
  ): Promise<void> {
    await renderMarkdown(markdown, el, { app, sourcePath, component });
  }

  /** The deprecated form without an app. */
  static async renderMarkdown(
    markdown: string,
    el: HTMLElement,
    sourcePath: string,
    component: Component,
  ): Promise<void> {
    await renderMarkdown(markdown, el, { app: getCurrentApp(), sourcePath, component });
  }
}
