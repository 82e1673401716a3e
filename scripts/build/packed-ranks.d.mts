/** Types of packed-ranks.mjs, for tests. */
export const ranksFile: string;
export function packedRanks(): { pattern: string; tokens: number; digits: string };
