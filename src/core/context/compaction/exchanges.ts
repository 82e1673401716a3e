/** Exchanges: a message of the user with all that came of it; what is pinned is pinned with its whole exchange. */
import { messageKinds, type SessionEntry } from '../../session/entry';
import { type ContextForms, foldForms, targetOf } from '../../session/log-state';

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
