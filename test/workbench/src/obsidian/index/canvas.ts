/** The links of a canvas: the files on its cards, and the links in the text of its cards. */
import { getLinkpath } from './links';
import { parseNote } from './parse-note';

export interface CanvasLink {
  /** A link path; with a leading slash for the file of a card, which is a full path and never looked up by name. */
  link: string;
}

interface Card {
  type?: unknown;
  file?: unknown;
  text?: unknown;
}

/** Returns null for a text that is no canvas. */
function readCanvas(text: string): { nodes: Card[] } | null {
  try {
    const value: unknown = JSON.parse(text);
    const nodes = (value as { nodes?: unknown } | null)?.nodes;
    return Array.isArray(nodes)
      ? { ...(value as object), nodes: nodes.filter((node) => node instanceof Object) }
      : null;
  } catch {
    return null;
  }
}

export function findCanvasLinks(text: string): CanvasLink[] {
  return (readCanvas(text)?.nodes ?? []).flatMap((card): CanvasLink[] => {
    if (card.type === 'file' && typeof card.file === 'string') return [{ link: `/${card.file}` }];
    if (card.type !== 'text' || typeof card.text !== 'string') return [];
    const { links = [], embeds = [] } = parseNote(card.text);
    return [...links, ...embeds].map(({ link }) => ({ link: getLinkpath(link) }));
  });
}

/** Rewrites the cards of a canvas; a text that is no canvas stays as it is. */
export function rewriteCanvas(
  text: string,
  toFile: (path: string) => string | undefined,
  toText: (text: string) => string,
): string {
  const canvas = readCanvas(text);
  if (!canvas) return text;
  for (const card of canvas.nodes) {
    if (card.type === 'file' && typeof card.file === 'string') card.file = toFile(card.file) ?? card.file;
    if (card.type === 'text' && typeof card.text === 'string') card.text = toText(card.text);
  }
  return JSON.stringify(canvas, null, '\t');
}
