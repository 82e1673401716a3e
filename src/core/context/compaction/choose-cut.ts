/** Where a history may be cut and what a compaction would cover (R244, K28). */
import { tokensByRule } from '../../markup/budget';
import { imageParts, formatAddition, formatSummary } from '../../request/history-text';
import { countedText } from '../../request/token-factor';
import { messageKinds, type SessionEntry } from '../../session/entry';
import { type ContextForms, foldForms, summaryInForce, targetOf } from '../../session/log-state';

// What a compaction would cover: all up to a cut between exchanges, except what is pinned (R244, K28).

/** Share of the point of compaction that may stay as it is, so that room is made. */
const retainedShare = 0.4;

export interface CoveredEntries {
  /** Ids of all that the summary stands for, those of the summary before it included. */
  readonly covers: readonly string[];
  /** What the model saw of it, the summary in force first. */
  readonly older: readonly SessionEntry[];
}

/** @param room tokens that are left for messages when the request is to become small enough */
export function limitsFor(point: number, room: number): CutLimits {
  return { ...cutLimits, retainedTokens: Math.min(cutLimits.retainedTokens, Math.floor(point * retainedShare), room) };
}

/**
 * @param upTo the user's entry of the last exchange to cover; null or undefined for the usual place
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
  const end = entries.findIndex(({ id }) => id === boundary.id);
  const pinned = pinnedExchanges(entries);
  const before = new Set(summaryInForce(entries)?.covers);
  const fresh = exchangesOf(entries.slice(0, end))
    .filter(({ id }) => !pinned.has(id))
    .flatMap((exchange) => exchange.entries)
    .filter(({ id }) => !before.has(id));
  const shown = new Set(seen.map(({ id }) => id));
  if (!fresh.some(({ id }) => shown.has(id))) return null;
  const covers = [...before, ...fresh.map(({ id }) => id)];
  return { covers, older: seen.slice(0, cut).filter(({ kind }) => kind === 'summary' || messageKinds.has(kind)) };
}

function cutAfter(seen: readonly SessionEntry[], exchange: string): number | null {
  const start = seen.findIndex(({ id }) => id === exchange);
  const next = seen.findIndex(({ kind }, index) => index > start && kind === 'user');
  return start === -1 || next === -1 ? null : next;
}

// Where a history may be cut: only before a message of the user, so that no call loses its result (R244, K28).

export interface CutLimits {
  /** Share of the tokens that the older part should hold. */
  readonly share: number;
  /** Exchanges of user and agent that stay as they are, the newest ones. */
  readonly exchanges: number;
  /** Tokens that stay as they are, at most. */
  readonly retainedTokens: number;
}

const cutLimits: CutLimits = { share: 0.7, exchanges: 2, retainedTokens: 20_000 };

interface Place {
  readonly index: number;
  /** Tokens before it. */
  readonly before: number;
}

/** Where messages of the user stand, and what all entries come to. */
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
 * Index of the oldest entry that stays: a message of the user at or after the share, moved back until enough exchanges
 * stay, and forward again until what stays is small enough. The newest message of the user always stays.
 * @param entries what the model sees of the log, oldest first
 * @param sizeOf tokens of an entry as the model sees it
 * @returns null when there is nothing before any such message
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

/** All indexes at which a cut keeps enough exchanges and not too many tokens, whatever share is before it. */
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

/** Messages of the user before the newest one that have to stay; a newest one without an answer is no exchange yet. */
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

// Exchanges: a message of the user with all that came of it; what is pinned is pinned with its whole exchange.

export interface Exchange {
  /** Id of the user's entry; empty for what came before the first one. */
  readonly id: string;
  readonly entries: readonly SessionEntry[];
}

/** The exchanges of entries, oldest first; a summary belongs to none. */
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

/** By itself, by a result of it, or by a note that was sent with it. */
function isPinned({ id, entries }: Exchange, pins: readonly string[]): boolean {
  if (pins.includes(targetOf.exchange(id))) return true;
  return entries.some(({ kind, id: entry }) => {
    if (kind === 'tool-result') return pins.includes(targetOf.result(entry));
    return kind === 'turn-zone' && pins.some((target) => target.startsWith(targetOf.note(entry, '')));
  });
}

const sizes = new WeakMap<SessionEntry, number>();

/** The size of what an entry sends, in tokens by rule: for comparing entries, never for judging a whole request. */
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

/** Tokens of the pictures of an entry that reach the model. */
export function sentImageTokens(entry: SessionEntry): number {
  if (entry.kind !== 'user') return 0;
  return imageParts(entry.mentions).reduce((sum, part) => (part.type === 'image' ? sum + part.tokens : sum), 0);
}

/** What of an entry reaches the model as text. */
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
