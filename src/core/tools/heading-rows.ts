/** Heading rows: how note_outline writes headings, and how they are read back: "line 12: ## Text". */
import type { TextHeading } from '../markdown/structure';

export function formatHeadingRow({ level, text, line }: TextHeading): string {
  return `line ${line + 1}: ${'#'.repeat(level)} ${text}`;
}

export function parseHeadingRows(text: string): TextHeading[] {
  const headings: TextHeading[] = [];
  for (const row of text.split('\n')) {
    const match = /^line (\d+): (#{1,6}) (.+)$/.exec(row);
    if (match?.[2] === undefined || match[3] === undefined) continue;
    headings.push({ level: match[2].length, text: match[3], line: Number(match[1]) - 1 });
  }
  return headings;
}
