/** List items with their parents, tasks and block ids. */
import type { ListItemCache } from 'obsidian';
import { cutBlocks, LIST_ITEM, type NoteBlock } from './note-blocks';
import type { NoteLine, Positions } from './note-positions';

const BLOCK_ID = /(?:^|\s)\^([A-Za-z0-9-]+)[ \t]*$/;
const QUOTE_MARK = /^ {0,3}>[ \t]?/;
const INNER_ITEM = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]+\S)/;

export const findBlockId = (text: string): string | undefined => BLOCK_ID.exec(text)?.[1];

interface OpenItem {
  item: ListItemCache;
  above: OpenItem | undefined;
  /** The column of its text; what is indented as far belongs to it. */
  content: number;
}

const widthOf = (indent: string): number => [...indent].reduce((width, char) => width + (char === '\t' ? 4 : 1), 0);

/** Quotes within quotes beyond which no lists are looked for, so that the cost stays linear. */
const MAX_DEPTH = 16;

/** Returns the items of the lists in a block, also of those in quotes within quotes. */
export function findAllListItems(block: NoteBlock, positions: Positions, depth = 0): ListItemCache[] {
  if (block.type === 'list') return findListItems(block, positions);
  if ((block.type !== 'callout' && block.type !== 'blockquote') || depth === MAX_DEPTH) return [];
  const inner = block.lines.map((line): NoteLine => {
    const mark = QUOTE_MARK.exec(line.text)?.[0].length ?? 0;
    return { ...line, start: line.start + mark, text: line.text.slice(mark) };
  });
  return cutBlocks(inner, 0).flatMap((each) => findAllListItems(each, positions, depth + 1));
}

/** A root item's parent is minus the list's first line (and -1 when that is line 0). */
function findListItems(block: NoteBlock, positions: Positions): ListItemCache[] {
  const items: ListItemCache[] = [];
  const open: OpenItem[] = [];
  const rootParent = -block.lines[0]!.number || -1;
  let fence: string | null = null;
  let blank: NoteLine | null = null;
  for (const line of block.lines) {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line.text)?.[1];
    if (marker) fence = fence === null ? marker : line.text.trim().startsWith(fence) ? null : fence;
    const match = fence === null ? LIST_ITEM.exec(line.text) : null;
    if (!match) {
      if (line.text.trim() === '') blank ??= line;
      else {
        blank = null;
        extendItem(open[open.length - 1]?.item, line, positions);
      }
      continue;
    }
    const column = widthOf(match[1]!);
    const last = open[open.length - 1];
    while (open.length && open[open.length - 1]!.content > column) open.pop();
    const above = open[open.length - 1];
    if (blank && last && last.above === above) endAt(last, blank, positions);
    blank = null;
    const parent = above?.item.position.start.line ?? rootParent;
    const start = line.start + startOf(match, above?.content ?? 0);
    const item: ListItemCache = { position: positions.between(start, line.end), parent };
    if (match[3] !== undefined) item.task = match[3];
    takeId(item, line);
    items.push(item, ...findInnerItems(line, match[0].length, positions));
    open.push({ item, above, content: column + contentWidth(line.text.slice(match[1]!.length)) });
  }
  return items;
}

/** An item that is followed by a blank line and its next sibling ends at that blank line. */
function endAt({ item }: OpenItem, blank: NoteLine, positions: Positions): void {
  item.position = { start: item.position.start, end: positions.at(blank.end) };
}

/**
 * Where an item starts in its line: where the text of the item above it starts, however far it is indented. Nested
 * items that are numbered with a point start at their number.
 */
function startOf(match: RegExpExecArray, content: number): number {
  const [, indent = '', marker = ''] = match;
  if (marker.endsWith('.')) return content === 0 ? 0 : indent.length;
  let width = 0;
  let start = 0;
  while (width < content && start < indent.length) width += indent[start++] === '\t' ? 4 : 1;
  return start;
}

/** The width of a marker and the spaces after it; before indented code only one of these counts. */
function contentWidth(text: string): number {
  const [, marker = '', spaces = ''] = /^([-*+]|\d{1,9}[.)])([ \t]*)/.exec(text) ?? [];
  const width = widthOf(spaces);
  return marker.length + (width > 4 || width === 0 ? 1 : width);
}

/** A list may begin in the line of an item: `- [ ] 1. text`. */
function findInnerItems(line: NoteLine, from: number, positions: Positions): ListItemCache[] {
  const items: ListItemCache[] = [];
  for (let at = from; ;) {
    const rest = line.text.slice(at);
    const text = rest.trimStart();
    const marker = INNER_ITEM.exec(text);
    if (!marker) return items;
    at += rest.length - text.length;
    items.push({ position: positions.between(line.start + at, line.end), parent: line.number });
    at += marker[0].length;
  }
}

function extendItem(item: ListItemCache | undefined, line: NoteLine, positions: Positions): void {
  if (!item) return;
  item.position = { start: item.position.start, end: positions.at(line.end) };
  takeId(item, line);
}

function takeId(item: ListItemCache, line: NoteLine): void {
  const id = findBlockId(line.text);
  if (id) item.id = id;
}
