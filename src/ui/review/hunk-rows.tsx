/** Rows of a hunk: numbered lines with removed and added words, between a few unchanged lines. */
import { startWithEllipsis } from '../../core/base/cut';
import type { HunkView } from '../../core/writing/changeset/describe-changeset';
import { countLines, type WordPart } from '../../core/writing/changeset/diff';
import { words } from '../../text';
import { ChangedText, joinChangedWords } from '../components/changed-text';

interface TextRow {
  /** `changed` has words of more than one kind; `context` is an unchanged line around a hunk. */
  readonly kind: 'context' | 'same' | 'changed' | 'removed' | 'added';
  /** One-based: the old number for a removed line, the new one for all others; null for the rest of a line. */
  readonly line: number | null;
  readonly parts: readonly WordPart[];
}

export interface HunkRows {
  readonly rows: readonly TextRow[];
  readonly left: Hidden;
}

/** Minimum share of unchanged text, of the longer side, for both sides to be shown in one line. */
const minShared = 0.35;
const contextLines = 2;
const maxContext = 240;

export function rowsOfHunk(hunk: HunkView, limit: ShownLimit): HunkRows {
  const { words, removed, added, line, newLine } = hunk;
  if (words !== null && sharedShare(words) >= minShared) {
    const { parts, left } = truncateParts(joinChangedWords(words), limit);
    return { rows: rowsOf(parts, line, newLine), left };
  }
  const half = removed === '' || added === '' ? limit : { lines: limit.lines / 2, characters: limit.characters / 2 };
  const removedSide = sideOf('removed', removed, half);
  const addedSide = sideOf('added', added, half);
  return {
    rows: [...rowsOf(removedSide.parts, line, newLine), ...rowsOf(addedSide.parts, line, newLine)],
    left: addLeft(removedSide.left, addedSide.left),
  };
}

/** Returns the lines of a text that is added or removed as a whole. */
export function rowsOfText(kind: 'added' | 'removed' | 'same', text: string, limit: ShownLimit): HunkRows {
  const { parts, left } = sideOf(kind, text, limit);
  return { rows: rowsOf(parts, 1, 1), left };
}

function sideOf(kind: WordPart['kind'], text: string, limit: ShownLimit): CutParts {
  return text === '' ? { parts: [], left: nothingLeft } : truncateParts([{ kind, text }], limit);
}

function addLeft(one: Hidden, other: Hidden): Hidden {
  return { lines: one.lines + other.lines, characters: one.characters + other.characters };
}

function sharedShare(words: readonly WordPart[]): number {
  const sizes = { same: 0, removed: 0, added: 0 };
  for (const { kind, text } of words) sizes[kind] += text.replace(/\s+/g, '').length;
  const longer = sizes.same + Math.max(sizes.removed, sizes.added);
  return longer === 0 ? 1 : sizes.same / longer;
}

function rowsOf(parts: readonly WordPart[], line: number, newLine: number): TextRow[] {
  const rows: TextRow[] = [];
  let open: WordPart[] = [];
  let [old, next, lastShown] = [line, newLine, 0];
  let [oldAtStart, newAtStart] = [old, next];
  const close = (): void => {
    const kinds = new Set(open.map(({ kind }) => kind));
    const [only] = kinds;
    const kind = kinds.size === 1 && only !== undefined ? only : 'changed';
    const number = kind === 'removed' ? oldAtStart : newAtStart;
    const isRest = kind !== 'removed' && number === lastShown;
    if (kind !== 'removed') lastShown = number;
    rows.push({ kind, line: isRest ? null : number, parts: kind === 'changed' ? open : withoutLineEnd(open) });
    open = [];
    [oldAtStart, newAtStart] = [old, next];
  };
  for (const { kind, text } of parts) {
    const lines = text.split('\n');
    for (const [index, piece] of lines.entries()) {
      const isLast = index === lines.length - 1;
      const end = isLast ? '' : '\n';
      if (piece + end !== '') open.push({ kind, text: piece + end });
      if (isLast) continue;
      if (kind !== 'added') old += 1;
      if (kind !== 'removed') next += 1;
      close();
    }
  }
  if (open.length > 0) close();
  return rows;
}

/** Drops the line end of a row that is all of one kind, which shows nothing that changed. */
function withoutLineEnd(parts: readonly WordPart[]): readonly WordPart[] {
  return parts.map(({ kind, text }) => ({ kind, text: text.replace(/\r?\n$/, '') }));
}

export interface HunkContext {
  readonly before: readonly TextRow[];
  readonly after: readonly TextRow[];
}

/** Returns the lines around a hunk, at most two on each side, and none of them twice between two hunks. */
export function contextOf(text: string, hunks: readonly HunkView[], index: number): HunkContext {
  const hunk = hunks[index];
  if (hunk === undefined) return { before: [], after: [] };
  const before = linesBefore(text, hunk.start, hunks[index - 1]?.end ?? 0);
  const next = hunks[index + 1];
  const taken = next === undefined ? 0 : linesBefore(text, next.start, hunk.end).length;
  const after = linesAfter(text, hunk.end, next?.start ?? text.length, taken);
  const firstAfter = hunk.newLine + lineCount(hunk.added);
  return {
    before: before.map((line, at) => contextRow(line, hunk.newLine - before.length + at)),
    after: after.map((line, at) => contextRow(line, firstAfter + at)),
  };
}

