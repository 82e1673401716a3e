/** TextCount: counts the tokens of texts exactly, split by the encoding's own pattern and merged piece by piece. */
import { type Ranks, type RankTable, unmerged } from './unpack-ranks';

/** How many pieces are cached with their counts, and the maximum length of each. */
const retainedPieces = 50_000;
const maxRetained = 64;
/** Characters between two yields: well under a millisecond of prose. */
const charactersAtOnce = 16_384;

export class TextCount {
  private readonly pieces: RegExp;
  private readonly table: RankTable;
  private readonly pairRanks: PairRanks;
  private readonly encoder = new TextEncoder();
  private bytes = new Uint8Array(4_096);
  private known = new Map<string, number>();

  constructor({ pattern, table }: Ranks) {
    this.pieces = new RegExp(pattern, 'gu');
    this.table = table;
    this.pairRanks = new PairRanks(table);
  }

  /**
   * Counts the tokens of a text. Yields so that other work can run, but no other text may be counted with this object
   * until it returns.
   */
  *count(text: string): Generator<void, number> {
    const { pieces } = this;
    let tokens = 0;
    let pause = charactersAtOnce;
    // Every character belongs to a piece, so each piece starts where the previous one ended.
    for (let start = 0; start < text.length;) {
      pieces.lastIndex = start;
      if (!pieces.test(text)) break;
      const end = pieces.lastIndex;
      const piece = text.slice(start, end);
      tokens += this.known.get(piece) ?? this.countShort(piece) ?? (yield* this.countLong(piece));
      start = end;
      if (end < pause) continue;
      pause = end + charactersAtOnce;
      yield;
    }
    return tokens;
  }

  /** Returns undefined for a piece that needs countLong. */
  private countShort(piece: string): number | undefined {
    if (piece.length > shortPiece) return undefined;
    const length = this.encode(piece);
    if (length > shortPiece) return undefined;
    const isToken = this.table.rankOf(this.bytes, 0, length) !== unmerged;
    const tokens = isToken ? 1 : mergeShort(this.pairRanks, this.bytes, length);
    if (piece.length <= maxRetained) {
      if (this.known.size >= retainedPieces) this.known = new Map();
      this.known.set(piece, tokens);
    }
    return tokens;
  }

  private countLong(piece: string): Generator<void, number> {
    const length = this.encode(piece);
    return mergeLong(this.pairRanks, this.bytes, length);
  }

  /**
   * Writes a piece as UTF-8 and returns the number of bytes; an unpaired surrogate becomes the replacement character.
   */
  private encode(piece: string): number {
    if (this.bytes.length < piece.length * 3) this.bytes = new Uint8Array(piece.length * 3);
    return this.encoder.encodeInto(piece, this.bytes).written;
  }
}

/** Runs a generator to its end synchronously, with only `between` called between its steps. */
export function finish<T>(steps: Generator<void, T>, between = (): void => undefined): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    between();
  }
}

// Counts the tokens of one piece by merging its bytes, the lowest rank first, as the encoding was trained.

/** Maximum bytes for which scanning all pairs each time is faster than keeping them in order. */
const shortPiece = 100;
/** Bytes scanned, or merges made, between two yields: about a millisecond. */
const stepsAtOnce = 4_096;

/** The start of each part, its rank, and the rank of its merge with the next part. */
const starts = new Int32Array(shortPiece + 2);
const ranks = new Int32Array(shortPiece + 2);
const pairs = new Int32Array(shortPiece + 2);

/** Merges at most `shortPiece` bytes. */
function mergeShort(pairRanks: PairRanks, bytes: Uint8Array, length: number): number {
  const { ofByte } = pairRanks;
  let parts = length;
  for (let part = 0; part < parts; part += 1) {
    starts[part] = part;
    ranks[part] = ofByte[bytes[part] ?? 0] ?? unmerged;
  }
  starts[parts] = length;
  const look = (part: number): void => {
    pairs[part] =
      part + 1 < parts
        ? pairRanks.get(ranks[part] ?? 0, ranks[part + 1] ?? 0, bytes, starts[part] ?? 0, starts[part + 2] ?? 0)
        : unmerged;
  };
  for (let part = 0; part < parts; part += 1) look(part);
  for (;;) {
    let lowest = unmerged;
    let at = -1;
    for (let part = 0; part < parts - 1; part += 1) {
      const rank = pairs[part] ?? unmerged;
      if (rank >= lowest) continue;
      lowest = rank;
      at = part;
    }
    if (at < 0) return parts;
    parts -= 1;
    for (let part = at + 1; part <= parts; part += 1) {
      starts[part] = starts[part + 1] ?? 0;
      ranks[part] = ranks[part + 1] ?? 0;
      pairs[part] = pairs[part + 1] ?? 0;
    }
    ranks[at] = lowest;
    look(at);
    if (at > 0) look(at - 1);
  }
}

