/** The cap of a tool result on its way into the log: the log keeps all of it, the model is sent its two ends (R243, K35). */
import { cutMiddle, tokensByRule } from '../../markup/budget';
import type { EntryBody } from '../../session/entry';

/** Tokens of one result, and its share of the window; the smaller holds. */
const largestCap = 8_000;
const windowShare = 0.15;

export function entryCap(window: number): number {
  return Math.min(largestCap, Math.floor(window * windowShare));
}

/** Other entries are passed on as they are. */
export function capResult(body: EntryBody, window: number): EntryBody {
  if (body.kind !== 'tool-result') return body;
  const shown = cutMiddle(body.text, entryCap(window), { count: tokensByRule });
  return shown === null ? body : { ...body, shown };
}
