/** StabilityTracker: orders reference texts so that the ones that rarely change come before the others (R221-R228). */
import { compareText } from '../base/list-edits';

// The tiers: how many unchanged requests an item needs to enter one, and what an item is (R221).

/** The most stable first; `active` items are not part of the cached start. */
const stabilityTiers = ['L0', 'L1', 'L2', 'L3'] as const;

export type StabilityTier = (typeof stabilityTiers)[number] | 'active';

/** A text for the reference part of a request. */
export interface ReferenceItem {
  /**
   * `map:` for a block of the note map, `file:` for a pinned note, `rule:` or `workspace:` for an instruction of the
   * chat.
   */
  readonly key: string;
  /** A fingerprint of the content, so that a new format does not count as a change. */
  readonly hash: string;
  readonly tokens: number;
  /**
   * The highest tier it may reach; attached notes stay in L3, since moving what is removed soon costs more than it
   * saves.
   */
  readonly ceiling?: StabilityTier;
}

export interface PlacedItem extends ReferenceItem {
  readonly tier: StabilityTier;
  /** Requests without a change, counted from the entry value of its tier. */
  readonly stood: number;
}

export interface StabilityState {
  /** In order of tier, then of key. */
  readonly items: readonly PlacedItem[];
}

export const emptyStability: StabilityState = { items: [] };

/** The count with which an item enters a tier, and the count from which it may leave upward; L0 is the last. */
export const tierSteps: Readonly<Record<StabilityTier, { readonly entry: number; readonly leaves: number }>> = {
  active: { entry: 0, leaves: 3 },
  L3: { entry: 3, leaves: 6 },
  L2: { entry: 6, leaves: 9 },
  L1: { entry: 9, leaves: 12 },
  L0: { entry: 12, leaves: Infinity },
};

export interface StabilityOptions {
  /** Tokens that make a tier worth a breakpoint of its own. */
  readonly cacheTarget: number;
  /** Whether items move above L3 at all. */
  readonly promotes: boolean;
}

interface TierChange {
  readonly key: string;
  /** Null for a new item. */
  readonly from: StabilityTier | null;
  /** Null for a removed item. */
  readonly to: StabilityTier | null;
  readonly why: 'new' | 'changed' | 'removed' | 'graduated' | 'promoted';
}

export interface StabilityUpdate {
  readonly state: StabilityState;
  readonly changes: readonly TierChange[];
  /** The first tier whose text changed; the request is rewritten from there on. Null if none did. */
  readonly brokenFrom: StabilityTier | null;
}

export class StabilityTracker {
  constructor(private readonly options: StabilityOptions) {}

  /** Places all items at once, as at the start of a chat; expects them in order, the most stable first. */
  seed(items: readonly ReferenceItem[]): StabilityState {
    return seedTiers(items, this.options.cacheTarget);
  }

  /**
   * Counts one request and returns the moves. Pure. Items that are missing from the list are removed.
   * @param cold whether the provider's cache has expired, so that every move costs nothing
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

/** Notes new, changed and removed items; an active item that was unchanged for three requests enters L3. */
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

/** An item moves up at most three tiers, so further passes change nothing. */
const maxPasses = 10;

/**
 * Moves items up tier by tier, from the lowest. A move costs nothing if its destination is at or after the first tier
 * that is rewritten anyway; into an empty tier before that, only a group that is worth a breakpoint moves.
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
 * Returns the items of a tier that may move up. The youngest stay, as many as make the tier worth its breakpoint; if
 * those are all of them, the whole tier may move.
 */
function risingFrom(
  items: readonly PlacedItem[],
  tier: StabilityTier,
  above: StabilityTier,
  cacheTarget: number,
): PlacedItem[] {
  const members = items
    .filter((item) => item.tier === tier)
    .sort((a, b) => a.stood - b.stood || compareText(a.key, b.key));
  const anchored = new Set<string>();
  if (sumOfTokens(members) > cacheTarget) {
    let anchoredTokens = 0;
    for (const { key, tokens } of members) {
      if (anchoredTokens >= cacheTarget) break;
      anchored.add(key);
      anchoredTokens += tokens;
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

/**
 * Fills L0 to L2 with enough tokens for a breakpoint each, the most stable first; the rest and items with a ceiling go
 * to L3.
 */
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

/** The position in the request: 0 comes first, `active` after all tiers. */
function rankOf(tier: StabilityTier): number {
  return tier === 'active' ? stabilityTiers.length : stabilityTiers.indexOf(tier);
}

function tierAbove(tier: StabilityTier): StabilityTier | undefined {
  return stabilityTiers[rankOf(tier) - 1];
}

function sumOfTokens(items: readonly Pick<ReferenceItem, 'tokens'>[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Sorts by tier, then by key, so that equal states give equal bytes. */
export function inPlace(items: readonly PlacedItem[]): PlacedItem[] {
  return [...items].sort((a, b) => rankOf(a.tier) - rankOf(b.tier) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
