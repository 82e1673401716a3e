/** Where a history may be cut: only before a message of the user, so that no call loses its result (R244, K28). */
import type { SessionEntry } from '../../session/entry';

export interface CutLimits {
  /** Share of the tokens that the older part should hold. */
  readonly share: number;
  /** Exchanges of user and agent that stay as they are, the newest ones. */
  readonly exchanges: number;
  /** Tokens that stay as they are, at most. */
  readonly keptTokens: number;
}

export const cutLimits: CutLimits = { share: 0.7, exchanges: 2, keptTokens: 20_000 };

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
  while (chosen < newest && total - (places[chosen]?.before ?? 0) > limits.keptTokens) chosen += 1;
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
    .filter(({ before }, place) => place <= last && before > 0 && total - before <= limits.keptTokens)
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
