/**
 * Search result: the text of a search, which models read and the built-in reader parses.
 *
 *     result   = summary LF *( LF passage )
 *     passage  = "[" number "] " path LF [ "heading: " trail LF ] "lines: " first "-" last [ ", part" ] LF text LF
 *     trail    = heading *( " › " heading )        a "›" inside a heading is doubled
 *     text     = the lines first to last exactly as in the note; their number says where the text ends
 *
 * "part" marks text that starts or ends inside a line. A result without passages is its summary alone.
 */
import { byteLength, headWithin } from '../base/cut';
import type { FoundPassage } from '../search/rank-passages';
import { fairShares } from '../markup/budget';
import { sentencesOf } from '../search/passages';
import { parseQuery, termsOf } from '../search/query';
import { counted, formatUnindexed, grouped } from './results';

/** A passage as shown in a result: found by a search, or parsed from the text of a result. */
export type QuotedPassage = Omit<FoundPassage, 'score'>;

export interface SearchResult {
  /** One line. */
  readonly summary: string;
  readonly passages: readonly QuotedPassage[];
}

export function formatSearchResult(result: SearchResult): string {
  return [result.summary.replace(/\s+/g, ' ').trim(), ...result.passages.map(formatPassage)].join('\n\n');
}

function formatPassage(passage: QuotedPassage, index: number): string {
  const lines = [`[${index + 1}] ${passage.path}`];
  if (passage.trail.length > 0) lines.push(`heading: ${passage.trail.map(escapeStep).join(' › ')}`);
  lines.push(`lines: ${passage.startLine}-${passage.endLine}${passage.cut ? ', part' : ''}`, passage.text);
  return lines.join('\n');
}

/** Returns undefined if the text is not a search result. A truncated result yields the passages before the cut. */
export function parseSearchResult(text: string): SearchResult | undefined {
  const lines = text.split('\n');
  const summary = lines[0] ?? '';
  const passages: QuotedPassage[] = [];
  let at = 1;
  while (at < lines.length) {
    if (lines[at] !== '') return passages.length > 0 ? { summary, passages } : undefined;
    const parsed = parsePassage(lines, at + 1);
    if (parsed === null) break;
    passages.push(parsed.passage);
    at = parsed.end;
  }
  return { summary, passages };
}

/** @returns the passage and the index of the line after it; null when it is malformed or cut short */
function parsePassage(
  lines: readonly string[],
  at: number,
): { readonly passage: QuotedPassage; readonly end: number } | null {
  const path = /^\[\d+\] (.+)$/.exec(lines[at] ?? '')?.[1];
  if (path === undefined) return null;
  const heading = /^heading: (.+)$/.exec(lines[at + 1] ?? '')?.[1];
  const rangeAt = at + (heading === undefined ? 1 : 2);
  const range = /^lines: (\d+)-(\d+)(, part)?$/.exec(lines[rangeAt] ?? '');
  if (range === null) return null;
  const startLine = Number(range[1]);
  const endLine = Number(range[2]);
  const end = rangeAt + 1 + endLine - startLine + 1;
  if (endLine < startLine || end > lines.length) return null;
  const passage = {
    path,
    trail: heading === undefined ? [] : heading.split(' › ').map(unescapeStep),
    startLine,
    endLine,
    text: lines.slice(rangeAt + 1, end).join('\n'),
    cut: range[3] !== undefined,
  };
  return { passage, end };
}

function escapeStep(heading: string): string {
  return heading.replace(/›/g, '››');
}

function unescapeStep(step: string): string {
  return step.replace(/››/g, '›');
}

// Fitting passages into one result: each is shortened to the lines with most of the words that are searched for.

/** Bytes that a passage needs to be of use, and of its text. */
const minPassageBytes = 320;
const minTextBytes = 80;

/**
 * Returns as many passages as are of use in the bytes. Where only some can be shown, those with most of the words come
 * first, each from another note.
 */
