/** PairRanks: the rank of the token that two neighbours make, remembered by their own ranks. */
import { type RankTable, unmerged } from './rank-table';

/** Pairs remembered, each at the place that its two ranks come to; a newer pair takes the place of an older one. */
const placeBits = 16;

export class PairRanks {
  /** The rank of each single byte. */
  readonly ofByte = new Int32Array(256);
  private readonly lefts = new Int32Array(2 ** placeBits).fill(-1);
  private readonly rights = new Int32Array(2 ** placeBits);
  private readonly results = new Int32Array(2 ** placeBits);

  constructor(private readonly table: RankTable) {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    for (const byte of bytes) this.ofByte[byte] = table.rankOf(bytes, byte, byte + 1);
  }

  /** Two ranks, and the bytes from start to end that they stand for. */
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
