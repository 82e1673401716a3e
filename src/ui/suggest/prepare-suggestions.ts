/** Does the work behind large lists between key presses, in slices that no one notices. */
import type { MentionContext, MentionSource } from '../../core/mentions/mention-source';
import { prepareRanking } from './rank-candidates';

/** Milliseconds of one slice. */
const sliceTime = 8;

interface Preparation {
  readonly sources: readonly MentionSource[];
  readonly context: MentionContext;
  readonly typed: string;
  readonly window: Window;
}

/** One pass over each source; resolves early to false when aborted. Starts after whatever is under way now. */
export async function prepareSuggestions(
  { sources, context, typed, window }: Preparation,
  signal: AbortSignal,
): Promise<boolean> {
  let sliceEnd = 0;
  const giveWay = async (): Promise<void> => {
    if (window.performance.now() < sliceEnd) return;
    await new Promise((resolve) => window.setTimeout(resolve, 0));
    sliceEnd = window.performance.now() + sliceTime;
  };
  for (const source of sources) {
    do await giveWay();
    while (!signal.aborted && (await source.prepare?.(context, typed)) === true);
    if (signal.aborted) return false;
    const offer = source.offer(context, typed);
    if (offer === null) continue;
    do await giveWay();
    while (!signal.aborted && prepareRanking(offer.candidates));
  }
  return !signal.aborted;
}
