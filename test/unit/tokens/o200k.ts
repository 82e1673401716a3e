/** The encoding as the build packs it, and js-tiktoken as the oracle; each made once a test file. */
import o200k from 'js-tiktoken/ranks/o200k_base';
import { packedRanks } from '../../../scripts/build/packed-ranks.mjs';
import { finish } from '../../../src/tokens/count-text';
import { type PackedRanks, type Ranks, unpackRanks } from '../../../src/tokens/unpack-ranks';

let unpacked: Ranks | null = null;

/** Cached on disk between runs until the packer or the encoding changes, as the build does. */
export function packedO200k(): PackedRanks {
  return packedRanks();
}

export function unpackedO200k(): Ranks {
  unpacked ??= finish(unpackRanks(packedO200k()));
  return unpacked;
}

/** Tokens by their bytes, as js-tiktoken has them. */
export function originalRanks(): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const line of o200k.bpe_ranks.split('\n').filter(Boolean)) {
    const [, start, ...tokens] = line.split(' ');
    for (const [index, token] of tokens.entries()) {
      ranks.set(Buffer.from(token, 'base64').toString('latin1'), Number(start) + index);
    }
  }
  return ranks;
}
