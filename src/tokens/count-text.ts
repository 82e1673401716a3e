/** TextCount: counts the tokens of texts exactly, cut by the encoding's own pattern and merged piece by piece. */
import { mergeLong, mergeShort, shortPiece } from './merge-piece';
import type { Ranks } from './packed-ranks';
import { PairRanks } from './pair-ranks';
import { type RankTable, unmerged } from './rank-table';

/** Pieces remembered with their counts, and the longest of them. */
const keptPieces = 50_000;
const longestKept = 64;
/** Characters between two pauses: well under a millisecond of prose. */
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

  /** Yields where other work may come in between, but for counting another text with this. */
  *count(text: string): Generator<void, number> {
    const { pieces } = this;
    let tokens = 0;
    let pause = charactersAtOnce;
    // Every character belongs to a piece, so one begins where the last one ended.
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

  /** Undefined for a piece that takes longer. */
  private countShort(piece: string): number | undefined {
    if (piece.length > shortPiece) return undefined;
    const length = this.encode(piece);
    if (length > shortPiece) return undefined;
    const isToken = this.table.rankOf(this.bytes, 0, length) !== unmerged;
    const tokens = isToken ? 1 : mergeShort(this.pairRanks, this.bytes, length);
    if (piece.length <= longestKept) {
      if (this.known.size >= keptPieces) this.known = new Map();
      this.known.set(piece, tokens);
    }
    return tokens;
  }

  private countLong(piece: string): Generator<void, number> {
    const length = this.encode(piece);
    return mergeLong(this.pairRanks, this.bytes, length);
  }

  /** Writes the bytes of UTF-8; half a pair becomes the replacement character, as everywhere. Returns their number. */
  private encode(piece: string): number {
    if (this.bytes.length < piece.length * 3) this.bytes = new Uint8Array(piece.length * 3);
    return this.encoder.encodeInto(piece, this.bytes).written;
  }
}

/** Runs to the end at once, with nothing but this in between. */
export function finish<T>(steps: Generator<void, T>, between = (): void => undefined): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    between();
  }
}
