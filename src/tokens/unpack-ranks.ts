/** Unpacks the ranks of an encoding: each token is the bytes of two tokens before it. */
import type { PackedRanks, Ranks } from './packed-ranks';
import { bitLength, RangeDecoder } from './range-decoder';
import { RankTable } from './rank-table';

const singleBytes = 256;
/** What the numbers stand for, as the packer says it to the coder. */
const kind = { firstHalf: 0, secondHalf: 1, byte: 2 } as const;

/** Tokens between two pauses: about two milliseconds. */
const tokensAtOnce = 4_096;

/** Yields where other work may come in between. */
export function* unpackRanks({ pattern, tokens, digits }: PackedRanks): Generator<void, Ranks> {
  const decoder = new RangeDecoder(digits);
  const table = new RankTable(tokens);
  for (let rank = 0; rank < tokens; rank += 1) {
    if (rank < singleBytes) table.addByte(decoder.read(kind.byte, 0));
    else {
      const first = decoder.read(kind.firstHalf, bitLength(rank));
      table.addPair(first, decoder.read(kind.secondHalf, bitLength(first)));
    }
    if (rank % tokensAtOnce === 0) yield;
  }
  return { pattern, table };
}
