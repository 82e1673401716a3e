/** Finds the inline syntax that plain Markdown does not know: wikilinks, tags, highlights and comments. */
import type { EditorState } from '@codemirror/state';

export interface InlineMark {
  from: number;
  to: number;
  cls: string;
  attributes?: Record<string, string>;
  /** What is left out while the cursor is elsewhere. */
  hidden: [number, number][];
}

const WIKILINK = /(!?)\[\[([^[\]|\n]+)(\|[^[\]\n]*)?\]\]/g;
const TAG = /(^|\s)(#[\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/gu;
const HIGHLIGHT = /==(?=\S)([^=\n]+?)==/g;
const COMMENT = /%%([^%\n]*)%%/g;

export function findInlineMarks(state: EditorState, from: number, to: number, skip: [number, number][]): InlineMark[] {
  const text = state.sliceDoc(from, to);
  const marks: InlineMark[] = [];
  const add = (
    start: number,
    length: number,
    cls: string,
    hidden: [number, number][],
    attributes?: Record<string, string>,
  ): void => {
    const at = from + start;
    if (skip.some(([a, b]) => at < b && at + length > a)) return;
    const mark: InlineMark = { from: at, to: at + length, cls, hidden: hidden.map(([a, b]) => [from + a, from + b]) };
    if (attributes) mark.attributes = attributes;
    marks.push(mark);
  };
  for (const match of text.matchAll(WIKILINK)) {
    const [whole, bang = '', target = '', alias] = match;
    const start = match.index;
    const end = start + whole.length;
    const open = start + bang.length + 2;
    const shown = alias === undefined ? open : open + target.length + 1;
    add(
      start,
      whole.length,
      'cm-hmd-internal-link',
      [
        [start, shown],
        [end - 2, end],
      ],
      { 'data-href': target.trim() },
    );
  }
  for (const match of text.matchAll(TAG)) {
    add(match.index + (match[1] ?? '').length, (match[2] ?? '').length, 'cm-hashtag', []);
  }
  for (const match of text.matchAll(HIGHLIGHT)) {
    const end = match.index + match[0].length;
    add(match.index, match[0].length, 'cm-highlight', [
      [match.index, match.index + 2],
      [end - 2, end],
    ]);
  }
  for (const match of text.matchAll(COMMENT)) add(match.index, match[0].length, 'cm-comment', []);
  return marks;
}