/**
 * Merges a piece of any length in O(n log n) with a heap of pairs and linked parts. Yields so that other work can run.
 */
function* mergeLong(pairRanks: PairRanks, bytes: Uint8Array, length: number): Generator<void, number> {
  // A part is identified by its start: these hold its rank and the starts of the next and previous part.
  const ranks = new Int32Array(length + 1);
  const next = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  // The current rank of the pair that starts here; a pair in the heap with another rank is out of date.
  const pairs = new Int32Array(length + 1).fill(unmerged);
  const waiting = new PairHeap(length);
  const look = (start: number): void => {
    const second = next[start] ?? length;
    const rank =
      second < length
        ? pairRanks.get(ranks[start] ?? 0, ranks[second] ?? 0, bytes, start, next[second] ?? length)
        : unmerged;
    pairs[start] = rank;
    if (rank !== unmerged) waiting.push(rank, start);
  };
  for (let at = 0; at <= length; at += 1) {
    next[at] = at + 1;
    previous[at] = at - 1;
    ranks[at] = pairRanks.ofByte[bytes[at] ?? 0] ?? unmerged;
    if (at > 0) look(at - 1);
    if (at % stepsAtOnce === 0) yield;
  }
  let parts = length;
  for (let step = 1; waiting.size > 0; step += 1) {
    if (step % stepsAtOnce === 0) yield;
    const start = waiting.start;
    const rank = waiting.rank;
    waiting.drop();
    if (pairs[start] !== rank) continue;
    const second = next[start] ?? length;
    const after = next[second] ?? length;
    ranks[start] = rank;
    next[start] = after;
    if (after < length) previous[after] = start;
    pairs[second] = unmerged;
    parts -= 1;
    look(start);
    const before = previous[start] ?? -1;
    if (before >= 0) look(before);
  }
  return parts;
}

/** PairHeap: pairs of neighbors that wait to be merged, the lowest rank first, then from left to right. */
class PairHeap {
  size = 0;
  private readonly keys: Float64Array;
  private readonly places: number;

  /** Reserves enough entries: a merge removes one pair and adds at most two, and there are fewer merges than bytes. */
  constructor(bytes: number) {
    this.keys = new Float64Array(2 * bytes + 2);
    this.places = bytes + 1;
  }

  /** The rank of the first pair. */
  get rank(): number {
    return Math.floor((this.keys[0] ?? 0) / this.places);
  }

  /** The start of the first pair. */
  get start(): number {
    return (this.keys[0] ?? 0) - this.rank * this.places;
  }

  push(rank: number, start: number): void {
    const { keys } = this;
    const key = rank * this.places + start;
    let at = this.size;
    this.size += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const other = keys[parent] ?? 0;
      if (other <= key) break;
      keys[at] = other;
      at = parent;
    }
    keys[at] = key;
  }

  /** Removes the first pair. */
  drop(): void {
    const { keys } = this;
    this.size -= 1;
    const { size } = this;
    const key = keys[size] ?? 0;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && (keys[child + 1] ?? 0) < (keys[child] ?? 0)) child += 1;
      const other = keys[child] ?? 0;
      if (other >= key) break;
      keys[at] = other;
      at = child;
    }
    keys[at] = key;
  }
}

/** Bits of an index into the cache of pairs; a newer pair replaces an older one at the same index. */
const placeBits = 16;

/** PairRanks: caches the rank of the token that two neighbors form, by their own ranks. */
class PairRanks {
  /** The rank of each single byte. */
  readonly ofByte = new Int32Array(256);
  private readonly lefts = new Int32Array(2 ** placeBits).fill(-1);
  private readonly rights = new Int32Array(2 ** placeBits);
  private readonly results = new Int32Array(2 ** placeBits);

  constructor(private readonly table: RankTable) {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    for (const byte of bytes) this.ofByte[byte] = table.rankOf(bytes, byte, byte + 1);
  }

  /** Returns the merged rank of two ranks, which cover the bytes from start to end. */
  get(left: number, right: number, bytes: Uint8Array, start: number, end: number): number {
    const place = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) >>> (32 - placeBits);
    if (this.lefts[place] === left && this.rights[place] === right) return this.results[place] ?? unmerged;
    const rank = this.table.rankOf(bytes, start, end);
    this.lefts[place] = left;
    this.rights[place] = right;
    this.results[place] = rank;
    return rank;
  }
}
