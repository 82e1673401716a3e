/**
 * Reads the part of a note that fits a budget, under a first line that says what is shown and how to read the rest; of a
 * note that does not fit, the lines that match the user's question.
 */
import { words } from '../../text';
import { createWorkBudget, takeStepsWithin, type WorkBudget } from '../base/async';
import { byteLength, headWithin } from '../base/cut';
import { blockRange, headingRange, type LineRange, type NoteStructure, structureOf } from '../markdown/structure';
import { countBytes } from '../markup/budget';
import { nameOnLine } from '../markup/prose';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { NoteText } from '../ports/vault';
import { chooseParts, type Passage, passageSteps, sentencesOf } from '../search/passages';
import { parseQuery, termsOf } from '../search/query';
import { findLast } from '../session/running-fold';
import { bodyBytes, grouped } from './results';

export interface PartAsked {
  readonly heading?: string | undefined;
  readonly block?: string | undefined;
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
  /** One-based, in the first line. */
  readonly startCharacter?: number | undefined;
  /** Lines that were chosen where the request names none. */
  readonly chosen?: ChosenLines | undefined;
}

export interface ChosenLines {
  readonly start: number;
  /** The last line to show if all of them fit. */
  readonly end: number;
  /** One-based, in the first line. */
  readonly startCharacter: number;
  /** Whether they match the question. */
  readonly matches: boolean;
}

export interface PartRead {
  /** One line, ending in a full stop. */
  readonly head: string;
  /** The text exactly as in the note. */
  readonly body: string;
}

/** Reads the requested part, cut at line ends; a single line over the budget is cut within the line. */
export function readPart(note: NoteText, asked: PartAsked, bytes: number = bodyBytes): Outcome<PartRead> {
  const { startLine, endLine } = asked;
  // A range in reverse order names the same lines.
  if (startLine !== undefined && endLine !== undefined && startLine > endLine) {
    return readPart(note, { ...asked, startLine: endLine, endLine: startLine }, bytes);
  }
  const { path, text } = note;
  const structure = structureOf(text);
  const count = lineCountOf(text, structure);
  if (text === '') return succeed({ head: `${nameOnLine(path)} is empty.`, body: '' });
  const named = rangeOf(note, structure, asked, count);
  if (!named.ok) return named;
  const part = named.value;
  const { chosen, startCharacter } = asked;
  const start = Math.max(chosen?.start ?? startLine ?? part.start, part.start);
  const end = Math.min(endLine ?? part.end, part.end);
  if (start > count || start > end) return fail(linesMissing(path, part, count));
  const isLimited = endLine !== undefined || part.end < count;
  const lines = { first: part.start, start, end, startCharacter, chosen, isLimited };
  return succeed(readLines(note, structure, lines, bytes));
}

/**
 * Chooses the lines to show of a note that was asked for without lines and does not fit: those that match the question
 * best, else those after the properties. Linear in the note.
 * @param question empty where a note is read from its beginning
 */
export async function chooseLines(
  note: NoteText,
  asked: PartAsked,
  { question, bytes }: { readonly question: string; readonly bytes: number },
  signal: AbortSignal,
): Promise<ChosenLines | undefined> {
  const { text } = note;
  const { startLine, endLine, startCharacter } = asked;
  const isPlaced = (startLine ?? endLine ?? startCharacter) !== undefined;
  if (question === '' || isPlaced || byteLength(text) <= bytes) return undefined;
  const structure = structureOf(text);
  const named = rangeOf(note, structure, asked, lineCountOf(text, structure));
  if (!named.ok) return undefined;
  const { lines, propertyLines } = structure;
  const { start, end } = named.value;
  if (byteLength(text.slice(lines[start - 1]?.start, lines[end - 1]?.end)) <= bytes) return undefined;
  const found = await findMatchingLines({ text, structure, within: named.value, question, bytes }, signal);
  if (found !== null) return { ...found, matches: true };
  return start === 1 && propertyLines > 0 && propertyLines < end
    ? { start: propertyLines + 1, end, startCharacter: 1, matches: false }
    : undefined;
}

interface LinesAsked extends LineRange {
  /** One-based, in the first line. */
  readonly startCharacter: number | undefined;
  /** The first line of the part that was asked for; the chosen ones may begin after it. */
  readonly first: number;
  readonly chosen: ChosenLines | undefined;
  /** Whether a follow-up read must name the end line to stay in the range. */
  readonly isLimited: boolean;
}

