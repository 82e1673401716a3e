/** Limits that keep the time to draw a text in proportion to its length, whatever the text is. */

/** Longer texts are shown as they are, without Markdown. */
export const TEXT_LIMIT = 1_000_000;
/** Quotes and lists inside one another. */
export const NESTING_LIMIT = 20;
/** Emphasis, links and highlights inside one another. */
export const INLINE_NESTING_LIMIT = 40;

/** Characters that the block tokenizer may look at in one block, each counted as often as it is looked at. */
export const BLOCK_WORK_LIMIT = 8_000_000;

const INLINE_CHARACTER_LIMIT = 1_000;
const INLINE_WORK_LIMIT = 4_000_000;
const ACTIVE_CHARACTERS = /[\\`*_~[\]()<!&@=$:]|www\./g;
const CONTAINER_MARKER = /[ \t]*(?:(>)|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))/y;
const RULE_OF_MARKERS = /^[ \t]*([-*])[ \t]*(?:\1[ \t]*)+$/;

/** Whether a block nests quotes and lists deeper than the tokenizer handles in linear time. */
export function nestsTooDeep(source: string): boolean {
  const indents: number[] = [];
  for (const line of source.split('\n')) {
    if (RULE_OF_MARKERS.test(line)) continue;
    const markers = leadingMarkers(line);
    const first = markers[0];
    if (first === undefined) continue;
    while (indents.length > 0 && (indents.at(-1) ?? 0) >= first) indents.pop();
    indents.push(first);
    if (indents.length + markers.length - 1 > NESTING_LIMIT) return true;
  }
  return false;
}

/** Whether a run of inline text is too long and too dense for the tokenizer, whose worst case is quadratic. */
export function isTooDense(text: string): boolean {
  const active = text.match(ACTIVE_CHARACTERS)?.length ?? 0;
  return active > INLINE_CHARACTER_LIMIT || active * text.length > INLINE_WORK_LIMIT;
}

/** Columns of the quote and list markers that begin a line; counting stops past the limit. */
function leadingMarkers(line: string): number[] {
  const columns: number[] = [];
  CONTAINER_MARKER.lastIndex = 0;
  for (let match = CONTAINER_MARKER.exec(line); match; match = CONTAINER_MARKER.exec(line)) {
    columns.push(match.index + match[0].search(/\S/));
    if (columns.length > NESTING_LIMIT) break;
  }
  return columns;
}
