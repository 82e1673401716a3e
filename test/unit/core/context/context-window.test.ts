/** Bounds of the context window: its levels, where a chat is summarized, and the tier of a size. */
import {
  automaticPoint,
  compactionPoint,
  contextStatusOf,
  effectiveTier,
  fullAt,
  fullnessOf,
  levelOf,
  pinnedWindow,
  selectTier,
  tierForWindow,
  usableWindow,
} from '../../../../src/core/context/context-window';
import { tinyWindow } from '../../../../src/core/ports/model';

const usual = { compaction: 'automatic', compactionShare: null, compactionCap: null } as const;
const manual = { ...usual, compaction: 'manual' } as const;

it.each([
  [0, 100, 'ok'],
  [74, 100, 'ok'],
  [75, 100, 'warning'],
  [89, 100, 'warning'],
  [90, 100, 'critical'],
  [200, 100, 'critical'],
  [0, 0, 'critical'],
  [0, -1, 'critical'],
])('is with %i of %i tokens at the level %s', (used, room, level) => {
  expect(levelOf(used, room)).toBe(level);
});

it.each([
  [4_096, 1],
  [4_097, 2],
  [8_192, 2],
  [8_193, 3],
  [16_384, 3],
  [16_385, 4],
  [32_768, 4],
  [32_769, 5],
  [0, 1],
])('gives a window of %i tokens the tier %i', (window, tier) => {
  expect(tierForWindow(window)).toBe(tier);
  const model = { contextWindow: window };
  expect([effectiveTier(model, 'desktop'), effectiveTier(model, 'mobile')]).toEqual([tier, Math.min(tier, 4)]);
});

describe('the tier of a chat', () => {
  const pinned = { tier: 2, automatic: true, model: 'm', window: null } as const;
  const question = {
    choice: 'auto',
    pinned,
    model: { id: 'm', contextWindow: 100_000 },
    window: null,
    platform: 'desktop',
  } as const;

  it.each([
    ['the pinned one', {}, 2],
    ['the one that the user chose', { choice: 3 }, 3],
    ['a new one for a new chat', { pinned: null }, 5],
    ['a new one after one that the user had chosen', { pinned: { ...pinned, automatic: false } }, 5],
    ['a new one for another model', { pinned: { ...pinned, model: 'n' } }, 5],
    ['a new one for another window', { window: 8_000 }, 5],
  ])('is %s', (_which, changes, tier) => {
    expect(selectTier({ ...question, ...changes } as Parameters<typeof selectTier>[0])).toBe(tier);
  });

  it('is pinned to the window that the user set, or that the server turned out to hold', () => {
    expect(pinnedWindow({ contextWindow: 8_000 }, { contextWindow: 5_000 })).toBe(5_000);
    expect(pinnedWindow({ contextWindow: 8_000 }, { contextWindow: null })).toBeNull();
    expect(pinnedWindow({ contextWindow: 8_000, assumedWindow: 9_000 }, { contextWindow: 5_000 })).toBe(8_000);
  });
});

describe('the size at which a chat is summarized', () => {
  it.each([
    [{ window: 10_000, reserve: 1_000 }, usual, 7_200],
    [{ window: 199_999, reserve: 0 }, usual, 159_999],
    [{ window: 200_000, reserve: 0 }, usual, 100_000],
    [{ window: 10_000, reserve: 0 }, { ...usual, compactionShare: 55 }, 5_500],
    [{ window: 10_000, reserve: 0 }, { ...usual, compactionShare: 0 }, 0],
    [{ window: 10_000, reserve: 0 }, { ...usual, compactionCap: 3_000 }, 3_000],
    [{ window: 10_000, reserve: 0 }, { ...usual, compactionCap: 9_000 }, 8_000],
    [{ window: 1_000, reserve: 2_000 }, usual, 0],
  ])('is for %j with %j: %i', (totals, settings, point) => {
    expect(compactionPoint(totals, settings)).toBe(point);
    expect(fullAt(totals, settings)).toBe(totals.window <= tinyWindow ? usableWindow(totals) : point);
  });

  it('is none where the user summarizes, and in a tiny window', () => {
    const at = (window: number) => ({ window, reserve: 100 });
    expect(automaticPoint(at(tinyWindow), usual)).toBeNull();
    expect(automaticPoint(at(tinyWindow + 1), usual)).toBe(Math.floor(0.8 * (tinyWindow - 99)));
    expect(automaticPoint(at(100_000), manual)).toBeNull();
    expect([fullAt(at(100_000), manual), fullAt(at(tinyWindow), usual)]).toEqual([99_900, tinyWindow - 100]);
  });
});

it('says how full the window is in whole percent', () => {
  const totals = { window: 10_000, reserve: 0 };
  expect(fullnessOf({ ...totals, all: 4_000 }, usual)).toEqual({ used: 4_000, full: 8_000, percent: 50, level: 'ok' });
  expect(fullnessOf({ ...totals, all: 6_060 }, usual)).toMatchObject({ percent: 76, level: 'warning' });
  expect(fullnessOf({ window: 10, reserve: 10, all: 0 }, usual)).toMatchObject({ full: 0, percent: 100 });
});

describe('the status in the prompt', () => {
  const settings = { ...usual, contextStatus: 'auto', saveStateFirst: false } as const;
  const small = { window: 32_768, reserve: 0, all: 1_000 };
  const large = { ...small, window: 32_769 };

  it('is there in a small window, and in a large one once it fills, unless the settings say otherwise', () => {
    expect(contextStatusOf(small, settings)).toMatchObject({ status: 'ok', statusMessage: '', usedTokens: 1_000 });
    expect(contextStatusOf(large, settings)).toBeNull();
    expect(contextStatusOf(large, { ...settings, contextStatus: 'always' })).toMatchObject({ status: 'ok' });
    expect(contextStatusOf(small, { ...settings, contextStatus: 'never' })).toBeNull();
    expect(contextStatusOf({ ...large, all: 20_000 }, settings)).toMatchObject({
      ...{ status: 'warning', maxTokens: 26_215, percentUsed: 76, statusMessage: '6215 tokens are left.' },
    });
    expect(contextStatusOf({ ...large, all: 30_000 }, settings)?.statusMessage).toBe('0 tokens are left.');
  });

  it('says what happens once it is full', () => {
    const limit = (changes: object) => contextStatusOf(small, { ...settings, ...changes })?.atLimit;
    expect(limit({})).toBe('summarized');
    expect(limit({ saveStateFirst: true })).toBe('saved-and-summarized');
    expect(limit({ compaction: 'manual', saveStateFirst: true })).toBe('left-out');
  });
});
