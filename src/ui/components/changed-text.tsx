/** Text of a note with its changes marked, always as text. */
import type { WordPart } from '../../core/writing/changeset/diff';
import { words } from '../../text';
import { type MarkedPart, markParts, markText, type TextSegment } from '../render/visible-text';

/** NoteText: text of a note, always as text; what the eye would miss in it is drawn. */
export function NoteText({ text }: { readonly text: string }) {
  return <Segments segments={markText(text)} lineEnd={'\n'} />;
}

/** Words of one line, those that go struck out and those that come underlined. */
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

// Joins what changes in a line to whole words and passages, so that it can be read.

interface Piece {
  /** Empty for a change. */
  readonly same: string;
  readonly removed: string;
  readonly added: string;
}

/** Scripts that are written without spaces: there a character is a word. */
const letter =
  /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}_]/u
    .source;
const head = new RegExp(`^(?:${letter})+`, 'u');
const tail = new RegExp(`(?:${letter})+$`, 'u');
/** Characters in which the rest of a word is looked for. */
const maxWordLength = 64;

/** Words in a row that all change become one passage that goes and one that comes, with the spaces between. */
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

/** Adds a piece; a change takes the rest of its words from what stays beside it, and spaces between it and the last. */
function add(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last === undefined) pieces.push(piece);
  else if (piece.same !== '') addUnchanged(pieces, last, piece);
  else if (last.same === '') pieces[pieces.length - 1] = join(last, piece);
  else addChange(pieces, last, piece);
}

/** Adds what stays after `last`; a change that ends inside a word takes the rest of that word. */
function addUnchanged(pieces: Piece[], last: Piece, piece: Piece): void {
  const rest = touches(last, tail) ? (head.exec(piece.same.slice(0, maxWordLength))?.[0] ?? '') : '';
  if (rest !== '') pieces[pieces.length - 1] = join(last, { same: '', removed: rest, added: rest });
  if (rest.length < piece.same.length) pieces.push({ ...piece, same: piece.same.slice(rest.length) });
}

/** Adds a change after `last`, which stays: takes the beginning of its word, and joins the change before over spaces. */
function addChange(pieces: Piece[], last: Piece, piece: Piece): void {
  pieces.pop();
  const begin = touches(piece, head) ? (tail.exec(last.same.slice(-maxWordLength))?.[0] ?? '') : '';
  const kept = last.same.slice(0, last.same.length - begin.length);
  const whole = join({ same: '', removed: begin, added: begin }, piece);
  const before = pieces.at(-1);
  const isBetween = /^[^\S\n]*$/.test(kept) && before !== undefined && isReplaced(before) && isReplaced(whole);
  if (isBetween) pieces[pieces.length - 1] = join(join(before, { same: '', removed: kept, added: kept }), whole);
  else if (kept === '') pieces.push(whole);
  else pieces.push({ ...last, same: kept }, whole);
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
