/** What the provider says of its cache, and nothing that it did not say. */
import { cacheFiguresOf } from '../../../../src/core/request/prompt-cache';

const usage = (inputTokens: number, cache: { cacheReadTokens?: number; cacheWriteTokens?: number } = {}) => ({
  ...{ inputTokens, outputTokens: 5 },
  ...cache,
});

describe('cache figures', () => {
  it('R231 are none where no report says anything of a cache', () => {
    expect(cacheFiguresOf([])).toBeNull();
    expect(cacheFiguresOf([null, usage(900)])).toBeNull();
  });

  it('R231 add up what was read, written and neither, as it was reported', () => {
    expect(cacheFiguresOf([usage(900, { cacheWriteTokens: 800 }), usage(1_000, { cacheReadTokens: 0 })])).toEqual({
      ...{ read: 0, written: 800, other: 1_100 },
    });
    expect(cacheFiguresOf([usage(1_000, { cacheReadTokens: 700, cacheWriteTokens: 200 }), null, usage(50)])).toEqual({
      ...{ read: 700, written: 200, other: 150 },
    });
  });
});
