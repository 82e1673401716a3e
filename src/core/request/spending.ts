/** What a chat has cost and may cost: the user is told at one amount, and nothing more is sent at another. */
import { words } from '../../text';
import type { Failure } from '../failure';
import type { Usage } from '../message';
import { priceOf, type Prices } from '../prices';
import type { RequestPlan } from './request-plan';

export type SpendingVerdict =
  { readonly type: 'notice'; readonly words: string } | { readonly type: 'refused'; readonly failure: Failure };

/** Dollars; null where the user set none. */
export interface SpendingLimits {
  readonly spendingLimit: number | null;
  readonly spendingNotice: number | null;
}

interface Costed {
  readonly usage?: Usage;
}

/** Dollars, sub-agents included; what was reported without a price counts nothing. */
export function spentIn(entries: readonly object[]): number {
  return entries.reduce((sum: number, entry: Costed) => sum + (entry.usage?.cost ?? 0), 0);
}

/** @param spent dollars before this request */
export function judgeSpending(
  spent: number,
  plan: RequestPlan,
  prices: Prices | undefined,
  { spendingLimit, spendingNotice }: SpendingLimits,
): SpendingVerdict | null {
  if (prices === undefined) return null;
  const next = priceOf(plan, prices);
  const { limitReached, limitRemedy, noticeReached } = words.spending;
  if (spendingLimit !== null && spent + next > spendingLimit) {
    const said = limitReached(spent, next, spendingLimit);
    return { type: 'refused', failure: { kind: 'limit', words: said, remedy: limitRemedy, action: 'open-settings' } };
  }
  if (spendingNotice !== null && spent >= spendingNotice) {
    return { type: 'notice', words: noticeReached(spent, spendingNotice) };
  }
  return null;
}
