/** Reference texts in the order in which they are sent: the coldest at the head, each with its tier (R204-R207, R221). */
import { fingerprint } from '../base/equality';
import type { Block, Place } from '../ports/request-plan';
import { headers } from '../prompt/world';
import type { SentItem } from '../session/entry';
import { inPlace, type PlacedItem, type ReferenceItem, type StabilityTier } from './stability-tiers';
import { StabilityTracker } from './stability-tracker';

/** A reference text as it would be written now. */
export interface FreshItem extends Omit<SentItem, 'tier' | 'stood' | 'lines'> {
  readonly block: Block;
  readonly modified: number;
  readonly lines?: Readonly<Record<string, string>>;
  /** The same, each as a fingerprint. */
  readonly prints?: Readonly<Record<string, string>>;
}

interface Printed {
  readonly hash: string;
  readonly prints?: FreshItem['prints'];
}

/** Parts of sections are the same objects while nothing changed, so that each is looked through once. */
const printed = new WeakMap<object, Printed>();

/** The reference texts among the blocks of a prompt, those of sections that come in parts one by one. */
export function freshItems(blocks: readonly Block[]): FreshItem[] {
  return blocks.filter(isReference).flatMap((block) => {
    const { section, place } = block;
    if (place === 'first-message') return [itemOf(block, `opening:${section}`, block)];
    if (block.items === undefined) return [itemOf(block, `rule:${section}`, block)];
    return block.items.map((item) => itemOf(block, item.key, item));
  });
}

export function isReference({ zone, place, text }: Block): boolean {
  return zone === 'reference' && text !== '' && (place === 'system' || place === 'first-message');
}

function itemOf(
  { items: _items, ...block }: Block,
  key: string,
  part: Pick<Block, 'text' | 'madeVisible'> & { readonly modified?: number; readonly lines?: FreshItem['lines'] },
): FreshItem {
  const { text, madeVisible, modified = 0, lines } = part;
  const known = printed.get(part) ?? print(text, lines);
  printed.set(part, known);
  return {
    key,
    section: block.section,
    text,
    ...known,
    block: { ...block, text, madeVisible },
    modified,
    ...(lines === undefined ? {} : { lines }),
  };
}

function print(text: string, lines: FreshItem['lines']): Printed {
  const hash = fingerprint(text);
  if (lines === undefined) return { hash };
  const prints = Object.entries(lines).map(([path, line]) => [path, fingerprint(line)] as const);
  return { hash, prints: Object.fromEntries(prints) };
}

/** Tokens of a text; those of the same text again are not counted again. */
export interface Counter {
  count(text: string): number;
}

/** All of them placed at once, the coldest first, as at the start of a chat. */
export function seedItems(items: readonly FreshItem[], cacheTarget: number, tokenizer: Counter): SentItem[] {
  const tracker = new StabilityTracker({ cacheTarget, promotes: true });
  const cold = [...items.filter(isTracked)].sort(
    (a, b) => rankOfKind(a.key) - rankOfKind(b.key) || a.modified - b.modified || (a.key < b.key ? -1 : 1),
  );
  return withOpening(tracker.seed(cold.map((item) => referenceOf(item, tokenizer))).items, items);
}

export interface Rearranged {
  readonly items: readonly SentItem[];
  readonly changes: readonly { readonly key: string; readonly why: string }[];
}

/** Those that stood still keep their tier or rise, those that changed go behind them; for a free turn only. */
export function rearrangeItems(
  kept: readonly SentItem[],
  turns: number,
  items: readonly FreshItem[],
  options: { readonly cacheTarget: number; readonly promotes: boolean; readonly cold: boolean },
  tokenizer: Counter,
): Rearranged {
  const tracker = new StabilityTracker(options);
  const standing = kept.flatMap(({ key, hash, tier, stood }): PlacedItem[] =>
    tier === 'opening' ? [] : [{ key, hash, tier, stood: stood + Math.max(0, turns - 1), tokens: 0 }],
  );
  const fresh = items.filter(isTracked).map((item) => referenceOf(item, tokenizer));
  const { state, changes } = tracker.update({ items: standing }, fresh, options.cold);
  return { items: withOpening(state.items, items), changes };
}

