/** Own lines: those lines of a Markdown text that its author says, and neither quotes nor shows as code (K17). */

/** Elements whose lines are those of somebody else, as when a note is shown in the tags it came in. */
const opening = /^ {0,3}<([A-Za-z][\w-]*)(?=[\s>])[^<>]*>/;
const fenceLine = /^(\s*)(`{3,}|~{3,})(.*)$/;

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly indent: number;
}

/** The lines that stand outside fences, code, quotes, formulas, comments and elements; in doubt a line is left out. */
export function ownLines(text: string): string[] {
  const lines = text.split(/\r\n|[\r\n]/);
  const own: string[] = [];
  let paragraph: string[] = [];
  let fence: Fence | null = null;
  /** What must come before lines are the author's again. */
  let until: string | null = null;
  let quoted = false;
  const endParagraph = (): void => {
    own.push(...linesOutsideCode(paragraph));
    paragraph = [];
  };
  lines.forEach((line, index) => {
    if (fence !== null) {
      if (closes(fence, line)) fence = null;
      return;
    }
    if (until !== null) {
      if (line.includes(until)) until = null;
      return;
    }
    fence = fenceAt(line);
    if (fence === null) until = containerAt(line, lines, index);
    const isQuote = /^\s*(?:[-*+]\s+|\d+[.)]\s+)*>/.test(line);
    if (fence !== null || until !== null || isQuote || line.trim() === '') {
      endParagraph();
      quoted = isQuote;
    } else if (!quoted) {
      // A line right below a quote still belongs to its last paragraph.
      paragraph.push(line);
    }
  });
  endParagraph();
  return own;
}

function fenceAt(line: string): Fence | null {
  const [, indent = '', marks = '', rest = ''] = fenceLine.exec(line) ?? [];
  const mark = marks.charAt(0);
  if (mark === '' || (mark === '`' && rest.includes('`'))) return null;
  return { mark, length: marks.length, indent: indent.length };
}

function closes({ mark, length, indent: opened }: Fence, line: string): boolean {
  const [, indent = '', marks = '', rest = ''] = fenceLine.exec(line) ?? [];
  return marks.startsWith(mark) && marks.length >= length && rest.trim() === '' && indent.length <= Math.max(3, opened);
}

/** The end of the comment, formula or element that begins on a line and goes on below it. */
function containerAt(line: string, lines: readonly string[], index: number): string | null {
  for (const [start, end] of pairs) {
    const at = line.indexOf(start);
    if (at >= 0 && line.indexOf(end, at + start.length) < 0) return end;
  }
  const name = opening.exec(line)?.[1];
  if (name === undefined) return null;
  const end = `</${name}>`;
  return !line.includes(end) && lines.slice(index + 1).some((each) => each.includes(end)) ? end : null;
}

const pairs: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['$$', '$$'],
  ['%%', '%%'],
];

/** The lines of a paragraph that do not begin inside code that runs on from the line before. */
function linesOutsideCode(paragraph: readonly string[]): string[] {
  const text = paragraph.join('\n');
  const spans = codeSpans(text);
  let start = 0;
  return paragraph.filter((line) => {
    const at = start;
    start += line.length + 1;
    return !spans.some(([from, to]) => from < at && at < to);
  });
}

/** A run of backticks ends at the next run of the same length; without one it is plain text. */
function codeSpans(text: string): [number, number][] {
  const runs = [...text.matchAll(/`+/g)];
  const spans: [number, number][] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const [marks, from] = [runs[index]?.[0] ?? '', runs[index]?.index ?? 0];
    const end = runs.findIndex((run, later) => later > index && run[0].length === marks.length);
    if (end < 0) continue;
    spans.push([from, (runs[end]?.index ?? 0) + marks.length]);
    index = end;
  }
  return spans;
}
