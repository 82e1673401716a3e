/** The outline of a text: what stands for it where there is no room for all of it. */

const mostLines = 40;
const lineLength = 100;

/** Headings, or the first words of each paragraph where there are none. */
export function outlineText(text: string): string {
  const lines = text.split('\n');
  const headings = lines.filter((line) => /^#{1,6}\s/.test(line));
  const starts =
    headings.length > 0 ? headings : lines.filter((line, at) => line.trim() !== '' && !lines[at - 1]?.trim());
  const rows = starts.slice(0, mostLines).map((line) => wholeStart(line.slice(0, lineLength)));
  return starts.length > mostLines ? [...rows, '…'].join('\n') : rows.join('\n');
}

/** Stands in place of what an outline leaves out of a note. */
export const noteNotShown = '[Not shown to save room; read_note gives its text.]';

export function outlineNote(text: string): string {
  return `${outlineText(text)}\n${noteNotShown}`;
}

/** Without half of a pair at its end. */
export function wholeStart(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
