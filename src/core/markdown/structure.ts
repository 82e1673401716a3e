/** The structure of a note, from its text alone: lines, headings, sections, blocks, and the text of one part. */
import { words } from '../../text';
import { type Steps, takeSteps } from '../base/async';
import { foldText, pairsOf } from '../base/fold';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { Vault } from '../ports/vault';

export interface Line {
  readonly start: number;
  /** Without its line ending. */
  readonly end: number;
}

export function linesOf(text: string): Line[] {
  return takeSteps(lineSteps(text));
}

/** Lines that one step takes, a millisecond of work. */
const stepLines = 4_000;
/** A line costs less to find than to search. */
const unitsPerLine = 4;

function* lineSteps(text: string): Steps<Line[]> {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length;) {
    const found = text.indexOf('\n', start);
    const stop = found === -1 ? text.length : found;
    lines.push({ start, end: stop > start && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop });
    start = stop + 1;
    if (lines.length % stepLines === 0) yield stepLines * unitsPerLine;
  }
  return lines;
}

export interface TextHeading {
  readonly level: number;
  readonly text: string;
  /** Zero-based. */
  readonly line: number;
  /** Whether a line of `=` or `-` below makes its lines a heading. */
  readonly isUnderlined?: true;
}

export interface NoteStructure {
  readonly lines: readonly Line[];
  /** Lines of the properties block, including the fences; zero if there is none. */
  readonly propertyLines: number;
  readonly headings: readonly TextHeading[];
}

/** Returns the properties block and headings of a note's text; headings inside code fences do not count. */
export function structureOf(text: string): NoteStructure {
  return takeSteps(structureSteps(text));
}

/** Finds the same in steps, for texts of any length. */
export function* structureSteps(text: string): Steps<NoteStructure> {
  const lines = yield* lineSteps(text);
  const propertyLines = yield* propertyLineSteps(text, lines);
  return { lines, propertyLines, headings: yield* headingSteps(text, lines, propertyLines) };
}

/** Finds the number of lines of the properties block. */
function* propertyLineSteps(text: string, lines: readonly Line[]): Steps<number> {
  if (lineText(text, lines[0]).trimEnd() !== '---') return 0;
  for (let index = 1; index < lines.length; index += 1) {
    if (/^---\s*$/.test(lineText(text, lines[index]))) return index + 1;
    if (index % stepLines === 0) yield stepLines * unitsPerLine;
  }
  return 0;
}

/** Finds the headings from a line on, in order, without those in code fences and those without a title. */
function* headingSteps(text: string, lines: readonly Line[], from: number): Steps<TextHeading[]> {
  const headings: TextHeading[] = [];
  const lineAt = (index: number): string => lineText(text, lines[index]);
  let fence: OpenFence | null = null;
  let isFormula = false;
  for (let index = from; index < lines.length; index += 1) {
    if ((index - from) % stepLines === stepLines - 1) yield stepLines * unitsPerLine;
    const first = firstVisible(text, lines[index]);
    if (!isFormula && !fenceOrHeading.test(first)) continue;
    const line = lineAt(index);
    if (fence !== null && line.search(/\S/) < fence.indent) fence = null;
    if (fence !== null) {
      if (closesFence(line, fence)) fence = null;
      continue;
    }
    fence = fenceIn(line);
    const heading = fence === null ? headingAt(lineAt, index, isFormula ? index : from) : null;
    if (heading !== null) headings.push(heading);
    isFormula = fence === null && isFormulaAfter(line, isFormula);
  }
  return headings;
}

