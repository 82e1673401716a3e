/** Exchanges: a message of the user with all that came of it; what is pinned is pinned with its whole exchange. */
import { type ContextForms, foldForms, targetOf } from '../../session/context-form';
import type { SessionEntry } from '../../session/entry';
import { messageKinds } from '../../session/seen-entries';

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
  return new Set(
    exchangesOf(entries)
      .filter((exchange) => isPinned(exchange, forms))
      .map(({ id }) => id),
  );
}

function isPinned({ id, entries }: Exchange, forms: ContextForms): boolean {
  if (forms.get(targetOf.exchange(id)) === 'pinned') return true;
  return entries.some(
    ({ kind, id: entry }) => kind === 'tool-result' && forms.get(targetOf.result(entry)) === 'pinned',
  );
}
