/** The reference texts of a chat as it has them, and whether its next turn may write them anew at no cost. */
import type { Clock } from '../ports';
import type { KeptReference, SessionEntry } from '../session/entry';
import { foldReference, isBehindSummary } from '../session/fold-reference';

/** Milliseconds after which no provider keeps the beginning of a request any more. */
const restMilliseconds = 60 * 60 * 1000;

export function referenceOf(
  entries: readonly SessionEntry[],
  clock: Clock | undefined,
): { readonly kept: KeptReference | null; readonly free: string | null } {
  const kept = foldReference(entries);
  if (isBehindSummary(entries)) return { kept, free: 'compaction' };
  const answered = entries.filter(({ kind }) => kind === 'assistant').at(-1);
  const isCold = clock !== undefined && answered !== undefined && clock.now() - answered.time > restMilliseconds;
  return { kept, free: isCold ? 'cold' : null };
}
