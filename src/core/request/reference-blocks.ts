/** Reference texts as they are sent: their order by tier, their messages, and their changes since. */
import { fingerprint } from '../base/equality';
import { lazy } from '../base/lazy';
import { compareText } from '../base/list-edits';
import { escapeText } from '../markup/escapes';
import { element, write } from '../markup/markup';
import { nameOnLine } from '../markup/prose';
import type { Message } from '../ports/message';
import type { Block, Place } from '../ports/request-plan';
import { headers, pairsOfTurn, replies } from '../prompt/world';
import type { SentReference, SentItem } from '../session/entry';
import {
  inPlace,
  type PlacedItem,
  type ReferenceItem,
  type StabilityTier,
  StabilityTracker,
} from './stability-tracker';

// Reference items in the order of sending: the most stable first, each with its tier (R204-R207, R221).

/** A reference text as it would be written now. */
export interface FreshItem extends Omit<SentItem, 'tier' | 'stood' | 'lines'> {
  readonly block: Block;
  readonly modified: number;
  readonly lines?: Readonly<Record<string, string>>;
  /** The same files with a fingerprint per line. */
  readonly prints?: Readonly<Record<string, string>>;
  /** Returns their lines in other forms of the item. */
  readonly otherLines?: () => Readonly<Record<string, readonly string[]>>;
}

type Printed = Pick<FreshItem, 'hash' | 'prints'>;

/** Caches fingerprints by part, since an unchanged part of a section is the same object. */
const printed = new WeakMap<object, Printed>();

/** Returns the reference texts among the blocks of a prompt; sections with items give one text per item. */
export function freshItems(blocks: readonly Block[]): FreshItem[] {
  return blocks.filter(isReference).flatMap((block) => {
    const { items, invisible: _invisible, ...shared } = block;
    const { section, place } = shared;
    if (place === 'first-message') return [itemOf(shared, `opening:${section}`, block)];
    if (items === undefined) return [itemOf(shared, `rule:${section}`, block)];
    return items.map((item) => itemOf(shared, item.key, item));
  });
}

export function isReference({ zone, place, text }: Block): boolean {
  return zone === 'reference' && text !== '' && (place === 'system' || place === 'first-message');
}

function itemOf(
  block: Omit<Block, 'items' | 'invisible'>,
  key: string,
  part: Pick<Block, 'text' | 'madeVisible' | 'invisible'> & {
    readonly modified?: number;
    readonly lines?: FreshItem['lines'];
    readonly otherLines?: FreshItem['otherLines'];
  },
): FreshItem {
  const { text, madeVisible, invisible = 0, modified = 0, lines, otherLines } = part;
  const known = printed.get(part) ?? print(text, lines);
  printed.set(part, known);
  return {
    key,
    section: block.section,
    text,
    ...known,
    block: { ...block, text, madeVisible, ...(invisible === 0 ? {} : { invisible }) },
    modified,
    ...(lines === undefined ? {} : { lines }),
    ...(otherLines === undefined ? {} : { otherLines }),
  };
}

function print(text: string, lines: FreshItem['lines']): Printed {
  const hash = fingerprint(text);
  if (lines === undefined) return { hash };
  const prints = Object.entries(lines).map(([path, line]) => [path, fingerprint(line)] as const);
  return { hash, prints: Object.fromEntries(prints) };
}

/** Counts the tokens of a text; may cache counts. */
export interface Counter {
  count(text: string): number;
  /** Whether every count so far is exact. */
  readonly exact?: boolean;
}

/** Counts what placing the reference texts asks about, so that it is done once, with exact counts. */
export function countReference(blocks: readonly Block[], tokenizer: Counter): void {
  for (const header of Object.values(headers)) tokenizer.count(header);
  for (const block of blocks.filter(isReference)) for (const { text } of block.items ?? [block]) tokenizer.count(text);
}