function readLines(
  note: NoteText,
  structure: NoteStructure,
  { first, start, end, chosen, isLimited, startCharacter = chosen?.startCharacter ?? 1 }: LinesAsked,
  bytes: number,
): PartRead {
  const { path, text } = note;
  const { lines } = structure;
  const count = lineCountOf(text, structure);
  const firstLine = lines[start - 1] ?? { start: 0, end: 0 };
  const from = Math.min(firstLine.end, firstLine.start + Math.max(0, startCharacter - 1));
  const last = takeLines(text, lines, start, Math.min(end, chosen?.end ?? end), from, bytes);
  if (last === 0) return readInsideLine(note, firstLine, from, bytes, { line: start, count });
  const body = text.slice(from, lines[last - 1]?.end ?? text.length);
  const range = from === 0 && start === 1 && last === count ? `all ${linesIn(count)}` : formatRange(start, last, count);
  const rest = formatRest(last, end, isLimited, chosen === undefined || first === start ? undefined : first);
  return { head: `${nameOnLine(path)}, ${range}.${rest}`, body };
}

/** Counts lines; a final line end does not start another line. */
function lineCountOf(text: string, { lines }: NoteStructure): number {
  return text.endsWith('\n') ? lines.length - 1 : lines.length;
}

/** Returns the lines of the requested heading or block, or all lines. */
function rangeOf(
  { path, text }: NoteText,
  structure: NoteStructure,
  { heading = '', block = '' }: PartAsked,
  count: number,
): Outcome<LineRange> {
  if (heading.trim() !== '') {
    const found = headingRange(structure, path, heading);
    return found.ok ? succeed({ start: found.value.start, end: Math.min(found.value.end, count) }) : found;
  }
  if (block.trim() !== '') return blockRange(text, structure, path, block);
  return succeed({ start: 1, end: count });
}

function linesMissing(path: string, part: LineRange, count: number): Failure {
  const isWhole = part.start === 1 && part.end === count;
  return {
    kind: 'invalid-input',
    words: isWhole
      ? words.tools.linesMissing(path, grouped(count))
      : words.tools.linesOutsidePart(path, `${part.start}-${part.end}`),
    remedy: words.tools.linesMissingRemedy,
  };
}

/** Reads as much of one line as fits, starting at an offset in the text. */
function readInsideLine(
  { path, text }: NoteText,
  range: { readonly start: number; readonly end: number },
  from: number,
  bytes: number,
  { line, count }: { readonly line: number; readonly count: number },
): PartRead {
  const body = headWithin(text.slice(from, range.end), bytes);
  const next = from + body.length - range.start + 1;
  const length = range.end - range.start;
  return {
    head:
      `${nameOnLine(path)}, characters ${grouped(next - body.length)}-${grouped(next - 1)} of ${grouped(length)} in line ` +
      `${grouped(line)} of ${grouped(count)}. Continue with startLine ${line}, startCharacter ${next}.`,
    body,
  };
}

/**
 * Returns how to read the lines that are not shown; empty if all are shown.
 * @param first the line to go back to; undefined where nothing before the shown lines was asked for
 */
function formatRest(last: number, end: number, isLimited: boolean, first?: number): string {
  const after = last < end ? `startLine ${last + 1}${isLimited ? `, endLine ${end}` : ''}` : '';
  const before = first === undefined ? '' : `startLine ${first}`;
  const ways = [after, before].filter((way) => way !== '').join(', or ');
  return ways === '' ? '' : ` Continue with ${ways}.`;
}

function linesIn(count: number): string {
  return count === 1 ? '1 line' : `${grouped(count)} lines`;
}

function formatRange(start: number, last: number, count: number): string {
  const range = start === last ? `line ${grouped(start)}` : `lines ${grouped(start)}-${grouped(last)}`;
  return `${range} of ${grouped(count)}`;
}

/** Returns the number of the last line that fits; zero if not even the first one does. */
function takeLines(
  text: string,
  lines: readonly { readonly start: number; readonly end: number }[],
  start: number,
  end: number,
  from: number,
  bytes: number,
): number {
  let used = 0;
  let last = 0;
  for (let number = start; number <= end; number += 1) {
    const line = lines[number - 1];
    if (line === undefined) break;
    const begin = number === start ? from : line.start;
    if (line.end - begin > bytes) break;
    used += byteLength(text.slice(begin, line.end)) + 1;
    if (used > bytes) break;
    last = number;
  }
  return last;
}

/** Returns the text of a result: the first line, an empty line, and then only the note's own text. */
export function formatRead({ head, body }: PartRead): string {
  return body === '' ? head : `${head}\n\n${body}`;
}

/** Returns the note's own text in a result; empty if there is none. */
export function bodyOfRead(text: string): string {
  const gap = text.indexOf('\n\n');
  return gap === -1 ? '' : text.slice(gap + 2);
}

// The lines that match the user's question, for a result that holds only a few of a note.

