/** List items with their parents, tasks and block ids. */
import type { ListItemCache } from 'obsidian';
import { LIST_ITEM, type NoteBlock } from './note-blocks';
import type { NoteLine, Positions } from './note-positions';

const BLOCK_ID = /(?:^|\s)\^([A-Za-z0-9-]+)[ \t]*$/;

export const findBlockId = (text: string): string | undefined => BLOCK_ID.exec(text)?.[1];

interface OpenItem {
  item: ListItemCache;
  column: number;
}

const widthOf = (indent: string): number => [...indent].reduce((width, char) => width + (char === '\t' ? 4 : 1), 0);

/** A root item's parent is minus the list's first line (and -1 when that is line 0). */
export function findListItems(block: NoteBlock, positions: Positions): ListItemCache[] {
  const items: ListItemCache[] = [];
  const open: OpenItem[] = [];
  const rootParent = -block.lines[0]!.number || -1;
  let fence: string | null = null;
  for (const line of block.lines) {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line.text)?.[1];
    if (marker) fence = fence === null ? marker : line.text.trim().startsWith(fence) ? null : fence;
    const match = fence === null ? LIST_ITEM.exec(line.text) : null;
    if (!match) {
      extendItem(open[open.length - 1]?.item, line, positions);
      continue;
    }
    const column = widthOf(match[1]!);
    while (open.length && open[open.length - 1]!.column >= column) open.pop();
    const parent = open[open.length - 1]?.item.position.start.line ?? rootParent;
    const item: ListItemCache = { position: positions.between(line.start + match[1]!.length, line.end), parent };
    if (match[3] !== undefined) item.task = match[3];
    takeId(item, line);
    items.push(item);
    open.push({ item, column });
  }
  return items;
}

function extendItem(item: ListItemCache | undefined, line: NoteLine, positions: Positions): void {
  if (!item || line.text.trim() === '') return;
  item.position = { start: item.position.start, end: positions.at(line.end) };
  takeId(item, line);
}

function takeId(item: ListItemCache, line: NoteLine): void {
  const id = findBlockId(line.text);
  if (id) item.id = id;
}
