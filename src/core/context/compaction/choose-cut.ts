/** Chooses where a history is cut and which entries a compaction covers (R244, K28). */
import { tokensByRule } from '../../markup/budget';
import { imageParts, formatAddition, formatSummary } from '../../request/history-text';
import { countedText } from '../../request/token-factor';
import { messageKinds, outcomeKinds, type SessionEntry } from '../../session/entry';
import { type ContextForms, coveredIn, foldForms, summaryInForce, targetOf } from '../../session/log-state';
import { findLastIndex } from '../../session/running-fold';

// Covered entries: everything before a cut between exchanges, except what is pinned (R244, K28).

/** The maximum share of the compaction point that stays uncovered, so that a compaction frees tokens. */
const retainedShare = 0.4;

export interface CoveredEntries {
  /** Ids of the entries that the summary replaces, besides those of the summary before it. */
  readonly covers: readonly string[];
  /** The id of that summary, if there is one. */
  readonly continues?: string;
  /** What the model saw of them, the summary in force first. */
  readonly older: readonly SessionEntry[];
}

/**
 * @param room tokens available for messages if the request is to become small enough
 * @param share the maximum share of the point that stays uncovered
 */
export function limitsFor(point: number, room: number, share: number = retainedShare): CutLimits {
  return { ...cutLimits, retainedTokens: Math.min(cutLimits.retainedTokens, Math.floor(point * share), room) };
}

/**
 * @param upTo the user entry of the last exchange to cover; null or undefined for the default cut
 * @returns null when nothing older than what must stay can be covered
 */
export function chooseCoveredEntries(
  entries: readonly SessionEntry[],
  seen: readonly SessionEntry[],
  limits: CutLimits,
  upTo: string | null | undefined = null,
): CoveredEntries | null {
  const cut = upTo == null ? findCut(seen, entrySize, limits) : cutAfter(seen, upTo);
  const boundary = cut === null ? undefined : seen[cut];
  if (cut === null || boundary === undefined) return null;
  const end = endBefore(
    entries,
    entries.findIndex(({ id }) => id === boundary.id),
  );
  const pinned = pinnedExchanges(entries);
  const before = coveredIn(entries);
  const fresh = exchangesOf(entries.slice(0, end))
    .filter(({ id }) => !pinned.has(id))
    .flatMap((exchange) => exchange.entries)
    .filter(({ id }) => !before.has(id));
  const shown = new Set(seen.map(({ id }) => id));
  if (!fresh.some(({ id }) => shown.has(id))) return null;
  const covers = fresh.map(({ id }) => id);
  const older = seen.slice(0, endBefore(seen, cut));
  const continues = summaryInForce(entries)?.id;
  const chain = continues === undefined ? {} : { continues };
  return { covers, ...chain, older: older.filter(({ kind }) => kind === 'summary' || messageKinds.has(kind)) };
}

/** Returns the end of what comes before a message, without the outcomes of reviews that the message reports. */
function endBefore(entries: readonly SessionEntry[], message: number): number {
  const isSaid = ({ kind }: SessionEntry): boolean =>
    kind === 'summary' || (messageKinds.has(kind) && !outcomeKinds.has(kind));
  return findLastIndex(entries, isSaid, message) + 1;
}

function cutAfter(seen: readonly SessionEntry[], exchange: string): number | null {
  const start = seen.findIndex(({ id }) => id === exchange);
  const next = seen.findIndex(({ kind }, index) => index > start && kind === 'user');
  return start === -1 || next === -1 ? null : next;
}

// Cuts: only before a user message, so that no call loses its result (R244, K28).

export interface CutLimits {
  /** The share of the tokens that the older part should have. */
  readonly share: number;
  /** The number of newest exchanges that stay uncovered. */
  readonly exchanges: number;
  /** The maximum number of tokens that stay uncovered. */
  readonly retainedTokens: number;
}

const cutLimits: CutLimits = { share: 0.7, exchanges: 2, retainedTokens: 20_000 };

interface Place {
  readonly index: number;
  /** Tokens before it. */
  readonly before: number;
}

/** Returns the index of each user message with the tokens before it, and the tokens of all entries. */
function placesIn(entries: readonly SessionEntry[], sizeOf: (entry: SessionEntry) => number) {
  const places: Place[] = [];
  let total = 0;
  entries.forEach((entry, index) => {
    if (entry.kind === 'user') places.push({ index, before: total });
    total += sizeOf(entry);
  });
  return { places, total };
}

/**
 * Returns the index of the oldest entry that stays: a user message at or after the share, moved back until enough
 * exchanges stay, then forward until what stays is small enough. The newest user message always stays.
 * @param entries what the model sees of the log, oldest first
 * @param sizeOf tokens of an entry as the model sees it
 * @returns null when nothing comes before any such message
 */
