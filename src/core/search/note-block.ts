/** NoteBlock: the terms of some notes in a few arrays, which can be stored as they are and searched without being read. */
import type { Steps } from '../base/async';
import type { NoteTerms } from './note-terms';

/** Notes and bytes after which a block is full. */
export const blockNotes = 128;
const blockBytes = 500_000;
/** Between texts that do not have it. */
const joint = '\0';
/** A block of another form is made again from the notes. */
const format = 2;

export interface NoteBlock {
  readonly paths: readonly string[];
  readonly modified: Float64Array;
  readonly sizes: Float64Array;
  /** Each once, sorted by code unit, and ended by a character that none of them has: cut apart they cost much to load. */
  readonly terms: string;
  /** Where each begins, and where the text ends. */
  readonly wordStarts: Uint32Array;
  /**
   * The places of each note's terms, sorted, one note after another; a note knows its terms by their order. Two bytes
   * each where they are enough: this is the largest array of a block.
   */
  readonly noteTerms: Uint16Array | Uint32Array;
  readonly termStarts: Uint32Array;
  readonly data: Uint8Array;
  readonly dataStarts: Uint32Array;
}

/** Puts notes into as many blocks as they fill, in their order. */
export function* buildBlocks(notes: readonly NoteTerms[]): Steps<NoteBlock[]> {
  const blocks: NoteBlock[] = [];
  let [from, bytes] = [0, 0];
  for (const [at, note] of notes.entries()) {
    if (at > from && (at - from === blockNotes || bytes + note.data.length > blockBytes)) {
      blocks.push(yield* buildBlock(notes.slice(from, at)));
      [from, bytes] = [at, 0];
    }
    bytes += note.data.length;
  }
  if (from < notes.length) blocks.push(yield* buildBlock(notes.slice(from)));
  return blocks;
}

/** What taking a term counts for in a work budget. */
const unitsPerTerm = 8;
const termsInStep = 4_000;

function* buildBlock(notes: readonly NoteTerms[]): Steps<NoteBlock> {
  const numbers = new Map<string, number>();
  /** The terms of the notes, numbered in the order in which they are met. */
  const met = new Uint32Array(notes.reduce((sum, note) => sum + note.terms.length, 0));
  let taken = 0;
  for (const note of notes) {
    for (const term of note.terms) {
      const number = numbers.get(term) ?? numbers.size;
      if (number === numbers.size) numbers.set(term, number);
      met[taken++] = number;
    }
    yield note.terms.length * unitsPerTerm;
  }
  const terms = [...numbers.keys()].sort();
  yield terms.length * unitsPerTerm;
  const places = new Uint32Array(terms.length);
  for (let from = 0; from < terms.length; from += termsInStep) {
    const end = Math.min(from + termsInStep, terms.length);
    for (let place = from; place < end; place += 1) places[numbers.get(terms[place] ?? '') ?? 0] = place;
    yield (end - from) * unitsPerTerm;
  }
  const block = {
    paths: notes.map(({ path }) => path),
    modified: Float64Array.from(notes, ({ modified }) => modified),
    sizes: Float64Array.from(notes, ({ size }) => size),
    terms: terms.map((term) => term + joint).join(''),
    wordStarts: new Uint32Array(terms.length + 1),
    noteTerms: terms.length <= 0x1_0000 ? new Uint16Array(met.length) : new Uint32Array(met.length),
    termStarts: new Uint32Array(notes.length + 1),
    data: new Uint8Array(notes.reduce((sum, note) => sum + note.data.length, 0)),
    dataStarts: new Uint32Array(notes.length + 1),
  };
  terms.forEach(({ length }, at) => (block.wordStarts[at + 1] = (block.wordStarts[at] ?? 0) + length + 1));
  // A note has its terms sorted, and so it has their places.
  for (let at = 0; at < met.length; at += 1) block.noteTerms[at] = places[met[at] ?? 0] ?? 0;
  let [term, byte] = [0, 0];
  for (const [index, note] of notes.entries()) {
    term += note.terms.length;
    block.data.set(note.data, byte);
    byte += note.data.length;
    block.termStarts[index + 1] = term;
    block.dataStarts[index + 1] = byte;
  }
  return block;
}

/** Returns one note of a block by itself. */
export function noteIn(block: NoteBlock, place: number): NoteTerms {
  const { noteTerms, termStarts, paths, modified, sizes } = block;
  const own: ArrayLike<number> = noteTerms.subarray(termStarts[place], termStarts[place + 1]);
  return {
    path: paths[place] ?? '',
    modified: modified[place] ?? 0,
    size: sizes[place] ?? 0,
    terms: Array.from(own, (term) => termAt(block, term)),
    data: dataIn(block, place),
  };
}

export function dataIn({ data, dataStarts }: NoteBlock, place: number): Uint8Array {
  return data.subarray(dataStarts[place], dataStarts[place + 1]);
}