/** Places all items at once, as at the start of a chat: the ones modified longest ago first. */
export function seedItems(items: readonly FreshItem[], cacheTarget: number, tokenizer: Counter): SentItem[] {
  const tracker = new StabilityTracker({ cacheTarget, promotes: true });
  const cold = [...items.filter(isTracked)].sort(
    (a, b) => rankOfKind(a.key) - rankOfKind(b.key) || a.modified - b.modified || compareText(a.key, b.key),
  );
  return withOpening(tracker.seed(cold.map((item) => referenceOf(item, tokenizer))).items, items);
}

export interface Rearranged {
  readonly items: readonly SentItem[];
  readonly changes: readonly { readonly key: string; readonly why: string }[];
}

/**
 * Places items again for a turn in which a new order costs nothing: unchanged items stay or move up, changed ones go
 * last.
 */
export function rearrangeItems(
  sent: readonly SentItem[],
  turns: number,
  items: readonly FreshItem[],
  options: { readonly cacheTarget: number; readonly promotes: boolean; readonly cold: boolean },
  tokenizer: Counter,
): Rearranged {
  const tracker = new StabilityTracker(options);
  const placed = sent.flatMap(({ key, hash, tier, stood }): PlacedItem[] =>
    tier === 'opening' ? [] : [{ key, hash, tier, stood: stood + Math.max(0, turns - 1), tokens: 0 }],
  );
  const fresh = items.filter(isTracked).map((item) => referenceOf(item, tokenizer));
  const { state, changes } = tracker.update({ items: placed }, fresh, options.cold);
  return { items: withOpening(state.items, items), changes };
}

const isTracked = ({ key }: Pick<FreshItem, 'key'>): boolean => !key.startsWith('opening:') && !key.startsWith('tree:');

/** Puts the rules of the chat before the contents of the vault. */
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

/** Returns the blocks in the order of the request, each group under its header; an empty tier has none (R205). */
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

/** The maximum number of files named in one turn; the rest are counted. */
const maxFiles = 20;

interface ReferenceChangesPart {
  readonly section: string;
  readonly text: string;
}

export interface ReferenceChanges {
  readonly parts: readonly ReferenceChangesPart[];
  /** The fingerprints that the model knows after this turn, by key; empty for what is deleted. */
  readonly told: Readonly<Record<string, string>>;
  /** In words, such as `note created: A.md`. */
  readonly reasons: readonly string[];
}

export const noReferenceChanges: ReferenceChanges = { parts: [], told: {}, reasons: [] };

/**
 * Formats what changed in the reference texts since they were sent, for the next turn (design 5).
 * @param sections the ids of all sections that have a text now, shortened or left out for lack of space though it may be
 * @param isProposed whether a path is new, changed, or missing only by changes that wait for the user
 */
export function formatReferenceChanges(
  sent: SentReference,
  fresh: readonly FreshItem[],
  sections: ReadonlySet<string>,
  isProposed: (path: string) => boolean,
): ReferenceChanges {
  const fingerprints: Record<string, string> = {};
  const reasons: string[] = [];
  const files = fileChangesSince(sent, fresh, sections);
  for (const { path, print, reason } of files) {
    fingerprints[`line:${path}`] = print;
    reasons.push(reason);
  }
  const lines = files
    .slice(0, maxFiles)
    .map(({ path, word, shown }) => `${word}${isProposed(path) ? ' (proposed)' : ''}: ${shown}`);
  if (files.length > lines.length) lines.push(`… and ${files.length - lines.length} more.`);
  const parts: ReferenceChangesPart[] =
    lines.length === 0
      ? []
      : [{ section: 'vault-listing', text: write([element('vault_changes', {}, lines.join('\n'))]).text }];
  for (const item of itemChangesSince(sent, fresh)) {
    fingerprints[item.key] = item.hash;
    reasons.push(`${item.section} ${item.hash === '' ? 'gone' : 'changed'}`);
    parts.push({ section: item.section, text: sayOf(item, sent) });
  }
  return { parts, told: fingerprints, reasons };
}

