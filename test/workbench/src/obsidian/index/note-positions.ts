/** Turns offsets of a text into line and column. */
import type { Loc, Pos } from 'obsidian';

export interface NoteLine {
  number: number;
  /** Offsets; `end` leaves the line break out. */
  start: number;
  end: number;
  text: string;
}

export function splitLines(text: string): NoteLine[] {
  const lines: NoteLine[] = [];
  let start = 0;
  for (;;) {
    const next = text.indexOf('\n', start);
    const stop = next < 0 ? text.length : next;
    const end = stop > start && text[stop - 1] === '\r' ? stop - 1 : stop;
    lines.push({ number: lines.length, start, end, text: text.slice(start, end) });
    if (next < 0) return lines;
    start = next + 1;
  }
}

export class Positions {
  constructor(private lines: readonly NoteLine[]) {}

  at(offset: number): Loc {
    let low = 0;
    let high = this.lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lines[middle]!.start <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, col: offset - this.lines[low]!.start, offset };
  }

  between(start: number, end: number): Pos {
    return { start: this.at(start), end: this.at(end) };
  }

  ofLines(first: NoteLine, last: NoteLine): Pos {
    return {
      start: { line: first.number, col: 0, offset: first.start },
      end: { line: last.number, col: last.end - last.start, offset: last.end },
    };
  }
}
