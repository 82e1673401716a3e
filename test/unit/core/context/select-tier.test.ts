import { effectiveTier, selectTier, type TierQuestion } from '../../../../src/core/context/context-window';

const kilo = 1024;
const model = { id: 'p/m', contextWindow: 128 * kilo };
const question: TierQuestion = { choice: 'auto', pinned: null, model, window: null, platform: 'desktop' };
const pinned = { tier: 3, automatic: true, model: 'p/m', window: null } as const;

describe('the tier of a chat', () => {
  it.each([
    [128 * kilo, 'desktop', 5],
    [128 * kilo, 'mobile', 4],
    [32 * kilo, 'mobile', 4],
    [8 * kilo, 'mobile', 2],
    [8 * kilo, 'desktop', 2],
  ] as const)('R105 for a window of %i on %s is %i', (contextWindow, platform, tier) => {
    expect(effectiveTier({ contextWindow }, platform)).toBe(tier);
    expect(selectTier({ ...question, model: { ...model, contextWindow }, platform })).toBe(tier);
  });

  it('R095 is what the user chose, on any device and whatever it was pinned to', () => {
    expect(selectTier({ ...question, choice: 2 })).toBe(2);
    expect(selectTier({ ...question, choice: 5, platform: 'mobile', pinned })).toBe(5);
  });

  it('R096 K3 stays as it was pinned when more becomes known of the model', () => {
    expect(selectTier({ ...question, pinned })).toBe(3);
    expect(selectTier({ ...question, pinned, model: { ...model, contextWindow: 4 * kilo } })).toBe(3);
    expect(selectTier({ ...question, pinned, platform: 'mobile' })).toBe(3);
  });

  it('R095 K3 is chosen anew when the user takes another model, sets the window, or gives up a choice', () => {
    expect(selectTier({ ...question, pinned, model: { id: 'p/other', contextWindow: 8 * kilo } })).toBe(2);
    expect(selectTier({ ...question, pinned, window: 16 * kilo, model: { ...model, contextWindow: 16 * kilo } })).toBe(
      3,
    );
    expect(selectTier({ ...question, pinned, window: 4 * kilo, model: { ...model, contextWindow: 4 * kilo } })).toBe(1);
    expect(selectTier({ ...question, pinned: { ...pinned, automatic: false } })).toBe(5);
  });
});
