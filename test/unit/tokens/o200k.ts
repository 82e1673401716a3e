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

/** The same encoding without its later tokens, in both forms: a tenth, for tests of where texts are counted. */
export function shortRanks(): { readonly packed: PackedRanks; readonly original: typeof o200k } {
  const tokens = 20_000;
  const [line = ''] = o200k.bpe_ranks.split('\n');
  const start = 2;
  const original = { ...o200k, bpe_ranks: line.split(' ', start + tokens).join(' ') };
  return { packed: { ...packedO200k(), tokens }, original };
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
