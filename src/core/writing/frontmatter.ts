/** Frontmatter: where the properties block of a note stands, by its text alone. */

export interface PropertiesBlock {
  /** Offset of the first line between the fences. */
  readonly start: number;
  /** Offset of the closing fence. */
  readonly end: number;
  /** Offset behind the closing fence and its line end. */
  readonly bodyStart: number;
}

/** Null without one; `unclosed` when the note opens one and never closes it. */
export function propertiesBlockOf(text: string): PropertiesBlock | 'unclosed' | null {
  const opening = /^---[ \t]*(?:\r?\n|$)/.exec(text);
  if (opening === null) return null;
  let start = opening[0].length;
  const first = start;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const next = found === -1 ? text.length : found + 1;
    if (/^---[ \t]*\r?\n?$/.test(text.slice(start, next))) return { start: first, end: start, bodyStart: next };
    start = next;
  }
  return 'unclosed';
}
