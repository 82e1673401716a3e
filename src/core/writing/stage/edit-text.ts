/** Edits text by anchor, and finds the lines that a missing anchor may have meant. */
import { words } from '../../../text';
import { isWritable, lastLineOf, lineEndAt, lineNumberAt, plainLines, withLineEnd } from '../../markdown/encoding';
import { goesOn, isUnderline, linesOf, type TextHeading } from '../../markdown/structure';
import { type Failure, fail, type Outcome, succeed } from '../../ports/failure';
import { shorten } from '../changeset/diff';

// Edits by anchor: replaces the only occurrence of the old text; nothing is trimmed, guessed, or overwritten.

/** Replaces the passage; both texts may use `\n` regardless of the line ends in the note. */
export function editText(path: string, text: string, oldText: string, newText: string): Outcome<string> {
  if (oldText === '') return refuse(words.writing.anchorEmpty, words.writing.anchorEmptyRemedy);
  if (!isWritable(newText)) return fail(unwritable());
  const forms = [...new Set([oldText, oldText.normalize('NFC'), oldText.normalize('NFD')])];
  // A model writes “é” as one character, and a text from a PDF file or a Mac may have it as two.
  const spots = forms.map((form) => findSpots(text, form)).find(({ length }) => length > 0) ?? [];
  const [spot, ...others] = spots;
  const isTorn = ({ start, end }: Anchor): boolean => [start, end].some((offset) => isInCharacter(text, offset));
  if (spot === undefined || (others.length === 0 && isTorn(spot))) return fail(notFound(path, text, oldText));
  if (others.length > 0) {
    return fail(
      ambiguous(
        path,
        text,
        spots.map(({ start }) => start),
      ),
    );
  }
  const replacement = withLineEnd(newText, lineEndFor(text, spot));
  const edited = text.slice(0, spot.start) + replacement + text.slice(spot.end);
  if (edited === text) return refuse(words.writing.nothingChanges(path), words.writing.nothingChangesRemedy);
  // An old text that is half of a character leaves the other half behind.
  return isWritable(edited) ? succeed(edited) : fail(unwritable());
}

interface Anchor {
  readonly start: number;
  readonly end: number;
}

/** Searches for the anchor as written, then with any line ends. */
function findSpots(text: string, anchor: string): Anchor[] {
  const exact = allOf(text, anchor).map((start) => ({ start, end: start + anchor.length }));
  const isTorn = exact.some(({ start, end }) => isInLineEnd(text, start) || isInLineEnd(text, end));
  if ((exact.length > 0 && !isTorn) || !/[\r\n]/.test(anchor)) return exact;
  const plain = plainLines(text);
  const wanted = anchor.replace(/\r\n/g, '\n');
  return allOf(plain.text, wanted).map((start) => ({
    start: plain.original(start),
    end: plain.original(start + wanted.length),
  }));
}

/** Whether an offset is within what is seen as one character: before an accent of its own, or in a joined emoji. */
function isInCharacter(text: string, offset: number): boolean {
  if (offset === 0 || offset === text.length) return false;
  const isJoined = /^(?:\u200d|.(?:\u200d|\ufe0f|\p{Emoji_Modifier}))/su.test(text.slice(offset - 1, offset + 2));
  return isJoined || text.slice(offset - 1, offset + 1).normalize().length === 1;
}

/** Whether an offset is between the two characters of a Windows line ending, which an edit would tear. */
function isInLineEnd(text: string, offset: number): boolean {
  return offset > 0 && text.startsWith('\r\n', offset - 1);
}

/**
 * Finds all occurrences; overlapping ones count, since either could be meant. By Knuth, Morris and Pratt, as `indexOf`
 * takes the product of both lengths where the texts repeat themselves.
 */
function allOf(text: string, wanted: string): number[] {
  /** For each start of what is wanted, the length of the longest shorter start that it ends with. */
  const shorter = new Uint32Array(wanted.length);
  const extended = (length: number, code: number): number => {
    let now = length;
    while (now > 0 && (now === wanted.length || wanted.charCodeAt(now) !== code)) now = shorter[now - 1] ?? 0;
    return wanted.charCodeAt(now) === code ? now + 1 : now;
  };
  for (let at = 1; at < wanted.length; at += 1) shorter[at] = extended(shorter[at - 1] ?? 0, wanted.charCodeAt(at));
  const found: number[] = [];
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    length = extended(length, text.charCodeAt(at));
    if (length === wanted.length) found.push(at + 1 - length);
  }
  return found;
}

function lineEndFor(text: string, { start, end }: Anchor): '\n' | '\r\n' {
  return /\n/.test(text.slice(start, end)) ? lineEndAt(text, start) : lineEndAt(text, end);
}

export interface AppendPlace {
  /** The heading of the section to append to; without it, the end of the note. */
  readonly heading?: string;
}

