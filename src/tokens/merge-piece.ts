/** Counts the tokens of one piece of text by merging its bytes, the lowest rank first, as the encoding was made. */
import { PairHeap } from './pair-heap';
import type { PairRanks } from './pair-ranks';
import { unmerged } from './rank-table';

/** Up to this many bytes, looking at all pairs each time is faster than keeping them in order. */
export const shortPiece = 100;
/** Bytes that are looked at, or merges that are made, between two pauses: about a millisecond. */
const stepsAtOnce = 4_096;

/** Where each part starts, its rank, and that of the token that it makes with the next one. */
const starts = new Int32Array(shortPiece + 2);
const ranks = new Int32Array(shortPiece + 2);
const pairs = new Int32Array(shortPiece + 2);

/** For at most `shortPiece` bytes. */
export function mergeShort(pairRanks: PairRanks, bytes: Uint8Array, length: number): number {
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
 * For pieces of any length, in n log n: pairs wait in a heap, and the parts know their neighbours.
 * Yields where other work may come in between.
 */
export function* mergeLong(pairRanks: PairRanks, bytes: Uint8Array, length: number): Generator<void, number> {
  // A part is known by where it starts: its rank, and where the next one and the one before it start.
  const ranks = new Int32Array(length + 1);
  const next = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  // The rank of the pair that starts here; a waiting pair of another rank is out of date.
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
