/** Text of a note with its changes marked, always drawn as text. */
import { withoutHeapedMarks } from '../../core/base/cut';
import type { WordPart } from '../../core/writing/changeset/diff';
import { words } from '../../text';
import { type MarkedPart, markParts, markText, showUnseenCharacters, type TextSegment } from '../render/visible-text';

/** NoteText: text of a note, always drawn as text, with invisible characters made visible. */
export function NoteText({ text }: { readonly text: string }) {
  return <Segments segments={markText(text)} lineEnd={'\n'} />;
}

/** ChangedText: the words of one line, removed ones struck out and added ones underlined. */
export function ChangedText({ parts }: { readonly parts: readonly WordPart[] }) {
  return (
    <>
      {markParts(parts).map(({ kind, segments }: MarkedPart, index) => {
        const drawn = <Segments segments={segments} lineEnd={kind === 'same' ? '' : words.review.lineEnd} />;
        if (kind === 'removed') return <del key={index}>{drawn}</del>;
        return kind === 'added' ? <ins key={index}>{drawn}</ins> : <span key={index}>{drawn}</span>;
      })}
    </>
  );
}

interface SegmentsProps {
  readonly segments: readonly TextSegment[];
  /** What is drawn for a line end. */
  readonly lineEnd: string;
}

function Segments({ segments, lineEnd }: SegmentsProps) {
  return (
    <>
      {segments.map(({ kind, text }, index) => {
        if (kind === 'plain') return text;
        if (kind === 'line-end') return lineEnd;
        return (
          <span key={index} class={`docent-review-${kind}`}>
            {text}
          </span>
        );
      })}
    </>
  );
}

interface Piece {
  /** Empty for a change. */
  readonly same: string;
  readonly removed: string;
  readonly added: string;
}

/** A letter of a word. Scripts written without spaces are left out: in those, each character is a word. */
const letter =
  /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}_]/u
    .source;
const head = new RegExp(`^(?:${letter})+`, 'u');
const tail = new RegExp(`(?:${letter})+$`, 'u');
/** Maximum characters in which the rest of a word is searched. */
const maxWordLength = 64;

/**
 * Joins consecutive changed words into one removed and one added passage, including the spaces between them, so that the
 * change can be read.
 */
export function joinChangedWords(words: readonly WordPart[]): WordPart[] {
  const pieces: Piece[] = [];
  for (const piece of piecesOf(words)) add(pieces, piece);
  return pieces.flatMap(({ same, removed, added }): WordPart[] => {
    const parts: WordPart[] = [
      { kind: 'same', text: same },
      { kind: 'removed', text: removed },
      { kind: 'added', text: added },
    ];
    return parts.filter(({ text }) => text !== '');
  });
}

function piecesOf(words: readonly WordPart[]): Piece[] {
  const pieces: Piece[] = [];
  for (const { kind, text } of words) {
    const last = pieces.at(-1);
    const piece = { same: '', removed: '', added: '', [kind]: text };
    if (last === undefined || kind === 'same' || last.same !== '') pieces.push(piece);
    else pieces[pieces.length - 1] = join(last, piece);
  }
  return pieces;
}

/** Appends a piece, so that a change always covers whole words and the spaces between it and the change before. */
function add(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last === undefined) pieces.push(piece);
  else if (piece.same !== '') addUnchanged(pieces, last, piece);
  else if (last.same === '') pieces[pieces.length - 1] = join(last, piece);
  else addChange(pieces, last, piece);
}

/**
 * Appends unchanged text after `last`; if `last` is a change that ends inside a word, it takes the rest of that word.
 */
function addUnchanged(pieces: Piece[], last: Piece, piece: Piece): void {
  const rest = touches(last, tail) ? (head.exec(piece.same.slice(0, maxWordLength))?.[0] ?? '') : '';
  if (rest !== '') pieces[pieces.length - 1] = join(last, { same: '', removed: rest, added: rest });
  if (rest.length < piece.same.length) pieces.push({ ...piece, same: piece.same.slice(rest.length) });
}

/** Appends a change after unchanged text: it takes the start of its word, and joins the change before over spaces. */
function addChange(pieces: Piece[], last: Piece, piece: Piece): void {
  pieces.pop();
  const begin = touches(piece, head) ? (tail.exec(last.same.slice(-maxWordLength))?.[0] ?? '') : '';
  const unchanged = last.same.slice(0, last.same.length - begin.length);
  const whole = join({ same: '', removed: begin, added: begin }, piece);
  const before = pieces.at(-1);
  const isBetween = /^[^\S\n]*$/.test(unchanged) && before !== undefined && isReplaced(before) && isReplaced(whole);
  if (isBetween)
    pieces[pieces.length - 1] = join(join(before, { same: '', removed: unchanged, added: unchanged }), whole);
  else if (unchanged === '') pieces.push(whole);
  else pieces.push({ ...last, same: unchanged }, whole);
}

/** Whether a change begins, or ends, inside a word. */
function touches({ same, removed, added }: Piece, end: RegExp): boolean {
  const isInWord = (text: string): boolean =>
    end.test(end === head ? text.slice(0, maxWordLength) : text.slice(-maxWordLength));
  return same === '' && (isInWord(removed) || isInWord(added));
}

function isReplaced({ removed, added }: Piece): boolean {
  return removed !== '' && added !== '';
}

function join(one: Piece, other: Piece): Piece {
  return { same: '', removed: one.removed + other.removed, added: one.added + other.added };
}

/**
 * Returns a sentence with names that others gave, in which each says what it is: characters that nobody sees, or that
 * would reorder or break the line, are shown as codes.
 */
export function showInSentence(text: string): string {
  const shown = markText(text).map((segment) =>
    segment.kind === 'line-end' ? showUnseenCharacters(segment.text) : segment.text,
  );
  return withoutHeapedMarks(shown.join(''), (marks) => `{+${[...marks].length}}`);
}
