/** PairRanks: the rank of the token that two neighbours make, remembered by their own ranks. */
import type { Ranks } from './packed-ranks';

/** The rank of two neighbours that make no token. */
export const unmerged = 0x7fffffff;

/** Pairs remembered, each at the place that its two ranks come to; a newer pair takes the place of an older one. */
const placeBits = 16;

export class PairRanks {
  /** The rank of each single byte. */
  readonly ofByte = new Int32Array(256);
  private readonly lefts = new Int32Array(2 ** placeBits).fill(-1);
  private readonly rights = new Int32Array(2 ** placeBits);
  private readonly results = new Int32Array(2 ** placeBits);

  constructor(private readonly ranks: Ranks) {
    for (let byte = 0; byte < 256; byte += 1) {
      this.ofByte[byte] = ranks.rankOf.get(String.fromCharCode(byte)) ?? unmerged;
    }
  }

  /** Two ranks, and the bytes from start to end that they stand for. */
  get(left: number, right: number, bytes: Uint8Array, start: number, end: number): number {
    const place = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) >>> (32 - placeBits);
    if (this.lefts[place] === left && this.rights[place] === right) return this.results[place] ?? unmerged;
    const rank = this.look(bytes, start, end);
    this.lefts[place] = left;
    this.rights[place] = right;
    this.results[place] = rank;
    return rank;
  }

  private look(bytes: Uint8Array, start: number, end: number): number {
    const { rankOf, longest } = this.ranks;
    if (end - start > longest) return unmerged;
    let text = '';
    for (let at = start; at < end; at += 1) text += String.fromCharCode(bytes[at] ?? 0);
    return rankOf.get(text) ?? unmerged;
  }
}