export function fitPassages(all: readonly QuotedPassage[], query: string, bytes: number): QuotedPassage[] {
  const asked = new Set(parseQuery(query).terms.flatMap(({ term, light, joined }) => (light ? [] : [term, ...joined])));
  const count = Math.max(1, Math.floor(bytes / minPassageBytes));
  const shown = count < all.length ? sortByWords(all, asked).slice(0, count) : all;
  const shares = fairShares(shown.map(sizeOf), bytes);
  return shown.map((passage, index) => shortenPassage(passage, asked, shares[index] ?? 0));
}

function sortByWords(passages: readonly QuotedPassage[], asked: ReadonlySet<string>): QuotedPassage[] {
  const counted = passages.map((passage) => ({ passage, count: countTerms(formatPassage(passage, 0), asked) }));
  const sorted = counted.sort((a, b) => b.count - a.count).map(({ passage }) => passage);
  const isFirst = ({ path }: QuotedPassage, index: number): boolean =>
    sorted.findIndex((other) => other.path === path) === index;
  return [...sorted.filter(isFirst), ...sorted.filter((passage, index) => !isFirst(passage, index))];
}

/** Counts the terms that a text has, each once. */
function countTerms(text: string, asked: ReadonlySet<string>): number {
  return new Set(termsOf(text).filter((term) => asked.has(term))).size;
}

/** Returns the bytes of passages in a result, each with the empty line before it. */
export function sizeOfPassages(passages: readonly QuotedPassage[]): number {
  return passages.reduce((sum, passage) => sum + sizeOf(passage), 0);
}

/** Returns the bytes of a passage in a result, with the empty line before it. */
function sizeOf(passage: QuotedPassage): number {
  return byteLength(formatPassage(passage, maxNumber)) + 2;
}

/** The number of a passage with most digits. */
const maxNumber = 98;

function shortenPassage(passage: QuotedPassage, asked: ReadonlySet<string>, bytes: number): QuotedPassage {
  if (sizeOf(passage) <= bytes) return passage;
  const placed = { ...passage, text: '', cut: true };
  const headed = bytes - sizeOf(placed) < bytes / 2 ? { ...passage, trail: passage.trail.slice(-1) } : passage;
  const left = Math.max(minTextBytes, bytes - sizeOf({ ...headed, text: '', cut: true }));
  const lines = passage.text.split('\n');
  const { start, end } = chooseAround(lines, asked, left, 1);
  const text = lines.slice(start, end).join('\n');
  const shown = { ...headed, startLine: passage.startLine + start, endLine: passage.startLine + end - 1 };
  if (byteLength(text) <= left) return { ...shown, text, cut: passage.cut && lines.length === 1 };
  const sentences = sentencesOf(text);
  const chosen = chooseAround(sentences, asked, left, 0);
  return { ...shown, text: headWithin(sentences.slice(chosen.start, chosen.end).join(''), left).trimEnd(), cut: true };
}

interface PieceRange {
  readonly start: number;
  /** Excluded. */
  readonly end: number;
}

/**
 * Returns the piece of a text with most of the terms, and as many pieces around it as fit, those with more terms first;
 * no blank pieces at the edges.
 * @param joint bytes between two pieces
 */
function chooseAround(pieces: readonly string[], asked: ReadonlySet<string>, bytes: number, joint: number): PieceRange {
  const scores = pieces.map((piece) => countTerms(piece, asked));
  let start = scores.indexOf(Math.max(...scores));
  let end = start + 1;
  let left = bytes - byteLength(pieces[start] ?? '');
  const sizeAt = (index: number): number => byteLength(pieces[index] ?? '') + joint;
  for (;;) {
    const fits = [end, start - 1].filter((index) => index in pieces && sizeAt(index) <= left);
    const [next] = fits.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
    if (next === undefined) break;
    left -= sizeAt(next);
    if (next === end) end += 1;
    else start = next;
  }
  const isBlank = (index: number): boolean => end - start > 1 && (pieces[index] ?? '').trim() === '';
  while (isBlank(start)) start += 1;
  while (isBlank(end - 1)) end -= 1;
  return { start, end };
}

