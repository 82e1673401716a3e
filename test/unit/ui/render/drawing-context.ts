/** A render context that records what is asked of it, and a target with Obsidian's DOM helpers. */
import { fillLayoutGaps, installDom } from 'obsidian-workbench/jest';
import type { RenderContext } from '../../../../src/ui/render/drawing';
import type { ConfirmDecision, LinkDecision } from '../../../../src/ui/render/link-gate';
import { renderMarkdown } from '../../../../src/ui/render/streaming-renderer';

export interface Recorded {
  readonly opened: { linkText: string; newTab: boolean }[];
  readonly external: string[];
  readonly asked: ConfirmDecision[];
  readonly menus: LinkDecision[];
  readonly previewed: string[];
}

const VAULT: Readonly<Record<string, string>> = {
  Ideas: 'Notes/Ideas.md',
  'Ideas#Plan': 'Notes/Ideas.md',
  'Notes/Ideas.md': 'Notes/Ideas.md',
  'A note.md': 'A note.md',
  'photo.png': 'Files/photo.png',
  'scan.pdf': 'Files/scan.pdf',
};

export function recordingContext(changes: Partial<RenderContext> = {}): { context: RenderContext; recorded: Recorded } {
  const recorded: Recorded = { opened: [], external: [], asked: [], menus: [], previewed: [] };
  const context: RenderContext = {
    resolveLink: (linkText) => (Object.hasOwn(VAULT, linkText) ? (VAULT[linkText] ?? null) : null),
    openNote: (linkText, newTab) => void recorded.opened.push({ linkText, newTab }),
    openExternal: (url) => void recorded.external.push(url),
    confirmLink: (decision) => {
      recorded.asked.push(decision);
      return Promise.resolve(false);
    },
    showLinkMenu: (decision) => void recorded.menus.push(decision),
    previewNote: (linkText) => void recorded.previewed.push(linkText),
    resolveImage: (path) => `app://local/${path}`,
  };
  // Descriptors, so that a getter among the changes stays one.
  Object.defineProperties(context, Object.getOwnPropertyDescriptors(changes));
  return { context, recorded };
}

export function newTarget(): HTMLElement {
  installDom(window);
  fillLayoutGaps(window as Window & typeof globalThis);
  return document.body.appendChild(document.createElement('div'));
}

export function draw(markdown: string, changes: Partial<RenderContext> = {}): HTMLElement & { recorded: Recorded } {
  const { context, recorded } = recordingContext(changes);
  const target = newTarget();
  renderMarkdown(target, markdown, context);
  return Object.assign(target, { recorded });
}

/** The structure of what was drawn, without attributes that carry no meaning for the case at hand. */
export function outline(node: Element): string {
  return Array.from(node.childNodes)
    .map((child) => {
      if (child.nodeType === 3) return child.textContent ?? '';
      const element = child as Element;
      const tag = element.tagName.toLowerCase();
      return `<${tag}>${outline(element)}</${tag}>`;
    })
    .join('');
}