/** A text that the head already contains is only named, so that it appears once (R227). */
function sayOf({ key, hash, text }: ItemChanges, sent: SentReference): string {
  // A file from another system may have a name that reads as a tag or as several lines.
  const name = escapeText(nameOnLine(key.slice(key.indexOf(':') + 1)));
  if (hash === '') return `Removed: ${name}. Ignore its earlier text.`;
  const isAtHead = sent.items.some((item) => item.key === key && item.hash === hash);
  return isAtHead ? `Valid again, as shown at the beginning: ${name}.` : `This replaces any earlier version:\n${text}`;
}

interface FileChanges {
  readonly path: string;
  readonly print: string;
  readonly word: 'created' | 'changed' | 'missing';
  readonly shown: string;
  readonly reason: string;
}

function fileChangesSince(
  sent: SentReference,
  fresh: readonly FreshItem[],
  sections: ReadonlySet<string>,
): FileChanges[] {
  const before = new Map(sent.items.flatMap(({ lines = {} }) => Object.entries(lines)));
  for (const [key, print] of sent.told) if (key.startsWith('line:')) before.set(key.slice('line:'.length), print);
  const now = new Map(fresh.flatMap(({ lines = {} }) => Object.entries(lines)));
  const changed = changedFiles(before, now, fresh);
  // A shorter list than the one sent, as after the vault has grown, does not show which files are missing.
  const isEmpty = now.size === 0 && !sent.items.some(({ lines, section }) => lines && sections.has(section));
  const isWhole = isEmpty || fresh.some(({ key }) => key.startsWith('map:'));
  return isWhole ? [...changed, ...missingFiles(before, now)] : changed;
}

/** The fingerprint of a file that a list only names. */
const blank = fingerprint('');

function changedFiles(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
  fresh: readonly FreshItem[],
): FileChanges[] {
  const prints = new Map(fresh.flatMap((item) => Object.entries(item.prints ?? {})));
  const others = lazy(() => new Map(fresh.flatMap(({ otherLines }) => Object.entries(otherLines?.() ?? {}))));
  const listed = foldersIn(before);
  return [...now].flatMap(([path, line]): FileChanges[] => {
    const print = prints.get(path) ?? fingerprint(line);
    const known = before.get(path) ?? '';
    if (known === print || (known !== '' && (print === blank || known === blank))) return [];
    // The file is the same: the map has less room, or more, or the note was pinned.
    if (
      others()
        .get(path)
        ?.some((other) => fingerprint(other) === known) === true
    )
      return [];
    if (known === '' && isInOtherForm(path, before, listed)) return [];
    const word = known === '' ? 'created' : 'changed';
    const folder = path.includes('/') ? `${nameOnLine(path.slice(0, path.lastIndexOf('/')))}: ` : '';
    const shown = line === '' ? nameOnLine(path) : folder + line.replace(/^- /, '');
    return [{ path, print, word, shown, reason: `note ${word}: ${path}` }];
  });
}

/** Returns the folders of the listed files, each with a slash at its end. */
function foldersIn(listed: ReadonlyMap<string, string>): ReadonlySet<string> {
  return new Set([...listed].flatMap(([path, print]) => (print === '' || path.endsWith('/') ? [] : foldersOf(path))));
}

/** Returns the folders around a file or a folder. */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\/(?!$)/g)].map(({ index }) => path.slice(0, index + 1));
}

/**
 * Whether a list in another form had the path already: a folder around listed files, or a file in a folder of which
 * only the name was listed.
 */
function isInOtherForm(path: string, before: ReadonlyMap<string, string>, listed: ReadonlySet<string>): boolean {
  return path.endsWith('/') ? listed.has(path) : foldersOf(path).some((folder) => before.has(folder));
}