const isTracked = ({ key }: Pick<FreshItem, 'key'>): boolean => !key.startsWith('opening:') && !key.startsWith('tree:');

/** Rules of the chat stand before what the vault holds. */
function rankOfKind(key: string): number {
  return key.startsWith('rule:') ? 0 : key.startsWith('file:') ? 2 : 1;
}

function referenceOf({ key, hash, text }: FreshItem, tokenizer: Counter): ReferenceItem {
  return { key, hash, tokens: tokenizer.count(text) };
}

function withOpening(placed: readonly PlacedItem[], items: readonly FreshItem[]): SentItem[] {
  const byKey = new Map(items.map((item) => [item.key, item]));
  const tracked = inPlace(placed).flatMap(({ key, tier, stood }) => {
    const item = byKey.get(key);
    return item === undefined ? [] : [sentItem(item, tier, stood)];
  });
  const opening = items.filter((item) => !isTracked(item)).map((item) => sentItem(item, 'opening', 0));
  return [...tracked, ...opening];
}

function sentItem({ key, section, text, hash, prints }: FreshItem, tier: SentItem['tier'], stood: number): SentItem {
  return { key, section, tier, text, hash, stood, ...(prints === undefined ? {} : { lines: prints }) };
}

const fileHeaders: Readonly<Record<StabilityTier, string>> = {
  L0: headers.FILES_L0_HEADER,
  L1: headers.FILES_L1_HEADER,
  L2: headers.FILES_L2_HEADER,
  L3: headers.FILES_L3_HEADER,
  active: headers.FILES_ACTIVE_HEADER,
};

const tierOrder = ['L0', 'L1', 'L2', 'L3', 'active'] as const;

/** Blocks of the items as they stand in the request, each group under its header; an empty tier has none (R205). */
export function blocksOf(items: readonly SentItem[], tokenizer: Counter): Block[] {
  const block = (item: SentItem, place: Place, tier?: Block['tier']): Block =>
    toBlock(item.section, item.key, item.text, place, tokenizer, tier);
  const hasMap = items.some(({ key }) => key.startsWith('map:'));
  const tiers = tierOrder.flatMap((tier) => {
    const place = tier === 'L0' ? 'system' : 'reference';
    const members = items.filter((item) => item.tier === tier);
    const of = (kind: string): SentItem[] => members.filter(({ key }) => key.startsWith(kind));
    const [rules, maps, files] = [of('rule:'), of('map:'), of('file:')];
    const mapHeader = tier === 'L0' ? headers.REPO_MAP_HEADER : headers.TIER_SYMBOLS_HEADER;
    const head = (section: string, text: string): Block =>
      toBlock(section, `header:${tier}`, text, place, tokenizer, tier);
    return [
      ...rules.map((item) => block(item, place, tier)),
      ...(maps.length > 0 || (tier === 'L0' && hasMap) ? [head('vault-listing', mapHeader)] : []),
      ...maps.map((item) => block(item, place, tier)),
      ...(files.length > 0 ? [head(files[0]?.section ?? '', fileHeaders[tier])] : []),
      ...files.map((item) => block(item, place, tier)),
    ];
  });
  const rest = items.filter(({ tier }) => tier === 'opening');
  const trees = rest.filter(({ key }) => key.startsWith('tree:'));
  return [
    ...tiers,
    ...trees.flatMap((item) => [
      toBlock(item.section, 'header:tree', headers.FILE_TREE_HEADER, 'reference', tokenizer),
      block(item, 'reference'),
    ]),
    ...rest.filter((item) => !trees.includes(item)).map((item) => block(item, 'first-message')),
  ];
}

function toBlock(
  section: string,
  item: string,
  text: string,
  place: Place,
  tokenizer: Counter,
  tier?: Block['tier'],
): Block {
  const tokens = tokenizer.count(text);
  const common = { section, zone: 'reference', place, text, tokens, outcome: 'full', madeVisible: 0, item } as const;
  return tier === undefined ? common : { ...common, tier };
}
