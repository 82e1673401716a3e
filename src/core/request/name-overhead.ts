/** Names what takes the room of a window before anything is said: instructions, tools, or one section of the reference. */
import { words } from '../../text';
import type { Failure } from '../ports/failure';
import type { RequestPlan } from '../ports/request-plan';

/** Share of the window that the fixed part of a request may take. */
const mostShare = 0.5;

/** Null while at least half of the window is left for the conversation. */
export function nameOverhead({ totals, blocks }: RequestPlan): Failure | null {
  const fixed = totals.instructions + totals.tools + totals.reference;
  if (fixed <= totals.window * mostShare) return null;
  const sizes = new Map<string, number>([['tools', totals.tools]]);
  for (const { section, zone, tokens, place } of blocks) {
    if (zone === 'turn' || place === 'before-message' || place === 'after-message') continue;
    sizes.set(section, (sizes.get(section) ?? 0) + tokens);
  }
  const [culprit = '', size = 0] = [...sizes].sort((a, b) => b[1] - a[1])[0] ?? [];
  const say = words.request;
  return {
    kind: 'context-length',
    words: say.overhead(fixed, totals.window, say.place(culprit), size),
    remedy: say.overheadRemedy,
    action: 'open-settings',
  };
}
