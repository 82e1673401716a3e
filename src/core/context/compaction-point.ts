/** Where a chat is compacted: at a share of the room that a request can use, or at a number of tokens (R239, K23). */
import type { RequestTotals } from '../ports/request-plan';
import type { Settings } from '../settings/settings';

export type CompactionSettings = Pick<Settings, 'compaction' | 'compactionShare' | 'compactionCap'>;

/** Windows from this size on are compacted earlier: a large history costs more than it helps. */
const largeWindow = 200_000;
const shares = { large: 0.5, small: 0.8 } as const;

/** Tokens of the window that a request can use. */
export function usableWindow({ window, reserve }: Pick<RequestTotals, 'window' | 'reserve'>): number {
  return Math.max(0, window - reserve);
}

/** Tokens of a request from which on older messages are summarised. */
export function compactionPoint(
  totals: Pick<RequestTotals, 'window' | 'reserve'>,
  { compactionShare, compactionCap }: Pick<CompactionSettings, 'compactionShare' | 'compactionCap'>,
): number {
  const usual = totals.window >= largeWindow ? shares.large : shares.small;
  const share = compactionShare === null ? usual : compactionShare / 100;
  return Math.floor(Math.min(share * usableWindow(totals), compactionCap ?? Infinity));
}

/** What counts as full: the point of compaction, or all that can be used where nothing is summarised by itself (K36). */
export function fullAt(totals: Pick<RequestTotals, 'window' | 'reserve'>, settings: CompactionSettings): number {
  const room = usableWindow(totals);
  return settings.compaction === 'manual' ? room : Math.min(room, compactionPoint(totals, settings));
}
