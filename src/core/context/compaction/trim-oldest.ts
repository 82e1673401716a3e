/** The last resort before a request is refused: the oldest parts are left out, whole, so that no call loses its result. */
import type { FormChange, SessionEntry } from '../../session/entry';
import { foldForms, targetOf } from '../../session/log-state';
import { entrySize, sizeOfAll } from './entry-size';
import { exchangesOf, pinnedExchanges } from './exchanges';

/**
 * What to leave out to win so many tokens: the oldest exchanges, then the oldest answers with calls of the newest one.
 * What is pinned, the newest message and its newest answer stay, so it may win less.
 */
export function oldestParts(
  entries: readonly SessionEntry[],
  seen: readonly SessionEntry[],
  tokens: number,
): FormChange[] {
  const pinned = pinnedExchanges(entries);
  const forms = foldForms(entries);
  const exchanges = exchangesOf(seen);
  const newest = exchanges.at(-1);
  const parts: { readonly target: string; readonly size: number }[] = exchanges
    .slice(0, -1)
    .filter(({ id }) => !pinned.has(id))
    .map(({ id, entries: own }) => ({ target: targetOf.exchange(id), size: sizeOfAll(own) }));
  for (const round of roundsOf(newest?.entries ?? []).slice(0, -1)) {
    const isPinned = round.some(({ id }) => forms.get(targetOf.result(id)) === 'pinned');
    const [answer] = round;
    if (answer !== undefined && !isPinned) parts.push({ target: targetOf.round(answer.id), size: sizeOfAll(round) });
  }
  const chosen: FormChange[] = [];
  let won = 0;
  for (const { target, size } of parts) {
    if (won >= tokens) break;
    chosen.push({ target, form: 'dropped' });
    won += size;
  }
  return chosen;
}

/** Answers with what their calls gave. */
function roundsOf(entries: readonly SessionEntry[]): SessionEntry[][] {
  const rounds: SessionEntry[][] = [];
  for (const entry of entries) {
    if (entry.kind === 'assistant') rounds.push([]);
    rounds.at(-1)?.push(entry);
  }
  return rounds.filter((round) => round.some((entry) => entrySize(entry) > 0));
}
