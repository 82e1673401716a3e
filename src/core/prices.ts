/** What requests and answers cost at list prices, in US dollars. Shown as an estimate: bills are the provider's. */
import type { Usage } from './message';
import type { RequestPlan } from './request/request-plan';

/** Dollars for a million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  /** Of what is read from the provider's cache; the same as input when there is no other price. */
  readonly cacheRead?: number;
  /** Of what is written to it. */
  readonly cacheWrite?: number;
}

export interface Prices extends Rates {
  /** What a request costs that has more than this many tokens. */
  readonly long?: Rates & { readonly above: number };
  /** When they were read, as year-month-day; null when the user set them. */
  readonly date: string | null;
}

const million = 1_000_000;

/** What an answer cost by the counts that the provider reported. */
export function costOf(usage: Usage, prices: Prices): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const { input, output, cacheRead = input, cacheWrite = input } = ratesFor(inputTokens, prices);
  const other = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  return (
    (other * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output) / million
  );
}

/**
 * What sending a request costs, without its answer.
 * @param cached tokens of its beginning that the provider is expected to have in its cache
 */
export function priceOf(plan: Pick<RequestPlan, 'totals'>, prices: Prices, cached = 0): number {
  const { all } = plan.totals;
  return costOf({ inputTokens: all, outputTokens: 0, cacheReadTokens: Math.min(cached, all) }, prices);
}

function ratesFor(inputTokens: number, { long, ...usual }: Prices): Rates {
  return long !== undefined && inputTokens > long.above ? long : usual;
}