export function findCut(
  entries: readonly SessionEntry[],
  sizeOf: (entry: SessionEntry) => number,
  limits: CutLimits = cutLimits,
): number | null {
  const { places, total } = placesIn(entries, sizeOf);
  const newest = places.length - 1;
  const atShare = places.findIndex((place) => place.before >= total * limits.share);
  const wanted = atShare === -1 ? newest : atShare;
  const withExchanges = Math.min(wanted, newest - exchangesToKeep(entries, places, limits.exchanges));
  let chosen = Math.max(withExchanges, 0);
  while (chosen < newest && total - (places[chosen]?.before ?? 0) > limits.retainedTokens) chosen += 1;
  const cut = places[chosen];
  return cut === undefined || cut.index === 0 || cut.before === 0 ? null : cut.index;
}

/**
 * Returns every index at which a cut leaves enough exchanges and not too many tokens, regardless of the share before
 * it.
 */
export function cutPlaces(
  entries: readonly SessionEntry[],
  sizeOf: (entry: SessionEntry) => number,
  limits: CutLimits = cutLimits,
): number[] {
  const { places, total } = placesIn(entries, sizeOf);
  const last = places.length - 1 - exchangesToKeep(entries, places, limits.exchanges);
  return places
    .filter(({ before }, place) => place <= last && before > 0 && total - before <= limits.retainedTokens)
    .map(({ index }) => index);
}

/**
 * Returns how many user messages before the newest one must stay; an unanswered newest message is not an exchange yet.
 */
function exchangesToKeep(
  entries: readonly SessionEntry[],
  places: readonly { readonly index: number }[],
  exchanges: number,
): number {
  const newest = places.at(-1);
  if (newest === undefined) return 0;
  const isAnswered = entries.slice(newest.index).some(({ kind }) => kind === 'assistant');
  return isAnswered ? exchanges - 1 : exchanges;
}

// An exchange: a user message and everything up to the next one; a pin inside it pins the whole exchange.

export interface Exchange {
  /** The id of the user entry; empty for entries before the first one. */
  readonly id: string;
  readonly entries: readonly SessionEntry[];
}

/** Groups entries into exchanges, oldest first; a summary belongs to none. */
export function exchangesOf(entries: readonly SessionEntry[]): Exchange[] {
  const found: { id: string; entries: SessionEntry[] }[] = [];
  for (const entry of entries) {
    if (!messageKinds.has(entry.kind)) continue;
    if (entry.kind === 'user' || found.length === 0) {
      found.push({ id: entry.kind === 'user' ? entry.id : '', entries: [] });
    }
    found.at(-1)?.entries.push(entry);
  }
  return found;
}

export function pinnedExchanges(entries: readonly SessionEntry[]): ReadonlySet<string> {
  const forms = foldForms(entries);
  const pins = pinsIn(forms);
  if (pins.length === 0) return new Set();
  return new Set(
    exchangesOf(entries)
      .filter((exchange) => isPinned(exchange, pins))
      .map(({ id }) => id),
  );
}

function pinsIn(forms: ContextForms): string[] {
  return [...forms].flatMap(([target, form]) => (form === 'pinned' ? [target] : []));
}

/** A pin on the exchange, on one of its results, or on a note or an image sent with it. */
function isPinned({ id, entries }: Exchange, pins: readonly string[]): boolean {
  if (pins.includes(targetOf.exchange(id))) return true;
  const isPartPinned = (part: string): boolean => pins.some((target) => target.startsWith(part));
  return entries.some(({ kind, id: entry }) => {
    if (kind === 'tool-result') return pins.includes(targetOf.result(entry));
    if (kind === 'user') return isPartPinned(targetOf.image(entry, ''));
    return kind === 'turn-zone' && isPartPinned(targetOf.note(entry, ''));
  });
}

const sizes = new WeakMap<SessionEntry, number>();

/** Returns the tokens that an entry sends, counted by rule: for comparing entries, not for judging a whole request. */
export function entrySize(entry: SessionEntry): number {
  const known = sizes.get(entry);
  if (known !== undefined) return known;
  const size = sentTexts(entry).reduce((sum, text) => sum + tokensByRule(text), sentImageTokens(entry));
  sizes.set(entry, size);
  return size;
}

export function sizeOfAll(entries: readonly SessionEntry[]): number {
  return entries.reduce((sum, entry) => sum + entrySize(entry), 0);
}

/** Returns the tokens of the images that the model sees of an entry. */
export function sentImageTokens(entry: SessionEntry): number {
  const sent = entry.kind === 'user' ? entry.mentions : entry.kind === 'tool-result' ? (entry.images ?? []) : [];
  return imageParts(sent).reduce((sum, part) => (part.type === 'image' ? sum + part.tokens : sum), 0);
}

/** Returns the texts that the model sees of an entry. */
export function sentTexts(entry: SessionEntry): string[] {
  switch (entry.kind) {
    case 'user':
      return [entry.text, ...imageParts(entry.mentions).map(countedText)];
    case 'assistant':
      return entry.parts.map((part) => (part.type === 'tool-call' ? `${part.name} ${part.argumentsText}` : part.text));
    case 'tool-result':
      return [entry.text, ...(entry.additions ?? []).map(formatAddition)];
    case 'hook-context':
      return entry.additions.map(formatAddition);
    case 'turn-zone':
      return [...entry.before, ...entry.after].map(({ text }) => text);
    case 'summary':
      return [formatSummary(entry.snapshot)];
    default:
      return [];
  }
}
