/** The reference texts of a chat as it has them, and whether its next turn may write them anew at no cost. */
import type { Clock } from '../ports/device';
import type { KeptReference, SentItem, SessionEntry } from '../session/entry';
import { foldReference, isBehindSummary, isStanding } from '../session/log-state';

/** Milliseconds after which no provider keeps the beginning of a request any more. */
const restMilliseconds = 60 * 60 * 1000;

export function referenceOf(
  entries: readonly SessionEntry[],
  clock: Clock | undefined,
): { readonly kept: KeptReference | null; readonly free: string | null } {
  const kept = foldReference(entries);
  if (isBehindSummary(entries)) return { kept, free: 'compaction' };
  if (kept !== null && isAskedAnew(entries, kept)) return { kept, free: 'list' };
  const answered = entries.filter(({ kind }) => kind === 'assistant').at(-1);
  const isCold = clock !== undefined && answered !== undefined && clock.now() - answered.time > restMilliseconds;
  return { kept, free: isCold ? 'cold' : null };
}

/**
 * Whether the user has left out or reshaped what stands there, by the list of what is in the window, since the last
 * answer: it is then sent so, at the price of the cache. Notes that are added are told with the turn.
 */
function isAskedAnew(entries: readonly SessionEntry[], { items }: KeptReference): boolean {
  const kinds = entries.map(({ kind }) => kind);
  const since = Math.max(kinds.lastIndexOf('reference-sent'), kinds.lastIndexOf('assistant'));
  return entries.slice(since + 1).some((entry) => {
    if (entry.kind === 'context-forms') return entry.forms.some(({ target }) => isStanding(target));
    if (entry.kind !== 'choices') return false;
    const { contextNotes, sectionsOff } = entry.choices;
    const gone = ({ key }: SentItem): boolean =>
      key.startsWith('file:') && contextNotes?.includes(key.slice('file:'.length)) === false;
    return sectionsOff !== undefined || items.some(gone);
  });
}