interface LinesQuestion {
  readonly text: string;
  readonly structure: NoteStructure;
  /** The lines to choose from. */
  readonly within: LineRange;
  readonly question: string;
  /** UTF-8 bytes that the result holds. */
  readonly bytes: number;
}

/**
 * Returns the lines of the passage that matches the question best; of a longer passage, those from which on the line or
 * the sentence with most of the words fits. Null if none matches, or if the work was stopped. Linear in the text.
 */
async function findMatchingLines(
  { text, structure, within, question, bytes }: LinesQuestion,
  signal: AbortSignal,
): Promise<(LineRange & { readonly startCharacter: number }) | null> {
  const budget = createWorkBudget(signal);
  const all = (await takeStepsWithin(passageSteps(text, structure), budget)) ?? [];
  const passages = all.filter((each) => each.own && each.startLine >= within.start && each.endLine <= within.end);
  // Names of properties are words of many questions.
  const prose = await bestPassage(
    text,
    passages.filter(({ kind }) => kind === 'text'),
    question,
    budget,
  );
  const best = prose ?? (await bestPassage(text, passages, question, budget));
  if (best === null) return null;
  const fits = (offset: number): boolean => countBytes(text, offset, best.end) <= bytes;
  const head = headingAbove(best, text, structure, within.start);
  if (head !== null && fits(head.start)) return { start: head.line, end: best.endLine, startCharacter: 1 };
  const from = fits(best.start) ? best.start : startWithin(text, structure, best, { question, bytes });
  const start = lineAt(best, structure, from);
  return { start, end: best.endLine, startCharacter: from - (structure.lines[start - 1]?.start ?? from) + 1 };
}

/** Returns the heading right above a passage, of which it is the first text; null for any other passage. */
function headingAbove(
  { startLine, cut }: Passage,
  text: string,
  { lines, headings }: NoteStructure,
  first: number,
): { readonly line: number; readonly start: number } | null {
  const heading = findLast(headings, ({ line }) => line + 1 < startLine);
  if (heading === undefined || cut || heading.line + 1 < first) return null;
  const start = lines[heading.line]?.start ?? 0;
  const between = text.slice(lines[heading.line]?.end, lines[startLine - 1]?.start);
  return between.trim() === '' ? { line: heading.line + 1, start } : null;
}

/** Returns the offset in a passage from which on its richest line fits with as many lines before it as possible. */
function startWithin(
  text: string,
  structure: NoteStructure,
  passage: Passage,
  { question, bytes }: Pick<LinesQuestion, 'question' | 'bytes'>,
): number {
  const asked = new Set(parseQuery(question).terms.flatMap(({ term, joined }) => [term, ...joined]));
  const pieces = linePieces(passage, structure);
  const richestLine = richest(text, pieces, asked);
  const { start, end } = pieces[richestLine] ?? passage;
  if (countBytes(text, start, end) > bytes) {
    const sentences = sentencePieces(text, start, end);
    return sentences[richest(text, sentences, asked)]?.start ?? start;
  }
  const fits = pieces.findIndex((piece) => countBytes(text, piece.start, passage.end) <= bytes);
  return fits === -1 || fits > richestLine ? start : (pieces[fits]?.start ?? start);
}

async function bestPassage(
  text: string,
  passages: readonly Passage[],
  question: string,
  budget: WorkBudget,
): Promise<Passage | null> {
  const { parts, matched } = await chooseParts(text, passages, question, { room: 0, extra: 0 }, budget);
  return matched ? (parts[0] ?? null) : null;
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Returns the index of the first piece with most of the words. */
function richest(text: string, pieces: readonly Piece[], asked: ReadonlySet<string>): number {
  const counts = pieces.map(({ start, end }) => {
    return new Set(termsOf(text.slice(start, end)).filter((term) => asked.has(term))).size;
  });
  return counts.indexOf(Math.max(...counts));
}

function linePieces({ startLine, endLine, start, end }: Passage, { lines }: NoteStructure): Piece[] {
  return lines
    .slice(startLine - 1, endLine)
    .map((line) => ({ start: Math.max(start, line.start), end: Math.min(end, line.end) }));
}

function sentencePieces(text: string, start: number, end: number): Piece[] {
  let at = start;
  return sentencesOf(text.slice(start, end)).map((sentence) => {
    const piece = { start: at, end: at + sentence.length };
    at = piece.end;
    return piece;
  });
}

/** Returns the number of the line of a passage that an offset is in. */
function lineAt({ startLine, endLine }: Passage, { lines }: NoteStructure, offset: number): number {
  let line = startLine;
  while (line < endLine && (lines[line]?.start ?? Infinity) <= offset) line += 1;
  return line;
}