/** Returns the term at a place in a block; empty where there is none. */
export function termAt({ terms, wordStarts }: NoteBlock, place: number): string {
  return terms.slice(wordStarts[place], (wordStarts[place + 1] ?? 0) - 1);
}

export function termCount({ wordStarts }: NoteBlock): number {
  return wordStarts.length - 1;
}

/** Returns the place of a term in a block, or -1. */
export function termIn(block: NoteBlock, term: string): number {
  const place = firstFrom(block, term);
  return place < termCount(block) && termAt(block, place) === term ? place : -1;
}

/** Returns the place of the first term of a block that does not come before a text. */
export function firstFrom(block: NoteBlock, text: string): number {
  let [low, high] = [0, termCount(block)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (termAt(block, middle) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns by which number a note of the block knows a term, or -1 if it does not have it. */
export function numberIn({ noteTerms, termStarts }: NoteBlock, place: number, term: number): number {
  const from = termStarts[place] ?? 0;
  let [low, high] = [from, (termStarts[place + 1] ?? 0) - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = noteTerms[middle] ?? 0;
    if (value === term) return middle - from;
    if (value < term) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

// The stored form: the same arrays, the texts joined, and a sum by which damage is seen.

export interface StoredBlock extends Omit<NoteBlock, 'paths'> {
  readonly format: number;
  /** Joined by a character that no path has. */
  readonly paths: string;
  readonly check: number;
}

export function packBlock(block: NoteBlock): StoredBlock {
  const packed = { ...block, format, paths: block.paths.join(joint) };
  return { ...packed, check: checkOf(packed) };
}

/** Returns null for what is no block, or a damaged one. */
export function unpackBlock(stored: unknown): NoteBlock | null {
  if (!isStored(stored) || stored.format !== format || checkOf(stored) !== stored.check) return null;
  const { modified, sizes, terms, wordStarts, noteTerms, termStarts, data, dataStarts } = stored;
  const paths = stored.paths.split(joint);
  const starts = paths.length + 1;
  const isWhole =
    [modified.length, sizes.length].every((length) => length === paths.length) &&
    [termStarts.length, dataStarts.length].every((length) => length === starts) &&
    wordStarts[wordStarts.length - 1] === terms.length &&
    termStarts[paths.length] === noteTerms.length &&
    dataStarts[paths.length] === data.length;
  return isWhole ? { paths, terms, wordStarts, modified, sizes, noteTerms, termStarts, data, dataStarts } : null;
}

function isStored(value: unknown): value is StoredBlock {
  if (typeof value !== 'object' || value === null) return false;
  const stored = value as Readonly<Record<keyof StoredBlock, unknown>>;
  return (
    typeof stored.paths === 'string' &&
    typeof stored.terms === 'string' &&
    [stored.modified, stored.sizes].every((each) => isOf('Float64Array', each)) &&
    [stored.wordStarts, stored.termStarts, stored.dataStarts].every((each) => isOf('Uint32Array', each)) &&
    (isOf('Uint16Array', stored.noteTerms) || isOf('Uint32Array', stored.noteTerms)) &&
    isOf('Uint8Array', stored.data)
  );
}

/** Whether a value is an array of this kind, of any window. */
function isOf(kind: string, value: unknown): boolean {
  return Object.prototype.toString.call(value) === `[object ${kind}]`;
}

/** Returns a sum over all that a block has, in its order. */
function checkOf(stored: Omit<StoredBlock, 'check'>): number {
  const { paths, terms, modified, sizes, wordStarts, noteTerms, termStarts, data, dataStarts } = stored;
  const ofTexts = [paths, terms].reduce(addText, 0);
  return [modified, sizes, wordStarts, noteTerms, termStarts, data, dataStarts].reduce(addNumbers, ofTexts);
}

function addText(before: number, text: string): number {
  let sum = (before + text.length) | 0;
  for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum;
}

/** Adds four bytes at once; those after the last four are added one by one. */
function addNumbers(before: number, numbers: ArrayBufferView): number {
  const { byteLength } = numbers;
  const given = new Uint8Array(numbers.buffer, numbers.byteOffset, byteLength);
  // Four bytes are read at a place in the buffer that four divides: an array that begins elsewhere is copied.
  const bytes = numbers.byteOffset % 4 === 0 ? given : given.slice();
  const whole = new Uint32Array(bytes.buffer, bytes.byteOffset, byteLength >> 2);
  let sum = (before + byteLength) | 0;
  for (let at = 0; at < whole.length; at += 1) sum = (Math.imul(sum, 31) + (whole[at] ?? 0)) | 0;
  for (let at = whole.length * 4; at < byteLength; at += 1) sum = (Math.imul(sum, 31) + (bytes[at] ?? 0)) | 0;
  return sum;
}
