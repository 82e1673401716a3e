/** Cuts Markdown into top-level blocks at places that text written after them cannot move. */

export interface SourceBlock {
  readonly start: number;
  readonly end: number;
}

interface Fence {
  readonly closing: RegExp;
}

const LIST_MARKER = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const HEADING = /^#{1,6}(?:[ \t]|$)/;
const FENCE = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * The blocks of a text whose line ends are `\n`, from an offset on where a block may begin. The cut is conservative:
 * a block may hold several Markdown blocks, but no Markdown block is ever cut. Each boundary depends only on the text
 * up to the end of the line after it.
 */
export function splitBlocks(text: string, from = 0): SourceBlock[] {
  const blocks: SourceBlock[] = [];
  let block = emptyBlock();
  const close = (): void => {
    if (block.start !== -1) blocks.push({ start: block.start, end: block.end });
    block = emptyBlock();
  };
  for (let lineStart = from; lineStart < text.length;) {
    const newline = text.indexOf('\n', lineStart);
    const lineEnd = newline === -1 ? text.length : newline;
    const line = text.slice(lineStart, lineEnd);
    if (block.fence) {
      block.end = lineEnd;
      if (block.fence.closing.test(line)) {
        block.fence = null;
        if (!block.hasList) close();
      }
    } else if (line.trim() === '') {
      block.blankSeen = true;
    } else {
      if (block.start !== -1 && beginsBlock(line, block)) close();
      if (block.start === -1) block = { ...emptyBlock(), start: lineStart };
      block.end = lineEnd;
      block.blankSeen = false;
      block.hasList ||= LIST_MARKER.test(line);
      block.fence = openedFence(line, block.hasList);
      if (HEADING.test(line)) close();
    }
    lineStart = lineEnd + 1;
  }
  close();
  return blocks;
}

/** How many blocks at the front stay as they are whatever is appended to the text. */
export function countSettled(text: string, blocks: readonly SourceBlock[]): number {
  const last = blocks.at(-1);
  if (!last) return 0;
  const lineIsComplete = text.indexOf('\n', last.start) !== -1;
  return Math.max(0, blocks.length - (lineIsComplete ? 1 : 2));
}

interface OpenBlock {
  start: number;
  end: number;
  hasList: boolean;
  blankSeen: boolean;
  fence: Fence | null;
}

function emptyBlock(): OpenBlock {
  return { start: -1, end: -1, hasList: false, blankSeen: false, fence: null };
}

function beginsBlock(line: string, block: OpenBlock): boolean {
  if (HEADING.test(line)) return true;
  if (block.blankSeen) {
    if (block.hasList) return !/^[ \t]/.test(line) && !LIST_MARKER.test(line);
    return !/^(?: {4}| {0,3}\t)/.test(line);
  }
  const indent = FENCE.exec(line)?.[1];
  if (indent === undefined || indent.includes('\t')) return false;
  return indent.length <= (block.hasList ? 1 : 3);
}

function openedFence(line: string, insideList: boolean): Fence | null {
  const match = FENCE.exec(line);
  const indent = match?.[1] ?? '';
  const marker = match?.[2];
  if (marker === undefined) return null;
  if (!insideList && (indent.length > 3 || indent.includes('\t'))) return null;
  const space = insideList ? '[ \\t]*' : ' {0,3}';
  const character = marker.startsWith('`') ? '`' : '~';
  return { closing: new RegExp(`^${space}${character}{${marker.length},} *$`) };
}
