import { addUsage, costOf, type Prices, priceOf } from '../../../../src/core/ports/model';
import type { RequestTotals } from '../../../../src/core/ports/request-plan';
import { dollars } from '../../../../src/text/en/context';

const prices: Prices = { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5, date: '2026-11-20' };
const planned = (all: number) => ({ totals: { all } as RequestTotals });

describe('what an answer cost', () => {
  it('R231 is worked out from the counts that the provider reported, each at its own price', () => {
    const usage = { inputTokens: 100_000, outputTokens: 2_000, cacheReadTokens: 80_000, cacheWriteTokens: 10_000 };
    // 10,000 at 2 + 80,000 at 0.1 + 10,000 at 2.5 + 2,000 at 10, for a million each.
    expect(costOf(usage, prices)).toBeCloseTo(0.02 + 0.008 + 0.025 + 0.02, 10);
  });

  it('takes input for what has no price of its own', () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 400_000 };
    expect(costOf(usage, { input: 3, output: 15, date: null })).toBeCloseTo(3, 10);
  });

  it('takes the other prices for a long request, and only above the mark', () => {
    const long: Prices = { ...prices, long: { above: 200_000, input: 4, output: 18 } };
    expect(costOf({ inputTokens: 200_000, outputTokens: 0 }, long)).toBeCloseTo(0.4, 10);
    expect(costOf({ inputTokens: 200_001, outputTokens: 1_000_000 }, long)).toBeCloseTo(0.800004 + 18, 6);
  });

  it('adds up over the requests of a turn', () => {
    const one = { inputTokens: 1, outputTokens: 1, cost: 0.25 };
    expect(addUsage(one, { ...one, cost: 0.5 })?.cost).toBe(0.75);
    expect(addUsage(one, { inputTokens: 1, outputTokens: 1 })?.cost).toBe(0.25);
    expect(addUsage({ inputTokens: 1, outputTokens: 1 }, { inputTokens: 1, outputTokens: 1 })).not.toHaveProperty(
      'cost',
    );
  });
});

describe('the price of a request', () => {
  it('is that of its tokens, less what the cache is expected to have', () => {
    expect(priceOf(planned(500_000), prices)).toBeCloseTo(1, 10);
    expect(priceOf(planned(500_000), prices, 400_000)).toBeCloseTo(0.2 + 0.04, 10);
    expect(priceOf(planned(1_000), prices, 400_000)).toBeCloseTo(0.0001, 10);
  });

  it.each([
    [0, '$0.00'],
    [0.0000004, 'less than $0.001'],
    [0.0123, '$0.012'],
    [0.4567, '$0.46'],
    [12, '$12.00'],
  ])('of %d dollars reads %s', (amount, text) => {
    expect(dollars(amount)).toBe(text);
  });
});
