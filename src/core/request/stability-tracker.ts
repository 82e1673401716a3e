/** StabilityTracker: which reference texts stood still long enough to stand before what still changes (R221-R228). */

export interface StabilityOptions {
  /** Tokens that a tier should hold to be worth a marker of its own. */
  readonly cacheTarget: number;
  /** Whether items rise above L3 at all. */
  readonly promotes: boolean;
}

export interface TierChange {
  readonly key: string;
  /** Null for an item that was not there before. */
  readonly from: StabilityTier | null;
  /** Null for an item that is gone. */
  readonly to: StabilityTier | null;
  readonly why: 'new' | 'changed' | 'removed' | 'graduated' | 'promoted';
}

export interface StabilityUpdate {
  readonly state: StabilityState;
  readonly changes: readonly TierChange[];
  /** The first tier whose text changed; everything from there on is written anew. Null when none did. */
  readonly brokenFrom: StabilityTier | null;
}

export class StabilityTracker {
  constructor(private readonly options: StabilityOptions) {}

  /** Places all items at once, as at the start of a chat; the caller gives them coldest first. */
  seed(items: readonly ReferenceItem[]): StabilityState {
    return seedTiers(items, this.options.cacheTarget);
  }

  /**
   * Pure: counts one request and says what moved. Items that are not given any more are gone.
   * @param cold the provider's cache has run out, so that every move is free
   */
  update(state: StabilityState, items: readonly ReferenceItem[], cold = false): StabilityUpdate {
    const noted = noteChanges(state, items);
    const { items: placed, moves } = this.options.promotes
      ? promote(noted.items, cold ? 0 : noted.broken, this.options.cacheTarget)
      : { items: noted.items, moves: [] };
    const touched = Math.min(noted.broken, ...moves.map(({ to }) => (to === null ? noted.broken : rankOf(to))));
    return {
      state: { items: inPlace(placed) },
      changes: [...noted.changes, ...moves],
      brokenFrom: stabilityTiers[touched] ?? null,
    };
  }
}

interface Noted {
  readonly items: readonly PlacedItem[];
  readonly changes: readonly TierChange[];
  /** Rank of the first tier that changed. */
  readonly broken: number;
}

/** What is new, changed or gone; what stood still three times in the active part enters L3. */
function noteChanges(state: StabilityState, items: readonly ReferenceItem[]): Noted {
  const before = new Map(state.items.map((item) => [item.key, item]));
  const given = new Set(items.map(({ key }) => key));
  const changes: TierChange[] = [];
  let broken: number = stabilityTiers.length;
  const touch = (tier: StabilityTier): void => {
    broken = Math.min(broken, rankOf(tier));
  };
  for (const { key, tier } of state.items) {
    if (given.has(key)) continue;
    touch(tier);
    changes.push({ key, from: tier, to: null, why: 'removed' });
  }
  const placed = items.map((item): PlacedItem => {
    const known = before.get(item.key);
    if (known === undefined) {
      changes.push({ key: item.key, from: null, to: 'active', why: 'new' });
      return { ...item, tier: 'active', stood: 0 };
    }
    if (known.hash !== item.hash) {
      touch(known.tier);
      changes.push({ key: item.key, from: known.tier, to: 'active', why: 'changed' });
      return { ...item, tier: 'active', stood: 0 };
    }
    const stood = known.stood + 1;
    if (known.tier !== 'active' || stood < tierSteps.active.leaves) return { ...item, tier: known.tier, stood };
    touch('L3');
    changes.push({ key: item.key, from: 'active', to: 'L3', why: 'graduated' });
    return { ...item, tier: 'L3', stood: tierSteps.L3.entry };
  });
  return { items: placed, changes, broken };
}

interface Promoted {
  readonly items: readonly PlacedItem[];
  readonly moves: readonly TierChange[];
}

/** More passes than this cannot move anything new: an item rises at most three tiers. */
const maxPasses = 10;

/**
 * Lifts items tier by tier, from below. A move is free when its destination lies at or after the first tier that is
 * written anew in any case; into an empty tier above that, only a group goes that is worth a marker.
 */
function promote(start: readonly PlacedItem[], startBroken: number, cacheTarget: number): Promoted {
  let items = start;
  let broken = startBroken;
  const moves: TierChange[] = [];
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const before = moves.length;
    for (const tier of ['L3', 'L2', 'L1'] as const) {
      const above = tierAbove(tier);
      if (above === undefined) continue;
      const rising = risingFrom(items, tier, above, cacheTarget);
      const isEmpty = items.every((item) => item.tier !== above);
      const isOpen = rankOf(above) >= broken || (isEmpty && sumOfTokens(rising) >= cacheTarget);
      if (!isOpen) {
        items = items.map((item) =>
          item.tier === tier ? { ...item, stood: Math.min(item.stood, tierSteps[tier].leaves) } : item,
        );
        continue;
      }
      if (rising.length === 0) continue;
      const keys = new Set(rising.map(({ key }) => key));
      items = items.map((item) =>
        keys.has(item.key) ? { ...item, tier: above, stood: tierSteps[above].entry } : item,
      );
      moves.push(...rising.map(({ key }): TierChange => ({ key, from: tier, to: above, why: 'promoted' })));
      broken = Math.min(broken, rankOf(above));
    }
    if (moves.length === before) break;
  }
  return { items, moves };
}

