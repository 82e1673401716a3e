/** Cuts a note into its root-level blocks, line by line. */
import type { NoteLine } from './note-positions';

export type BlockType =
  | 'yaml'
  | 'heading'
  | 'paragraph'
  | 'list'
  | 'code'
  | 'math'
  | 'comment'
  | 'callout'
  | 'blockquote'
  | 'table'
  | 'html'
  | 'thematicBreak'
  | 'footnoteDefinition';

export interface NoteBlock {
  type: BlockType;
  lines: NoteLine[];
}

const FENCE = /^ {0,3}(`{3,}(?!.*`)|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const SETEXT = /^ {0,3}(?:=+|-+)[ \t]*$/;
const THEMATIC_BREAK = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
export const LIST_ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:[ \t]+(?:\[(.)\](?=[ \t]|$))?|$)/;
const QUOTE = /^ {0,3}>/;
const CALLOUT = /^ {0,3}>[ \t]*\[![^\]]+\]/;
const TABLE_RULE = /^[ \t|:-]*-[ \t|:-]*$/;
const HTML = /^ {0,3}<(?:[a-z][a-z0-9-]*(?:[\s/>]|$)|\/[a-z]|!--|\?)/i;
/** HTML that ends a paragraph right above it: comments and elements that are blocks, not any tag. */
const INTERRUPTING_HTML =
  /^ {0,3}<(?:!|\?|\/?(?:address|article|aside|blockquote|body|center|details|dialog|dd|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|p|pre|script|search|section|style|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|ul)(?:[\s/>]|$))/i;
const FOOTNOTE = /^\[\^[^\]\s]+\]:/;
const INDENTED = /^(?: {4}|\t)/;
const BLANK = /^\s*$/;

const isBlank = (line: NoteLine | undefined): boolean => line === undefined || BLANK.test(line.text);

/** Whether a line starts another block although it follows a paragraph without a blank line. */
const interruptsParagraph = (text: string): boolean =>
  FENCE.test(text) ||
  HEADING.test(text) ||
  THEMATIC_BREAK.test(text) ||
  QUOTE.test(text) ||
  /^ {0,3}(?:[-*+]|1[.)])[ \t]+\S/.test(text) ||
  /^\$\$/.test(text) ||
  /^%%/.test(text) ||
  INTERRUPTING_HTML.test(text) ||
  FOOTNOTE.test(text);

export function cutBlocks(lines: readonly NoteLine[], from: number): NoteBlock[] {
  const blocks: NoteBlock[] = [];
  let index = from;
  while (index < lines.length) {
    if (isBlank(lines[index])) {
      index++;
      continue;
    }
    const [type, length] = readBlock(lines, index);
    blocks.push({ type, lines: trimBlank(lines.slice(index, index + length)) });
    index += length;
  }
  return blocks;
}

function readBlock(lines: readonly NoteLine[], index: number): [BlockType, number] {
  const text = lines[index]!.text;
  const fence = FENCE.exec(text)?.[1];
  if (fence) return ['code', untilFence(lines, index, fence)];
  if (/^\$\$/.test(text)) return ['math', untilMarker(lines, index, '$$')];
  if (/^%%/.test(text)) return commentOrParagraph(lines, index);
  if (HEADING.test(text)) return ['heading', 1];
  if (THEMATIC_BREAK.test(text)) return ['thematicBreak', 1];
  if (QUOTE.test(text)) return [CALLOUT.test(text) ? 'callout' : 'blockquote', whileLazy(lines, index)];
  if (INDENTED.test(text) && !LIST_ITEM.test(text)) return ['code', whileIndented(lines, index)];
  if (LIST_ITEM.test(text)) return ['list', whileList(lines, index)];
  if (FOOTNOTE.test(text)) return ['footnoteDefinition', whileParagraph(lines, index, true)];
  if (text.includes('|') && TABLE_RULE.test(lines[index + 1]?.text ?? '') && lines[index + 1]!.text.includes('|')) {
    return ['table', countWhile(lines, index, (line) => !isBlank(line) && line.text.includes('|'))];
  }
  if (HTML.test(text)) return ['html', untilHtmlEnd(lines, index)];
  return readParagraph(lines, index);
}

