/** Line ends: which ones a text uses, and new text with the same ones. */

export type LineEnd = '\n' | '\r\n';

/** The first line end at or after an offset, else the last one before it, else a plain newline. */
export function lineEndAt(text: string, offset: number): LineEnd {
  const after = text.indexOf('\n', offset);
  const at = after === -1 ? text.lastIndexOf('\n', offset) : after;
  return at > 0 && text.charAt(at - 1) === '\r' ? '\r\n' : '\n';
}

export function withLineEnd(text: string, lineEnd: LineEnd): string {
  const plain = text.replace(/\r\n/g, '\n');
  return lineEnd === '\n' ? plain : plain.replace(/\n/g, '\r\n');
}

/** A text with plain newlines, and the way from its offsets back to those of the original. */
export interface PlainLines {
  readonly text: string;
  original(offset: number): number;
}

export function plainLines(text: string): PlainLines {
  const dropped: number[] = [];
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) dropped.push(at - dropped.length);
  return {
    text: dropped.length === 0 ? text : text.replace(/\r\n/g, '\n'),
    original: (offset) => offset + countBelow(dropped, offset),
  };
}

/** How many of the sorted numbers are smaller than a limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One-based. */
export function lineNumberAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
