/** Whether a text is still that of a note, and whether a change of the note can be taken back at its place in it. */
import { lazy } from '../../base/lazy';
import { countLeading } from '../../base/list-edits';
import { propertiesBlockOf } from '../../markdown/properties';

/** Characters: of the pieces by which texts are compared, and of the beginning of a text that is. */
const pieceLength = 8;
const maxCompared = 100_000;

/**
 * Whether the shorter of two texts is in the other one, or at least half of its pieces are. Properties, which many notes
 * have in common, count only where there is nothing else.
 */
export function isAlike(one: string, other: string): boolean {
  const bodies = [one, other].map((text) => text.slice(bodyStartOf(text))) as [string, string];
  const [short, long] = bodies.every((body) => letter.test(body)) ? inOrder(...bodies) : inOrder(one, other);
  return short !== '' && (long.includes(short) || sharesPieces(short, long));
}

function inOrder(one: string, other: string): [short: string, long: string] {
  const [short = '', long = ''] = [one, other].map((text) => text.trim()).sort((a, b) => a.length - b.length);
  return [short, long];
}

function sharesPieces(short: string, long: string): boolean {
  const [pieces, known] = [piecesOf(short), piecesOf(long)];
  const shared = [...pieces].filter((piece) => known.has(piece)).length;
  return shared > 0 && 2 * shared >= pieces.size;
}

function piecesOf(text: string): ReadonlySet<string> {
  const pieces = new Set<string>();
  const end = Math.min(text.length, maxCompared) - pieceLength;
  for (let at = 0; at <= end; at += 1) pieces.add(text.slice(at, at + pieceLength));
  return pieces;
}

/** In a line by which a place is known: blank lines, rules, and empty list items are everywhere. */
const letter = /[\p{L}\p{N}\p{So}]/u;

/** A part of a text, by its offsets. */
interface Part {
  readonly start: number;
  readonly end: number;
}

interface Change extends Part {
  readonly added: string;
}

interface WordedLine extends Part {
  readonly isLeft: boolean;
}

/**
 * Returns whether a change of the base text still has its place in the current one, since a note may have been deleted
 * and made again with other content. Its place is next to a line that it was next to. A change of properties, which many
 * notes have in common, and one with no such line left, of lines that are as they were or at the start or the end, have
 * their place in a text that is the same note.
 * @param ours what was changed in the base text since
 */
export function placeIn(base: string, mine: string, ours: readonly Change[]): (change: Part) => boolean {
  const bodyStart = bodyStartOf(base);
  const lines = wordedLines(base, bodyStart, ours);
  const isSameNote = lazy(() => {
    const body = mine.slice(bodyStartOf(mine));
    const left = lines.filter(({ isLeft }) => isLeft).length;
    const least = Math.min(lines.length, countWorded(body)) / 2;
    return (left > 0 && left >= least) || sharesPieces(...inOrder(base.slice(bodyStart), body));
  });
  return ({ start, end }) => {
    if (start < bodyStart && end <= bodyStart) return lines.length === 0 || isSameNote();
    const first = countLeading(lines, (line) => line.end <= start);
    const last = countLeading(lines, (line) => line.start < end);
    const [above, below] = [lines[first - 1], lines[last]];
    if (above?.isLeft === true || below?.isLeft === true) return true;
    if (lines.length === 0) return !letter.test(mine.slice(bodyStartOf(mine)));
    const isOwn = last > first && lines.slice(first, last).every(({ isLeft }) => isLeft);
    const isStart = above === undefined && !ours.some((each) => each.start < start && letter.test(each.added));
    const isEnd = below === undefined && !ours.some((each) => each.end > end && letter.test(each.added));
    return (isOwn || isStart || isEnd) && isSameNote();
  };
}

function bodyStartOf(text: string): number {
  const block = propertiesBlockOf(text);
  return block === null || block === 'unclosed' ? 0 : block.bodyStart;
}

function wordedLines(base: string, bodyStart: number, ours: readonly Part[]): WordedLine[] {
  const lines: WordedLine[] = [];
  let next = 0;
  for (let start = bodyStart; start < base.length;) {
    const found = base.indexOf('\n', start);
    const end = found === -1 ? base.length : found + 1;
    while ((ours[next]?.end ?? Infinity) <= start) next += 1;
    const isLeft = (ours[next]?.start ?? Infinity) >= end;
    if (letter.test(base.slice(start, end))) lines.push({ start, end, isLeft });
    start = end;
  }
  return lines;
}

function countWorded(text: string): number {
  return text.split('\n').filter((line) => letter.test(line)).length;
}
