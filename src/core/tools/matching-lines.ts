/** Chooses the lines of a note that match the user's question, for a result that holds only a few of them. */
import { createWorkBudget, takeStepsWithin, type WorkBudget } from '../base/async';
import type { LineRange, NoteStructure } from '../markdown/structure';
import { countBytes } from '../markup/budget';
import { chooseParts } from '../search/choose-parts';
import { type Passage, passageSteps, sentencesOf } from '../search/passages';
import { parseQuery, termsOf } from '../search/query';
import { findLast } from '../session/running-fold';

export interface LinesQuestion {
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
export async function findMatchingLines(
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