/**
 * The items of a tier that may rise; as many of the youngest stay as keep the tier worth its marker, unless that is
 * all of them: a tier that stood still as a whole may rise as a whole.
 */
function risingFrom(
  items: readonly PlacedItem[],
  tier: StabilityTier,
  above: StabilityTier,
  cacheTarget: number,
): PlacedItem[] {
  const members = items
    .filter((item) => item.tier === tier)
    .sort((a, b) => a.stood - b.stood || (a.key < b.key ? -1 : 1));
  const anchored = new Set<string>();
  if (sumOfTokens(members) > cacheTarget) {
    let kept = 0;
    for (const { key, tokens } of members) {
      if (kept >= cacheTarget) break;
      anchored.add(key);
      kept += tokens;
    }
  }
  if (anchored.size === members.length) anchored.clear();
  return members.filter(
    ({ key, stood, ceiling }) =>
      !anchored.has(key) &&
      stood >= tierSteps[tier].leaves &&
      rankOf(above) >= (ceiling === undefined ? 0 : rankOf(ceiling)),
  );
}

/** Fills L0 to L2 with what is worth a marker each, coldest first; the rest, and what may not rise, goes to L3. */
function seedTiers(items: readonly ReferenceItem[], cacheTarget: number): StabilityState {
  if (items.length === 0) return emptyStability;
  const placed: PlacedItem[] = [];
  const free = items.filter(({ ceiling }) => ceiling === undefined);
  const share = Math.max(cacheTarget, sumOfTokens(free) / stabilityTiers.length);
  let rank = 0;
  let filled = 0;
  for (const item of items) {
    const tier = item.ceiling === undefined ? (stabilityTiers[rank] ?? 'L3') : item.ceiling;
    placed.push({ ...item, tier, stood: tierSteps[tier].entry });
    if (item.ceiling !== undefined) continue;
    filled += item.tokens;
    if (filled < share) continue;
    rank = Math.min(rank + 1, stabilityTiers.length - 1);
    filled = 0;
  }
  return { items: inPlace(placed) };
}

// The tiers of reference texts: how long a text must stand still to enter one, and what an item of them is (R221).

/** The most stable first; `active` texts are not part of the cached beginning. */
const stabilityTiers = ['L0', 'L1', 'L2', 'L3'] as const;
export type StabilityTier = (typeof stabilityTiers)[number] | 'active';

/** A text that may stand in the reference part of a request. */
export interface ReferenceItem {
  /** `map:` a block of the note map, `file:` a pinned note, `rule:` or `workspace:` a standing instruction. */
  readonly key: string;
  /** Of what the text is made from, so that a new way of writing it down does not count as a change. */
  readonly hash: string;
  readonly tokens: number;
  /** The highest tier it may reach; attached notes stay in L3, since lifting what leaves soon costs more than it saves. */
  readonly ceiling?: StabilityTier;
}

export interface PlacedItem extends ReferenceItem {
  readonly tier: StabilityTier;
  /** Requests in which it stood still, counted from the entry value of its tier. */
  readonly stood: number;
}

export interface StabilityState {
  /** In order of tier, then of key. */
  readonly items: readonly PlacedItem[];
}

export const emptyStability: StabilityState = { items: [] };

/** Count with which an item enters a tier, and from which it may leave it upwards; L0 is the end. */
export const tierSteps: Readonly<Record<StabilityTier, { readonly entry: number; readonly leaves: number }>> = {
  active: { entry: 0, leaves: 3 },
  L3: { entry: 3, leaves: 6 },
  L2: { entry: 6, leaves: 9 },
  L1: { entry: 9, leaves: 12 },
  L0: { entry: 12, leaves: Infinity },
};

/** Place in the request: 0 stands first, `active` after all tiers. */
function rankOf(tier: StabilityTier): number {
  return tier === 'active' ? stabilityTiers.length : stabilityTiers.indexOf(tier);
}

function tierAbove(tier: StabilityTier): StabilityTier | undefined {
  return stabilityTiers[rankOf(tier) - 1];
}

function sumOfTokens(items: readonly Pick<ReferenceItem, 'tokens'>[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Order in which items stand: by tier, inside one by key, so that equal states give equal bytes. */
export function inPlace(items: readonly PlacedItem[]): PlacedItem[] {
  return [...items].sort((a, b) => rankOf(a.tier) - rankOf(b.tier) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
