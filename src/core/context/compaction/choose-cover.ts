/** What a compaction would cover: all up to a cut between exchanges, except what is pinned (R244, K28). */
import { messageKinds, type SessionEntry } from '../../session/entry';
import { summaryInForce } from '../../session/log-state';
import { entrySize } from './entry-size';
import { exchangesOf, pinnedExchanges } from './exchanges';
import { type CutLimits, cutLimits, findCut } from './find-cut';

/** Share of the point of compaction that may stay as it is, so that room is made. */
const keptShare = 0.4;

export interface Cover {
  /** Ids of all that the summary stands for, those of the summary before it included. */
  readonly covers: readonly string[];
  /** What the model saw of it, the summary in force first. */
  readonly older: readonly SessionEntry[];
}

/** @param room tokens that are left for messages when the request is to become small enough */
export function limitsFor(point: number, room: number): CutLimits {
  return { ...cutLimits, keptTokens: Math.min(cutLimits.keptTokens, Math.floor(point * keptShare), room) };
}

/**
 * @param upTo the user's entry of the last exchange to cover; null or undefined for the usual place
 * @returns null when nothing older than what must stay can be covered
 */
export function chooseCover(
  entries: readonly SessionEntry[],
  seen: readonly SessionEntry[],
  limits: CutLimits,
  upTo: string | null | undefined = null,
): Cover | null {
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
