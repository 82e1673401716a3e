/** Unpacks the ranks of an encoding: each token is the bytes of two tokens before it. */
import type { PackedRanks, Ranks } from './packed-ranks';
import { bitLength, RangeDecoder } from './range-decoder';

const singleBytes = 256;
/** What the numbers stand for, as the packer says it to the coder. */
const kind = { firstHalf: 0, secondHalf: 1, byte: 2 } as const;

/** Tokens between two pauses: about two milliseconds. */
const tokensAtOnce = 4_096;

/** Yields where other work may come in between. */
export function* unpackRanks({ pattern, tokens, digits }: PackedRanks): Generator<void, Ranks> {
  const decoder = new RangeDecoder(digits);
  const bytesOf: string[] = [];
  const rankOf = new Map<string, number>();
  let longest = 1;
  for (let rank = 0; rank < tokens; rank += 1) {
    const bytes = rank < singleBytes ? String.fromCharCode(decoder.read(kind.byte, 0)) : readHalves(rank);
    bytesOf.push(bytes);
    rankOf.set(bytes, rank);
    longest = Math.max(longest, bytes.length);
    if (rank % tokensAtOnce === 0) yield;
  }
  return { pattern, rankOf, longest };

  function readHalves(rank: number): string {
    const first = decoder.read(kind.firstHalf, bitLength(rank));
    const second = decoder.read(kind.secondHalf, bitLength(first));
    return `${bytesOf[first] ?? ''}${bytesOf[second] ?? ''}`;
  }
}