/** Appends lines to the note or to a section. The note ends in a newline afterwards only if it did before. */
export function appendText(
  path: string,
  text: string,
  addition: string,
  headings: readonly (Pick<TextHeading, 'text' | 'level' | 'isUnderlined'> & { readonly start: number })[],
  place: AppendPlace = {},
): Outcome<string> {
  if (addition.trim() === '') return refuse(words.writing.nothingToAdd, words.writing.nothingToAddRemedy);
  if (!isWritable(addition)) return fail(unwritable());
  if (place.heading === undefined) return succeed(insertLines(path, text, text.length, addition));
  const wanted = place.heading.replace(/^#{1,6}[ \t]+/, '').trim();
  const named = headingsNamed(headings, wanted);
  const [heading] = named;
  if (heading === undefined) {
    const known = headings.map((each) => each.text).slice(0, 20);
    return fail({
      kind: 'not-found',
      words: words.writing.headingMissing(wanted, path),
      remedy: words.writing.headingMissingRemedy(known),
    });
  }
  if (named.length > 1)
    return fail(
      ambiguousHeading(
        path,
        text,
        wanted,
        named.map(({ start }) => start),
      ),
    );
  const next = headings.find(({ level, start }) => start > heading.start && level <= heading.level);
  const end = next?.start ?? text.length;
  // A pattern would look at each run of empty lines above as often as it has lines.
  let body = end;
  while (body > 0 && /[\r\n]/.test(text.charAt(body - 1))) body -= 1;
  const at = endOfLine(text, Math.max(body, heading.start));
  // Directly above a heading that is underlined, the lines would become a part of it.
  const isAbove = at === next?.start && next.isUnderlined === true;
  const lines = isAbove ? `${addition}${addition.endsWith('\n') ? '' : '\n'}\n` : addition;
  return succeed(insertLines(path, text, at, lines));
}

/** Returns the headings of this name; without one, those that differ only in what a model cannot see, and so not copy. */
function headingsNamed<Heading extends Pick<TextHeading, 'text'>>(
  headings: readonly Heading[],
  wanted: string,
): readonly Heading[] {
  const exact = headings.filter(({ text }) => text === wanted);
  const spelled = (text: string): string => text.normalize().replace(/\s+/g, ' ');
  return exact.length > 0 ? exact : headings.filter(({ text }) => spelled(text) === spelled(wanted));
}

/** Returns the offset after the end of the line that contains an offset. */
function endOfLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at === -1 ? text.length : at + 1;
}

/** Inserts whole lines at an offset, which is the start of a line or the end of the text. */
function insertLines(path: string, text: string, offset: number, addition: string): string {
  const lineEnd = lineEndAt(text, offset);
  const before = text.slice(0, offset);
  const after = text.slice(offset);
  const open = before !== '' && !before.endsWith('\n');
  const above = lastLineOf(before);
  const first = addition.split('\n', 1)[0] ?? '';
  // Directly below a text, a rule would make a heading of it, and a text would become a part of a list, quote, or table.
  const isTaken = above.trim() !== '' && (isUnderline(first) || (/\.md$/i.test(path) && goesOn(above, first)));
  const body = withLineEnd(isTaken ? `\n${addition}` : addition, lineEnd);
  if (open && after === '') return before + lineEnd + (body.endsWith(lineEnd) ? body.slice(0, -lineEnd.length) : body);
  return before + (open ? lineEnd : '') + body + (body.endsWith('\n') ? '' : lineEnd) + after;
}

function notFound(path: string, text: string, anchor: string): Failure {
  const near = nearestLines(text, anchor);
  return {
    kind: 'not-found',
    words: words.writing.anchorMissing(path),
    remedy: near.length === 0 ? words.writing.anchorMissingRemedy : words.writing.anchorNear(near),
  };
}

function ambiguous(path: string, text: string, starts: readonly number[]): Failure {
  const lines = starts.slice(0, 20).map((start) => lineNumberAt(text, start));
  return {
    kind: 'invalid-input',
    words: words.writing.anchorSeveral(path, starts.length, lines),
    remedy: words.writing.anchorSeveralRemedy,
  };
}

function ambiguousHeading(path: string, text: string, heading: string, starts: readonly number[]): Failure {
  const lines = starts.slice(0, 20).map((start) => lineNumberAt(text, start));
  return {
    kind: 'invalid-input',
    words: words.writing.headingSeveral(shorten(heading), path, lines),
    remedy: words.writing.headingSeveralRemedy,
  };
}

export function unwritable(): Failure {
  return { kind: 'invalid-input', words: words.writing.unwritable, remedy: words.writing.unwritableRemedy };
}

function refuse(what: string, remedy: string): Outcome<never> {
  return fail({ kind: 'invalid-input', words: what, remedy });
}

// Nearest lines: where a missing passage may have been meant, for the text of a refusal.

export interface NumberedLine {
  /** One-based. */
  readonly number: number;
  readonly text: string;
}

const maxNearest = 3;

/** The maximum number of lines to compare, and characters of each. */
const linesCompared = 20_000;
const charactersCompared = 400;

/** Returns the lines most similar to the first non-blank line of a passage, best first. */
export function nearestLines(text: string, passage: string): NumberedLine[] {
  const wanted = passage
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');
  if (wanted === undefined) return [];
  const pairs = pairsOf(wanted);
  return linesOf(text)
    .slice(0, linesCompared)
    .map((line, index) => {
      const own = text.slice(line.start, Math.min(line.end, line.start + charactersCompared));
      return { number: index + 1, text: own, score: likeness(pairs, pairsOf(own.trim())) };
    })
    .filter(({ score }) => score > 0.35)
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, maxNearest)
    .map(({ number, text: line }) => ({ number, text: shorten(line) }));
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}

function pairsOf(line: string): Set<string> {
  const folded = line.slice(0, charactersCompared).toLowerCase();
  const pairs = new Set<string>();
  for (let index = 0; index < folded.length - 1; index += 1) pairs.add(folded.slice(index, index + 2));
  if (folded.length === 1) pairs.add(folded);
  return pairs;
}
