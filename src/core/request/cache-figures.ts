/** What a provider says it read from its cache, wrote to it, and did neither with; never worked out by us (R231). */
import type { Usage } from '../ports/message';

export interface CacheFigures {
  readonly read: number;
  readonly written: number;
  readonly other: number;
}

/** Null unless at least one report says something of the cache; a report that does not counts as neither. */
export function cacheFiguresOf(reports: readonly (Usage | null)[]): CacheFigures | null {
  const told = reports.filter((usage): usage is Usage => usage !== null);
  if (!told.some((usage) => usage.cacheReadTokens !== undefined || usage.cacheWriteTokens !== undefined)) return null;
  return told.reduce<CacheFigures>(
    (sum, { inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }) => ({
      read: sum.read + cacheReadTokens,
      written: sum.written + cacheWriteTokens,
      other: sum.other + Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    }),
    { read: 0, written: 0, other: 0 },
  );
}