function missingFiles(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): FileChanges[] {
  return [...before]
    .filter(([path, print]) => print !== '' && print !== blank && !now.has(path))
    .map(([path]) => ({ path, print: '', word: 'missing', shown: nameOnLine(path), reason: `note gone: ${path}` }));
}

type ItemChanges = Pick<FreshItem, 'key' | 'section' | 'text' | 'hash'>;

function itemChangesSince(sent: SentReference, fresh: readonly FreshItem[]): ItemChanges[] {
  const isWhole = ({ key }: { readonly key: string }): boolean => !key.startsWith('map:') && !key.startsWith('tree:');
  const before = new Map(sent.items.filter(isWhole).map(({ key, hash }) => [key, hash]));
  for (const [key, print] of sent.told) if (!key.startsWith('line:') && isWhole({ key })) before.set(key, print);
  const now = fresh.filter(isWhole);
  const changed = now.filter(({ key, hash }) => before.get(key) !== hash);
  const missing = sent.items.filter(
    ({ key }) => isWhole({ key }) && before.get(key) !== '' && now.every((item) => item.key !== key),
  );
  return [...changed, ...missing.map(({ key, section }) => ({ key, section, text: '', hash: '' }))];
}

/** The messages of the tiers below L0: a user message with the texts of the tier, and a reply (R207, R210). */
export interface TierMessages {
  readonly messages: readonly Message[];
  /** Index of the last message of each tier in the request. */
  readonly ends: Readonly<Partial<Record<'L2' | 'L3', number>>>;
}

const groups = ['L1', 'L2', 'L3', 'active', undefined] as const;

export function tierMessages(blocks: readonly Block[]): TierMessages {
  const messages: Message[] = [];
  const ends: Partial<Record<'L2' | 'L3', number>> = {};
  for (const tier of groups) {
    const texts = blocks.filter((block) => block.place === 'reference' && block.tier === tier && block.text !== '');
    const [first] = texts;
    if (first === undefined) continue;
    messages.push(tierMessage(first, texts), { role: 'assistant', parts: [{ type: 'text', text: replies.ok }] });
    if (tier === 'L1' || tier === 'L2') ends.L2 = messages.length - 1;
    if (tier === 'L3') ends.L3 = messages.length - 1;
  }
  return { messages, ends };
}

/** The last message of each tier, by the first of its blocks. */
const tierTexts = new WeakMap<Block, { readonly blocks: readonly Block[]; readonly message: Message }>();

/** Returns the same message for the same blocks: its text is as long as all attached notes, and made at each key. */
function tierMessage(first: Block, blocks: readonly Block[]): Message {
  const known = tierTexts.get(first);
  if (known?.blocks.length === blocks.length && known.blocks.every((block, at) => block === blocks[at]))
    return known.message;
  const message: Message = {
    role: 'user',
    parts: [{ type: 'text', text: blocks.map(({ text }) => text).join('\n\n') }],
  };
  tierTexts.set(first, { blocks, message });
  return message;
}

/** Returns the index of the first message of the last turn, or the length if the last message is not the user's. */
export function startOfTurn(messages: readonly Message[]): number {
  let start = messages.length - 1;
  const last = messages[start];
  if (last?.role !== 'user' || last.carriesResults === true) return messages.length;
  while (start >= 2 && isPair(messages[start - 2], messages[start - 1])) start -= 2;
  return start;
}

function isPair(first: Message | undefined, second: Message | undefined): boolean {
  const [header, reply] = [textOfOnly(first, 'user'), textOfOnly(second, 'assistant')];
  return Object.values(pairsOfTurn).some((pair) => pair.reply === reply && header?.startsWith(`${pair.header}\n`));
}

function textOfOnly(message: Message | undefined, role: Message['role']): string | undefined {
  const part = message?.role === role && message.parts.length === 1 ? message.parts[0] : undefined;
  return part?.type === 'text' ? part.text : undefined;
}