/** The first visible characters of a heading, an underline, a fence, a formula, and a list item, in which a fence may begin. */
const fenceOrHeading = /^[#=`~$*+\d-]/;

/** Returns the heading that a line is or that it underlines; the lines of the latter begin with `from` at the earliest. */
function headingAt(lineAt: (index: number) => string, index: number, from: number): TextHeading | null {
  const line = lineAt(index);
  const heading = headingIn(line);
  if (heading !== null) return { ...heading, line: index };
  if (!underline.test(line)) return null;
  let start = index;
  for (; start > from && !paragraphBorder.test(lineAt(start - 1)); start -= 1) {
    if (isOtherBlock(lineAt(start - 1))) return null;
  }
  const title = Array.from({ length: index - start }, (_, at) => lineAt(start + at).trim()).join(' ');
  // What is longer is a text above a rule, as most people mean it.
  if (title === '' || title.length > maxUnderlined || /^\s/.test(lineAt(start))) return null;
  return { level: line.includes('=') ? 1 : 2, text: title, line: start, isUnderlined: true };
}

const maxUnderlined = 200;
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;

/** Whether a line makes the text right above it a heading. */
export function isUnderline(line: string): boolean {
  return underline.test(line.replace(/\r$/, ''));
}

/** A line that ends the paragraph above it and belongs to none: an empty one, a heading, a fence, a rule, a comment, and a formula. */
const paragraphBorder =
  /^(?:\s*$|\s*(?:`{3}|~{3})| {0,3}#{1,6}(?:[ \t]|$)| {0,3}(?:=+|-+)[ \t]*$| {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$|%%|\$\$)/;
/** The first line of a list item, a quote, a table, an element, or a note at the foot. */
const otherBlock = /^\s*(?:[-*+](?:\s|$)|\d{1,9}[.)]\s|[>|<]|\[[^\]]*\]:)/;

function isOtherBlock(line: string): boolean {
  return otherBlock.test(line) || (line.includes('|') && /^[\s|:-]*$/.test(line));
}

/** Whether a text would go on with the list item, quote, table, or element that is right above it. */
export function goesOn(above: string, line: string): boolean {
  if (!/^\S/.test(line) || isOtherBlock(line) || paragraphBorder.test(line)) return false;
  return isOtherBlock(above) || /^[ \t]+\S/.test(above);
}

function isFormulaAfter(line: string, isFormula: boolean): boolean {
  if (isFormula) return !line.includes('$$');
  return line.startsWith('$$') && !line.includes('$$', 2);
}

/** Returns the line that ends the code block that a text leaves open at its end; empty for none. */
export function endOfOpenFence(text: string): string {
  let fence: OpenFence | null = null;
  let before = '';
  /** Blanks before the lines of the list item, with which a fence in it ends. */
  let item = 0;
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    const opened = fenceAfter(line, fence);
    if (opened !== null && opened === fence) continue;
    const blanks = line.search(/\S/);
    if (blanks >= 0 && blanks < item) item = 0;
    item = itemStart.exec(line)?.[0].length ?? item;
    fence = opened && { ...opened, indent: item };
    before = line.slice(0, line.search(/[`~]/)).replace(/\S/g, ' ');
  }
  // Less far in, it would be behind its list item, and begin code.
  return fence === null ? '' : before + fence.mark;
}

interface OpenFence {
  readonly mark: string;
  /** Blanks before the lines of its list item; a line with fewer of them ends the item, and the code with it. */
  readonly indent: number;
}

const itemStart = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const fenceStart = /^( {0,3}|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)(`{3,}|~{3,})(.*)$/s;

/** Returns the fence that a line opens; null for none, such as for a code span in three backticks. */
function fenceIn(line: string): OpenFence | null {
  if (!line.includes('```') && !line.includes('~~~')) return null;
  const [, before = '', mark = '', info = ''] = fenceStart.exec(line) ?? [];
  if (mark === '' || (mark.startsWith('`') && info.includes('`'))) return null;
  return { mark, indent: before.trim() === '' ? 0 : before.length };
}

/** Returns the fence that is open after a line. */
function fenceAfter(line: string, fence: OpenFence | null): OpenFence | null {
  if (fence !== null && line.search(/\S/) >= fence.indent) return closesFence(line, fence) ? null : fence;
  return fence !== null && line.trim() === '' ? fence : fenceIn(line);
}

