/** Types of pack-ranks.mjs, for its tests. */
export const alphabet: string;
export function packRanks(encoding: { readonly pat_str: string; readonly bpe_ranks: string }): {
  pattern: string;
  tokens: number;
  digits: string;
};