function contextRow(text: string, line: number): TextRow {
  return { kind: 'context', line, parts: [{ kind: 'same', text: startWithEllipsis(text, maxContext) }] };
}

function linesBefore(text: string, start: number, from: number): string[] {
  const lines: string[] = [];
  let end = start;
  while (lines.length < contextLines && end > from) {
    const begin = Math.max(from, text.lastIndexOf('\n', end - 2) + 1);
    lines.unshift(text.slice(begin, end).replace(/\r?\n$/, ''));
    end = begin;
  }
  return lines;
}

function linesAfter(text: string, start: number, to: number, taken: number): string[] {
  const lines: string[] = [];
  let begin = start;
  while (lines.length < contextLines + taken && begin < to) {
    const next = text.indexOf('\n', begin);
    const end = next === -1 || next >= to ? to : next + 1;
    lines.push(text.slice(begin, end).replace(/\r?\n$/, ''));
    begin = end;
  }
  return begin < to ? lines.slice(0, contextLines) : lines.slice(0, Math.max(0, lines.length - taken));
}

/** Returns the number of lines of a text. */
export function lineCount(text: string): number {
  return text === '' ? 0 : countLines(text) + (text.endsWith('\n') ? 0 : 1);
}

interface ShownLimit {
  readonly lines: number;
  readonly characters: number;
}

/** How much of a hunk or a note is drawn at first. */
export const initialLimit: ShownLimit = { lines: 60, characters: 8_000 };

export function raiseLimit({ lines, characters }: ShownLimit): ShownLimit {
  return { lines: lines * 5, characters: characters * 5 };
}

/** The part of a long text that is drawn at first, so that a note of any size opens at once. */
interface CutParts {
  readonly parts: readonly WordPart[];
  readonly left: Hidden;
}

/** What is not drawn: whole lines, or characters if the cut is in the last line. */
interface Hidden {
  readonly lines: number;
  readonly characters: number;
}

const nothingLeft: Hidden = { lines: 0, characters: 0 };

export function truncateParts(parts: readonly WordPart[], limit: ShownLimit): CutParts {
  const drawn: WordPart[] = [];
  let { lines, characters } = limit;
  for (const [index, { kind, text }] of parts.entries()) {
    const end = endWithin(text, lines, characters);
    if (end > 0) drawn.push({ kind, text: text.slice(0, end) });
    if (end < text.length) {
      const rest = [text.slice(end), ...parts.slice(index + 1).map((part) => part.text)];
      return { parts: drawn, left: countLeft(rest, text.charAt(end - 1) === '\n') };
    }
    lines -= countNewlines(text);
    characters -= text.length;
  }
  return { parts: drawn, left: nothingLeft };
}

/** Returns where to cut: never inside a surrogate pair or a line end. */
function endWithin(text: string, lines: number, characters: number): number {
  let at = 0;
  for (let line = 0; line < lines; line += 1) {
    const next = text.indexOf('\n', at);
    if (next === -1 || next >= characters) {
      if (text.length <= characters) return text.length;
      // A line that would fit into the limit on its own is not cut but left for the next step.
      if (at > 0 && next !== -1 && next - at < characters) return at;
      const end = Math.max(at, characters);
      return /[\ud800-\udbff\r]/.test(text.charAt(end - 1)) ? end - 1 : end;
    }
    at = next + 1;
  }
  return at;
}

function countLeft(texts: readonly string[], isAtLineStart: boolean): Hidden {
  const newlines = texts.reduce((sum, text) => sum + countNewlines(text), 0);
  const isOpen = !(texts.at(-1) ?? '').endsWith('\n');
  const lines = newlines + (isOpen ? 1 : 0) - (isAtLineStart ? 0 : 1);
  return lines > 0 ? { lines, characters: 0 } : { lines: 0, characters: texts.join('').length };
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

interface RowsViewProps {
  readonly rows: readonly TextRow[];
  readonly left: Hidden;
  readonly onMore: () => void;
}

const signs: Readonly<Record<TextRow['kind'], string>> = {
  context: '',
  same: '',
  changed: '±',
  removed: '−',
  added: '+',
};
const say = words.review;

/** RowsView: numbered lines of a hunk or a note, and the button for those that are not drawn yet. */
export function RowsView({ rows, left, onMore }: RowsViewProps) {
  const isAll = left.lines === 0 && left.characters === 0;
  return (
    <div class="docent-review-rows">
      {rows.map((row, index) => (
        <Row key={index} row={row} />
      ))}
      {!isAll && (
        <button type="button" class="docent-review-more" onClick={onMore}>
          {left.lines > 0 ? say.moreLines(left.lines) : say.moreCharacters(left.characters)}
        </button>
      )}
    </div>
  );
}

function Row({ row: { kind, line, parts } }: { readonly row: TextRow }) {
  const text = <ChangedText parts={parts} />;
  return (
    <div class={`docent-review-row is-${kind}`}>
      <span class="docent-review-number" aria-hidden="true">
        {line}
      </span>
      <span class="docent-review-sign" aria-hidden="true">
        {signs[kind]}
      </span>
      <span class="docent-review-text" dir="auto">
        {text}
      </span>
    </div>
  );
}