export interface SearchCounts {
  readonly query: string;
  readonly shown: number;
  /** The number of notes among the shown passages. */
  readonly shownNotes: number;
  readonly fitting: number;
  /** Whether passages were left out or shortened because the result has no more space. */
  readonly isFull: boolean;
  /** Whether a higher limit would return more. */
  readonly canRaiseLimit: boolean;
  /** Whether no limit, folder, or tag would: the passages that are not shown are in the same notes. */
  readonly areInSameNotes: boolean;
  readonly searched: number;
  readonly unread: number;
  readonly absent: readonly string[];
  readonly present: readonly string[];
  /** Whether one note has all of these. */
  readonly isTogether: boolean;
  /** Notes that the index has not reached yet. */
  readonly waiting: number;
  /** Notes that were left out because Obsidian does not know their tags yet. */
  readonly unindexed: number;
  /** Passages with words of the query that were not looked through for the quoted ones. */
  readonly unchecked: number;
}

/** Returns the first line of a result: what was found, what was not, and how to get more. */
export function summarise(counts: SearchCounts): string {
  const quoted = (list: readonly string[]): string => list.map((word) => `"${word}"`).join(', ');
  const parts: string[] = [];
  const all = counted(counts.searched + counts.waiting, 'note');
  const part =
    counts.waiting > 0
      ? [
          `Searched ${grouped(counts.searched)} of ${all} so far: the others are still being indexed. Search again later.`,
        ]
      : [];
  const where = counts.waiting + counts.unindexed > 0 ? 'In none of these' : 'In no note';
  const absent = [...part, ...(counts.absent.length > 0 ? [`${where}: ${quoted(counts.absent)}.`] : [])];
  if (counts.shown === 0) {
    parts.push(`Nothing found for: ${counts.query}.`);
    if (counts.waiting === 0) parts.push(`Searched ${counted(counts.searched, 'note')}.`);
    parts.push(...absent);
    const apart = counts.isTogether ? '' : ', but not together';
    if (counts.present.length > 0) parts.push(`In some notes${apart}: ${quoted(counts.present)}.`);
  } else if (counts.isFull) {
    parts.push(`${grouped(counts.shown)} of ${counted(counts.fitting, 'passage')} shown.`, ...absent);
  } else {
    parts.push(`${counted(counts.shown, 'passage')} in ${counted(counts.shownNotes, 'note')} for: ${counts.query}.`);
    const more = counts.fitting - counts.shown;
    parts.push(...absent);
    if (more > 0)
      parts.push(`${counted(more, 'more passage')} ${more === 1 ? 'matches' : 'match'}${waysToMore(counts)}`);
  }
  if (counts.unchecked > 0) {
    const were = counts.unchecked === 1 ? 'was' : 'were';
    parts.push(
      `${counted(counts.unchecked, 'passage')} with such words ${were} not looked through for the quoted ones.`,
    );
  }
  if (counts.unindexed > 0) parts.push(formatUnindexed(counts.unindexed).trim());
  if (counts.unread > 0) parts.push(`${counted(counts.unread, 'note')} could not be read.`);
  return parts.join(' ');
}

/** Returns where the passages that are not shown are, or how to see them; goes on after a count of them. */
function waysToMore({ areInSameNotes, shownNotes, canRaiseLimit }: SearchCounts): string {
  if (areInSameNotes)
    return shownNotes === 1 ? ' in this note: read it to see all.' : ' in these notes: read them to see all.';
  return canRaiseLimit ? '. Raise limit, or set folder or tag.' : '. Set folder or tag to see others.';
}

/** Returns how many notes a summary reports as unreadable; undefined if none. */
export function unreadIn(summary: string): string | undefined {
  return / ([\d,]+) notes? could not be read\.$/.exec(summary)?.[1];
}

/** Returns how many notes a summary reports as searched so far, and of how many; undefined if of all. */
export function partIn(summary: string): readonly [string, string] | undefined {
  const [, searched, all] = / Searched ([\d,]+) of ([\d,]+) notes? so far:/.exec(summary) ?? [];
  return searched === undefined || all === undefined ? undefined : [searched, all];
}