function readParagraph(lines: readonly NoteLine[], index: number): [BlockType, number] {
  const length = whileParagraph(lines, index, false);
  const after = lines[index + length];
  if (after && SETEXT.test(after.text)) return ['heading', length + 1];
  return ['paragraph', length];
}

function countWhile(lines: readonly NoteLine[], from: number, goesOn: (line: NoteLine) => boolean): number {
  let length = 1;
  while (from + length < lines.length && goesOn(lines[from + length]!)) length++;
  return length;
}

function whileParagraph(lines: readonly NoteLine[], from: number, footnote: boolean): number {
  return countWhile(lines, from, (line) => {
    if (isBlank(line)) return false;
    if (!footnote && SETEXT.test(line.text)) return false;
    return !interruptsParagraph(line.text);
  });
}

/** A quote also takes the plain lines right below it. */
function whileLazy(lines: readonly NoteLine[], from: number): number {
  return countWhile(
    lines,
    from,
    (line) => !isBlank(line) && (QUOTE.test(line.text) || !interruptsParagraph(line.text)),
  );
}

function whileIndented(lines: readonly NoteLine[], from: number): number {
  return countWhile(lines, from, (line) => isBlank(line) || INDENTED.test(line.text));
}

/** The bullet, or the sign after the number; another one at the root starts another list. */
const markerKind = (text: string): string | undefined => LIST_ITEM.exec(text)?.[2]?.replace(/^\d+/, '1');

/** A list goes on over blank lines as long as the next text is an item or is indented. */
function whileList(lines: readonly NoteLine[], from: number): number {
  let length = 1;
  const kind = markerKind(lines[from]!.text);
  for (let index = from + 1; index < lines.length; index++) {
    const { text } = lines[index]!;
    if (isBlank(lines[index])) continue;
    const afterBlank = isBlank(lines[index - 1]);
    const own = markerKind(text);
    const indented = /^(?: {2,}|\t)/.test(text);
    const belongs = indented || (own === kind && !THEMATIC_BREAK.test(text));
    if (!belongs && (own !== undefined || afterBlank || interruptsParagraph(text))) break;
    length = index - from + 1;
  }
  return length;
}

function untilFence(lines: readonly NoteLine[], from: number, fence: string): number {
  const closing = new RegExp(`^ {0,3}${fence[0] === '`' ? '`' : '~'}{${fence.length},}[ \\t]*$`);
  for (let index = from + 1; index < lines.length; index++) {
    if (closing.test(lines[index]!.text)) return index - from + 1;
  }
  return lines.length - from;
}

function untilMarker(lines: readonly NoteLine[], from: number, marker: string): number {
  if (lines[from]!.text.indexOf(marker, marker.length) > 0) return 1;
  for (let index = from + 1; index < lines.length; index++) {
    if (lines[index]!.text.includes(marker)) return index - from + 1;
  }
  return lines.length - from;
}

/** A comment that ends within its first line is part of a paragraph when text follows it. */
function commentOrParagraph(lines: readonly NoteLine[], index: number): [BlockType, number] {
  const text = lines[index]!.text;
  const end = text.indexOf('%%', 2);
  if (end > 0 && text.slice(end + 2).trim() !== '') return readParagraph(lines, index);
  return ['comment', untilMarker(lines, index, '%%')];
}

function untilHtmlEnd(lines: readonly NoteLine[], from: number): number {
  if (/^ {0,3}<!--/.test(lines[from]!.text)) {
    const end = lines.findIndex((line, index) => index >= from && line.text.includes('-->'));
    return (end < 0 ? lines.length : end + 1) - from;
  }
  return countWhile(lines, from, (line) => !isBlank(line));
}

function trimBlank(lines: NoteLine[]): NoteLine[] {
  let length = lines.length;
  while (length > 1 && isBlank(lines[length - 1])) length--;
  return lines.slice(0, length);
}
