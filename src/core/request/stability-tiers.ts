/** The tiers of reference texts: how long a text must stand still to enter one, and what an item of them is (R221). */

/** The most stable first; `active` texts are not part of the cached beginning. */
export const stabilityTiers = ['L0', 'L1', 'L2', 'L3'] as const;
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
export function rankOf(tier: StabilityTier): number {
  return tier === 'active' ? stabilityTiers.length : stabilityTiers.indexOf(tier);
}

export function tierAbove(tier: StabilityTier): StabilityTier | undefined {
  return stabilityTiers[rankOf(tier) - 1];
}

export function sumOfTokens(items: readonly Pick<ReferenceItem, 'tokens'>[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Order in which items stand: by tier, inside one by key, so that equal states give equal bytes. */
export function inPlace(items: readonly PlacedItem[]): PlacedItem[] {
  return [...items].sort((a, b) => rankOf(a.tier) - rankOf(b.tier) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
