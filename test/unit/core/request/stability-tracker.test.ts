import {
  emptyStability,
  type PlacedItem,
  type ReferenceItem,
  type StabilityState,
  type StabilityTier,
  StabilityTracker,
  type StabilityUpdate,
  tierSteps,
} from '../../../../src/core/request/stability-tracker';

const target = 1126;
const tracker = new StabilityTracker({ cacheTarget: target, promotes: true });

function item(key: string, tokens: number, hash = 'a'): ReferenceItem {
  return { key, tokens, hash };
}

function placed(key: string, tier: StabilityTier, stood: number, tokens = 1000): PlacedItem {
  return { ...item(key, tokens), tier, stood };
}

function run(
  turns: number,
  items: readonly ReferenceItem[],
  start: StabilityState = emptyStability,
): StabilityUpdate[] {
  const updates: StabilityUpdate[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    updates.push(tracker.update(updates.at(-1)?.state ?? start, items));
  }
  return updates;
}

function tierOf(update: StabilityUpdate | undefined, key: string): StabilityTier | undefined {
  return update?.state.items.find((each) => each.key === key)?.tier;
}

describe('StabilityTracker', () => {
  it('R221 R222: a stable note enters L3 at its fourth request and rises a tier every three requests', () => {
    const updates = run(13, [item('file:a.md', 2000)]);
    const first = (tier: StabilityTier): number =>
      updates.findIndex((update) => tierOf(update, 'file:a.md') === tier) + 1;
    expect([first('active'), first('L3'), first('L2'), first('L1'), first('L0')]).toEqual([1, 4, 7, 10, 13]);
  });

  it('R221: a small note rests in L3: an empty tier opens only for a group that is worth a marker', () => {
    const updates = run(40, [item('file:a.md', 300)]);
    expect(updates.slice(3).map((update) => tierOf(update, 'file:a.md'))).toEqual(Array(37).fill('L3'));
    expect(updates.slice(4).map(({ brokenFrom }) => brokenFrom)).toEqual(Array(36).fill(null));
    expect(updates.at(-1)?.state.items[0]?.stood).toBe(tierSteps.L3.leaves);
  });

  it('R221: a change sends an item back to the active part and says from which tier on the text is new', () => {
    const state = { items: [placed('map:a', 'L1', 9), placed('map:b', 'L3', 3)] };
    const update = tracker.update(state, [item('map:a', 1000, 'changed'), item('map:b', 1000)]);
    expect(tierOf(update, 'map:a')).toBe('active');
    expect(update.brokenFrom).toBe('L1');
    expect(update.changes[0]).toEqual({ key: 'map:a', from: 'L1', to: 'active', why: 'changed' });
  });

  it('R223: what is gone is dropped, with its tier marked as changed; other items stay where they are', () => {
    const state = { items: [placed('map:a', 'L2', 6), placed('map:b', 'L2', 6), placed('map:c', 'L3', 3)] };
    const update = tracker.update(state, [item('map:b', 1000), item('map:c', 1000)]);
    expect(update.state.items.map(({ key }) => key)).toEqual(['map:b', 'map:c']);
    expect(update.brokenFrom).toBe('L2');
    expect(update.changes[0]).toEqual({ key: 'map:a', from: 'L2', to: null, why: 'removed' });
  });

  it('R222: a move to a tier that is written anew in any case is free, a move above it is not', () => {
    const state = { items: [placed('map:l1', 'L1', 9, 5000), placed('map:l2', 'L2', 6), placed('map:l3', 'L3', 5)] };
    const quiet = tracker.update(state, [item('map:l1', 5000), item('map:l2', 1000), item('map:l3', 1000)]);
    expect(tierOf(quiet, 'map:l3')).toBe('L3');
    expect(quiet.brokenFrom).toBeNull();
    const broken = tracker.update(state, [item('map:l1', 5000), item('map:l2', 1000, 'new'), item('map:l3', 1000)]);
    expect(tierOf(broken, 'map:l3')).toBe('L2');
    expect(tierOf(broken, 'map:l1')).toBe('L1');
  });

  it('R222: when the cache has run out, everything that stood long enough may rise', () => {
    const state = {
      items: [placed('map:l0', 'L0', 12), placed('map:l1', 'L1', 12, 500), placed('map:l2', 'L2', 9, 500)],
    };
    const items = [item('map:l0', 1000), item('map:l1', 500), item('map:l2', 500)];
    expect(tierOf(tracker.update(state, items), 'map:l1')).toBe('L1');
    const cold = tracker.update(state, items, true);
    expect([tierOf(cold, 'map:l1'), tierOf(cold, 'map:l2')]).toEqual(['L0', 'L1']);
  });

  it.each([
    [target, 'L2'],
    [target - 1, 'L3'],
  ])(
    'R222: what rises into an empty tier with %i tokens, of which a marker needs so many, is then in %s',
    (tokens, tier) => {
      const state = { items: [placed('map:l3', 'L3', 6, tokens)] };
      expect(tierOf(tracker.update(state, [item('map:l3', tokens)]), 'map:l3')).toBe(tier);
    },
  );

  it('R221: an item never rises above its ceiling', () => {
    const attached: ReferenceItem = { ...item('file:a.md', 5000), ceiling: 'L3' };
    expect(tierOf(run(30, [attached]).at(-1), 'file:a.md')).toBe('L3');
  });

  it('R221: without promotion items enter L3 and stay there', () => {
    const flat = new StabilityTracker({ cacheTarget: target, promotes: false });
    let state = emptyStability;
    for (let turn = 0; turn < 30; turn += 1) state = flat.update(state, [item('file:a.md', 5000)]).state;
    expect(state.items.map(({ tier }) => tier)).toEqual(['L3']);
  });

  it('R222: seeding puts what changed longest ago first, every filled tier worth a marker', () => {
    const items = Array.from({ length: 12 }, (_, index) => item(`map:${String.fromCharCode(97 + index)}`, 600));
    const { items: seeded } = tracker.seed(items);
    const tokens = (tier: StabilityTier): number =>
      seeded.filter((each) => each.tier === tier).reduce((sum, each) => sum + each.tokens, 0);
    expect(seeded[0]).toMatchObject({ key: 'map:a', tier: 'L0', stood: 12 });
    expect(seeded.at(-1)?.tier).toBe('L3');
    for (const tier of ['L0', 'L1', 'L2'] as const) expect(tokens(tier)).toBeGreaterThanOrEqual(target);
    expect(tracker.update({ items: seeded }, items).brokenFrom).toBeNull();
  });
});
