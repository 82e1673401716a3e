/** Puts old tool results aside, many at once, so that the provider's cache breaks seldom; the newest stay (design 8). */
import { tokensByRule } from '../markup/budget';
import { type ResultEntry, writeResult } from '../request/history-text';
import type { FormChange, SessionEntry } from '../session/entry';
import { type ContextForms, foldForms, targetOf } from '../session/log-state';
import { entrySize } from './compaction/entry-size';

/** Shares of the window: of the newest results, which stay, and of what must be won before any goes. */
const protectedShare = 0.25;
const leastWon = 0.15;

/** Results that guide the work, or tell what the user has said. */
const neverMasked = ['activate_skill', 'ask_user', 'exit_plan_mode'];

export interface MaskLimits {
  /** Tokens of the newest results that stay. */
  readonly protect: number;
  /** Tokens that must be won. */
  readonly least: number;
}

export function maskLimits(window: number): MaskLimits {
  return { protect: Math.floor(window * protectedShare), least: Math.floor(window * leastWon) };
}

/** To be used when a request does not fit otherwise: only the results of the newest answer stay. */
export const maskAll: MaskLimits = { protect: 0, least: 1 };

/**
 * The results to put aside, oldest first; none while too little would be won.
 * @param seen what the model sees of the log
 * @param from what is never masked begins with this entry: the newest message of the user, or its newest answer
 */
export function outputsToMask(
  entries: readonly SessionEntry[],
  seen: readonly SessionEntry[],
  limits: MaskLimits,
  from: 'turn' | 'answer' = 'turn',
): FormChange[] {
  const forms = foldForms(entries);
  const isTurn = from === 'turn';
  const start = seen.map(({ kind }) => kind === 'user' || (!isTurn && kind === 'assistant')).lastIndexOf(true);
  let kept = 0;
  const chosen: { readonly target: string; readonly won: number }[] = [];
  for (let index = seen.length - 1; index >= 0; index -= 1) {
    const entry = seen[index];
    if (entry?.kind !== 'tool-result') continue;
    kept += entrySize(entry);
    if (index > start || kept <= limits.protect) continue;
    const won = winOf(entry, forms);
    if (won > 0) chosen.push({ target: targetOf.result(entry.id), won });
  }
  const all = chosen.reduce((sum, { won }) => sum + won, 0);
  return all < limits.least ? [] : chosen.reverse().map(({ target }) => ({ target, form: 'masked' }));
}

/** Tokens that masking wins; what is pinned, small or shortened already wins none. */
function winOf(entry: ResultEntry, forms: ContextForms): number {
  const form = forms.get(targetOf.result(entry.id));
  if (neverMasked.includes(entry.name) || (form !== undefined && form !== 'whole')) return 0;
  const now = tokensByRule(entry.text);
  const won = now - tokensByRule(writeResult(entry, 'masked'));
  return won > now / 2 ? won : 0;
}
