/** The gate: whether a compaction may run at all, judged before anything is asked or cut (R239-R242, K23). */
import type { RequestTotals } from '../../ports/request-plan';
import type { SessionEntry, SummaryBody, SummaryRefusal } from '../../session/entry';
import { usableWindow } from '../compaction-point';

/** Tokens of history below which a summary is not worth its price. */
const leastHistory = 8_000;
/** Share of the window that instructions and tools may take; with more a summary cannot help. */
const largestFixedShare = 0.5;

export interface GateQuestion {
  readonly trigger: SummaryBody['trigger'];
  readonly totals: RequestTotals;
  /** Tokens from which on it is due. */
  readonly point: number;
  readonly entries: readonly SessionEntry[];
}

/** 'closed': not now, and nobody needs to hear of it. */
export function gateOf({ trigger, totals, point, entries }: GateQuestion): 'open' | 'closed' | SummaryRefusal {
  const history = totals.history;
  if (history === 0) return trigger === 'manual' ? 'too-little' : 'closed';
  if (trigger === 'manual') return 'open';
  if (totals.all < point || ranInThisTurn(entries) || isLatched(entries, totals)) return 'closed';
  const fixed = totals.instructions + totals.reference + totals.tools;
  if (fixed > totals.window * largestFixedShare) return 'fixed-part';
  const least = Math.min(leastHistory, Math.floor(totals.window / 4));
  // A window that is smaller than it was may be full with less.
  return history < least && totals.all <= usableWindow(totals) ? 'closed' : 'open';
}

/** One automatic run for each message of the user, whatever came of it. */
function ranInThisTurn(entries: readonly SessionEntry[]): boolean {
  const newest = entries.map(({ kind }) => kind === 'user').lastIndexOf(true);
  return entries
    .slice(Math.max(0, newest))
    .some((entry) => (entry.kind === 'summary' || entry.kind === 'summary-refused') && entry.trigger === 'automatic');
}

/**
 * After a refusal only the user starts the next one (R240). One that the user took back holds the next off for as long
 * as all of it can be sent: where it cannot, a summary keeps more than leaving the oldest out.
 */
function isLatched(entries: readonly SessionEntry[], totals: RequestTotals): boolean {
  const last = entries
    .filter(({ kind }) => kind === 'summary' || kind === 'summary-refused' || kind === 'summary-undone')
    .at(-1);
  if (last?.kind === 'summary-undone') return totals.all <= usableWindow(totals);
  return last?.kind === 'summary-refused';
}
