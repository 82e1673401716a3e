/** Active content of files that are not Markdown: link cards of a canvas, and functions of a base that draw or load. */
import type { ActiveItem } from './active-content';
import { activeInMarkdown } from './active-markdown';

/** A canvas that cannot be read counts as active as a whole. */
export function activeInCanvas(text: string): ActiveItem[] {
  if (text.trim() === '') return [];
  const nodes = nodesOf(text);
  if (nodes === null) return [{ kind: 'canvas-link', runner: 'Canvas', passage: text }];
  return nodes.flatMap((node): ActiveItem[] => {
    const { type, url, text: card } = node;
    if (type === 'link' || typeof url === 'string') {
      return [{ kind: 'canvas-link', runner: 'Canvas', passage: String(url) }];
    }
    return typeof card === 'string' ? activeInMarkdown(card) : [];
  });
}

function nodesOf(text: string): Readonly<Record<string, unknown>>[] | null {
  try {
    const canvas: unknown = JSON.parse(text);
    if (typeof canvas !== 'object' || canvas === null) return null;
    const { nodes = [] } = canvas as { readonly nodes?: unknown };
    const isNode = (node: unknown): node is Record<string, unknown> => typeof node === 'object' && node !== null;
    return Array.isArray(nodes) && nodes.every(isNode) ? nodes : null;
  } catch {
    return null;
  }
}

export function activeInBase(text: string): ActiveItem[] {
  return [...text.matchAll(/\b(html|image|icon|link)\s*\([^\n]*/gi)]
    .filter(([, name = '']) => /^(?:html|image)$/i.test(name))
    .map(([passage]) => ({ kind: 'base-formula', runner: 'Bases', passage: passage.trim() }));
}
