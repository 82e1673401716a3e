/** Note parts for the prompt: what stands under a heading, or one block, out of a note's text. */
import { words } from '../../text';
import type { Vault } from '../ports/vault';
import { type NoteStructure, structureOf } from '../search/passages';

export interface PartName {
  readonly path: string;
  /** A heading, or a block's id with its `^`. */
  readonly part: string;
}

/** A part of a note; the text is null, and the problem says why, where there is none. */
export interface TakenPart {
  readonly path: string;
  readonly text: string | null;
  readonly problem?: string;
  /** The heading whose part this is. */
  readonly heading?: string;
  /** The id of the block that this is, with its `^`. */
  readonly block?: string;
}

/** Splits `path#part` where a file ends, since headings may hold the sign as well. */
export function splitPart(id: string, vault: Pick<Vault, 'file'>): PartName {
  for (let sign = id.indexOf('#'); sign !== -1; sign = id.indexOf('#', sign + 1)) {
    const path = id.slice(0, sign);
    if (vault.file(path) !== undefined) return { path, part: id.slice(sign + 1) };
  }
  const first = id.indexOf('#');
  return first === -1 ? { path: id, part: '' } : { path: id.slice(0, first), part: id.slice(first + 1) };
}

/** The part as a note of its own, or what is missing. */
export function takePart(path: string, text: string, part: string): TakenPart {
  const structure = structureOf(text);
  if (part.startsWith('^')) {
    const found = blockText(text, structure, part.slice(1));
    return {
      path,
      block: part,
      text: found,
      ...(found === null ? { problem: words.tools.blockMissing(part.slice(1), path) } : {}),
    };
  }
  const found = headingText(text, structure, part);
  return {
    path,
    heading: part,
    text: found,
    ...(found === null ? { problem: words.tools.headingMissing(part, path) } : {}),
  };
}

/** From a heading to the next of its level or a higher one. */
function headingText(text: string, { headings, lines }: NoteStructure, asked: string): string | null {
  const wanted = asLink(asked);
  const at = headings.findIndex((heading) => asLink(heading.text) === wanted);
  const heading = headings[at];
  if (heading === undefined) return null;
  const next = headings.slice(at + 1).find(({ level }) => level <= heading.level);
  const start = lines[heading.line]?.start ?? 0;
  return text.slice(start, next === undefined ? text.length : lines[next.line]?.start).trimEnd();
}

/** Links to headings leave out signs and differ in nothing else. */
function asLink(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** The list item, or the paragraph, that ends in the id or stands before a line with nothing but the id. */
function blockText(text: string, { lines, propertyLines }: NoteStructure, id: string): string | null {
  const lineAt = (index: number): string => text.slice(lines[index]?.start ?? 0, lines[index]?.end ?? 0);
  const mark = new RegExp(`(^|\\s)\\^${id.replace(/[^A-Za-z0-9-]/g, '')}\\s*$`, 'i');
  const at = lines.findIndex((_line, index) => index >= propertyLines && mark.test(lineAt(index)));
  if (at === -1) return null;
  let end = at;
  if (/^\s*\^\S+\s*$/.test(lineAt(at))) {
    while (end > propertyLines && (end === at || lineAt(end).trim() === '')) end -= 1;
  }
  let start = end;
  const isItem = (index: number): boolean => /^\s*(?:[-*+]|\d+[.)])\s/.test(lineAt(index));
  while (!isItem(start) && start > propertyLines && !/^\s*$|^#{1,6}\s/.test(lineAt(start - 1))) start -= 1;
  return text
    .slice(lines[start]?.start ?? 0, lines[at]?.end)
    .replace(mark, '')
    .trimEnd();
}