function closesFence(line: string, { mark, indent }: OpenFence): boolean {
  const found = line.trim();
  return found.startsWith(mark) && /^(?:`+|~+)$/.test(found) && line.indexOf(found) <= indent + 3;
}

/** Returns null for a line that is no heading, and for one without a title. */
function headingIn(line: string): Omit<TextHeading, 'line'> | null {
  const [opening = '', marks = ''] = /^ {0,3}(#{1,6})(?=[ \t])/.exec(line) ?? [];
  if (marks === '') return null;
  // The number signs that may close a heading follow a blank.
  const title = line.slice(opening.length).trim();
  let end = title.length;
  while (title.charAt(end - 1) === '#') end -= 1;
  const isClosed = end === 0 || /\s/.test(title.charAt(end - 1));
  const text = isClosed ? title.slice(0, end).trim() : title;
  return text === '' ? null : { level: marks.length, text };
}

function lineText(text: string, line: Line | undefined): string {
  return line === undefined ? '' : text.slice(line.start, line.end);
}

function firstVisible(text: string, line: Line | undefined): string {
  if (line === undefined) return '';
  for (let index = line.start; index < line.end; index += 1) {
    const character = text.charAt(index);
    if (character !== ' ') return character;
  }
  return '';
}

export interface PartName {
  readonly path: string;
  /** A heading, or a block's id with its `^`. */
  readonly part: string;
}

/** A part of a note. If it is not found, `text` is null and `problem` says why. */
export interface TakenPart {
  readonly path: string;
  readonly text: string | null;
  readonly problem?: string;
  /** The heading of this section. */
  readonly heading?: string;
  /** The id of this block, with its `^`. */
  readonly block?: string;
}

/** Splits `path#part` at the end of an existing path, since headings may also contain `#`. */
export function splitPart(id: string, vault: Pick<Vault, 'file'>): PartName {
  for (let sign = id.indexOf('#'); sign !== -1; sign = id.indexOf('#', sign + 1)) {
    const path = id.slice(0, sign);
    if (vault.file(path) !== undefined) return { path, part: id.slice(sign + 1) };
  }
  const first = id.indexOf('#');
  return first === -1 ? { path: id, part: '' } : { path: id.slice(0, first), part: id.slice(first + 1) };
}

/** Returns the section or block as a note of its own, or the reason why it is missing. */
export function takePart(path: string, text: string, part: string): TakenPart {
  const structure = structureOf(text);
  if (part.startsWith('^')) {
    const found = blockText(text, structure, part.slice(1));
    return {
      path,
      block: part,
      text: found,
      ...(found === null ? { problem: words.tools.blockMissing(part.slice(1), path) } : {}),
    };
  }
  const found = headingText(text, structure, part);
  return {
    path,
    heading: part,
    text: found,
    ...(found === null ? { problem: words.tools.headingMissing(part, path) } : {}),
  };
}

/** Returns the text from a heading to the next one of its level or a higher one. */
function headingText(text: string, structure: NoteStructure, asked: string): string | null {
  const { headings, lines } = structure;
  const at = findHeading(headings, asked);
  const heading = headings[at];
  if (heading === undefined) return null;
  return text.slice(lines[heading.line]?.start ?? 0, lines[sectionEnd(structure, at)]?.start).trimEnd();
}

/** Returns the line after a heading's section: that of the next heading of its level or a higher one. */
function sectionEnd({ headings, lines }: Pick<NoteStructure, 'headings' | 'lines'>, at: number): number {
  const level = headings[at]?.level ?? 0;
  return headings.slice(at + 1).find((each) => each.level <= level)?.line ?? lines.length;
}

/** Returns the list item or paragraph of a block, without its id. */
function blockText(text: string, structure: NoteStructure, id: string): string | null {
  const { lines } = structure;
  const { found } = findBlock(text, structure, id);
  if (found === undefined) return null;
  return text
    .slice(lines[found.start]?.start ?? 0, lines[found.at]?.end)
    .replace(blockId, '')
    .trimEnd();
}

const listItem = /^\s*(?:[-*+]|\d+[.)])\s/;
const blockId = /(?:^|\s)\^([A-Za-z0-9-]+)\s*$/;

/** Zero-based lines, both included. */
interface Piece {
  readonly start: number;
  readonly end: number;
}

interface FoundBlock {
  /** Zero-based: the first line of the block, and the line of its id. */
  readonly start: number;
  readonly at: number;
}

/**
 * Finds the list item or paragraph that ends in the id, or that precedes a line with only the id; the whole list where
 * an empty line is between them. Without one, it returns the ids of the note, to be named.
 */
function findBlock(
  text: string,
  { lines, propertyLines }: NoteStructure,
  id: string,
): { readonly found?: FoundBlock; readonly ids: readonly string[] } {
  const lineAt = (index: number): string => lineText(text, lines[index]);
  const ids: string[] = [];
  let fence: OpenFence | null = null;
  const code = { start: -1, end: -1 };
  for (let at = propertyLines; at < lines.length; at += 1) {
    const wasOpen: boolean = fence !== null;
    fence = fenceAfter(lineAt(at), fence);
    if (fence !== null && !wasOpen) code.start = at;
    // What ends a list item ends the code in it, and is no code.
    const isCode = fence !== null || (wasOpen && /^[`~]+$/.test(lineAt(at).trim()));
    if (isCode && wasOpen) code.end = at;
    if (isCode) continue;
    const name = blockId.exec(lineAt(at))?.[1];
    if (name === undefined) continue;
    ids.push(`^${name}`);
    if (name.toLowerCase() !== id.toLowerCase()) continue;
    return { found: { start: blockStart(lineAt, at, propertyLines, code), at }, ids };
  }
  return { ids };
}

/** Returns the first line of the block whose id is in a line; `code` is the last code before that. */
function blockStart(lineAt: (index: number) => string, at: number, from: number, code: Piece): number {
  let start = at;
  if (/^\s*\^\S+\s*$/.test(lineAt(at))) {
    while (start > from && (start === at || lineAt(start).trim() === '')) start -= 1;
  }
  // Code in a list item is a part of that.
  if (start === code.end && /^[`~]/.test(lineAt(code.start))) return code.start;
  const isWholeList = start < at - 1;
  const isFirst = (line: number): boolean =>
    line <= from ||
    listItem.test(lineAt(line)) ||
    underline.test(lineAt(line - 1)) ||
    /^\s*$|^#{1,6}\s|^(?:`{3,}|~{3,})$/.test(lineAt(line - 1));
  while (!isFirst(start)) start -= 1;
  return isWholeList && listItem.test(lineAt(start)) ? listStart(lineAt, start, from) : start;
}

/** Returns the first line of the list that an item is in, whose items may be apart by empty lines. */
function listStart(lineAt: (index: number) => string, item: number, from: number): number {
  let start = item;
  for (let line = item; line >= from; line -= 1) {
    const text = lineAt(line);
    if (listItem.test(text)) start = line;
    // Directly below an item, a line without an indent goes on with it.
    else if (/^\S/.test(text) && (line === from || /^#{1,6}\s/.test(text) || lineAt(line - 1).trim() === '')) break;
  }
  return start;
}

/** One-based lines, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the section of a heading: from its line to the next heading of its level or a higher one. A failure names
 * similar headings of the note.
 */
export function headingRange(structure: NoteStructure, path: string, asked: string): Outcome<LineRange> {
  const { headings } = structure;
  const at = findHeading(headings, asked);
  const heading = headings[at];
  if (heading === undefined) return fail(headingMissing(headings, path, asked));
  return succeed({ start: heading.line + 1, end: sectionEnd(structure, at) });
}

/**
 * Returns the index of a heading by its own words, spelled the same or else folded, or by those above it as well:
 * `Plan#Steps`; -1 for none.
 */
export function findHeading(headings: readonly TextHeading[], asked: string): number {
  for (const compared of spellings) {
    const whole = compared(asked);
    const direct = whole === '' ? -1 : headings.findIndex((heading) => compared(heading.text) === whole);
    if (direct !== -1) return direct;
  }
  // A heading may end in a number sign, so that the other mark is tried first.
  for (const mark of [/\s›\s/, /\s›\s|#/]) {
    for (const compared of spellings) {
      const steps = asked
        .split(mark)
        .map(compared)
        .filter((step) => step !== '');
      if (steps.length < 2) continue;
      const found = findUnder(headings, steps, compared);
      if (found !== -1) return found;
    }
  }
  return -1;
}

/** Returns the index of the first heading that is named by the last step and is below the others; -1 for none. */
function findUnder(headings: readonly TextHeading[], steps: readonly string[], compared: Spelling): number {
  const above: { readonly level: number; readonly spelled: string }[] = [];
  return headings.findIndex(({ level, text }) => {
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    above.push({ level, spelled: compared(text) });
    return above.at(-1)?.spelled === steps.at(-1) && isTrail(above, steps);
  });
}

/** Whether the last heading is below the ones of the earlier steps, in order. */
function isTrail(above: readonly { readonly spelled: string }[], steps: readonly string[]): boolean {
  let step = steps.length - 1;
  for (let at = above.length - 1; at >= 0 && step >= 0; at -= 1) if (above[at]?.spelled === steps[step]) step -= 1;
  return step < 0;
}

type Spelling = (heading: string) => string;

/** How headings are compared, the strictest first: `C` and `C++` differ only by signs, as two emoji do. */
const spellings: readonly Spelling[] = [
  (heading) => spaced(heading.toLowerCase()),
  // As Obsidian's links compare them.
  (heading) => spaced(heading.toLowerCase().replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\]/g, ' ')),
  (heading) => wordsOnly(heading.toLowerCase()),
  // As a model may spell them.
  (heading) => wordsOnly(foldText(heading)),
];

function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function wordsOnly(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();
}

function headingMissing(headings: readonly TextHeading[], path: string, asked: string): Failure {
  const wanted = pairsOf(asked);
  const shared = (heading: TextHeading): number => [...pairsOf(heading.text)].filter((pair) => wanted.has(pair)).length;
  const near = headings
    .slice(0, 1_000)
    .map((heading) => ({ text: heading.text, score: shared(heading) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 5)
    .map((each) => each.text);
  return {
    kind: 'not-found',
    words: words.tools.headingMissing(asked, path),
    remedy: near.length === 0 ? words.tools.noHeadingsRemedy : words.tools.headingMissingRemedy(near),
  };
}

/** Returns the lines of a block with its id. A failure names the block ids of the note. */
export function blockRange(text: string, structure: NoteStructure, path: string, asked: string): Outcome<LineRange> {
  const id = asked.trim().replace(/^#?\^/, '');
  const { found, ids } = findBlock(text, structure, id);
  if (found !== undefined) return succeed({ start: found.start + 1, end: found.at + 1 });
  return fail({
    kind: 'not-found',
    words: words.tools.blockMissing(id, path),
    remedy: words.tools.blockMissingRemedy(ids.slice(0, 20)),
  });
}
