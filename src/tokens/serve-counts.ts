/**
 * The worker's side: unpacks the ranks it receives, replies with counts, and reports that it is alive while it works.
 */
import { finish, TextCount } from './count-text';
import { type PackedRanks, unpackRanks } from './unpack-ranks';

export type CountRequest =
  | { readonly type: 'ranks'; readonly ranks: PackedRanks }
  | { readonly type: 'count'; readonly id: number; readonly texts: readonly string[] };

export type CountReply =
  /** Sent first, and repeatedly during work: shows that the code runs. */
  | { readonly type: 'alive' }
  | { readonly type: 'counts'; readonly id: number; readonly counts: readonly (number | null)[] };

/** The parts of the worker's global scope that are used here. */
export interface WorkerScope {
  onmessage: ((event: MessageEvent<CountRequest>) => void) | null;
  postMessage(reply: CountReply): void;
}

/** Milliseconds between two reports. */
const timeBetweenWords = 250;

export function serveCounts(scope: WorkerScope): void {
  let count: TextCount | null = null;
  let lastWord = 0;
  const speak = (): void => {
    if (performance.now() - lastWord < timeBetweenWords) return;
    lastWord = performance.now();
    scope.postMessage({ type: 'alive' });
  };
  scope.onmessage = ({ data }) => {
    lastWord = performance.now();
    if (data.type === 'ranks') {
      count = new TextCount(finish(unpackRanks(data.ranks), speak));
      return;
    }
    const counts = data.texts.map((text) => countOrNull(count, text, speak));
    scope.postMessage({ type: 'counts', id: data.id, counts });
  };
  scope.postMessage({ type: 'alive' });
}

/** Returns null for a text that is too large for the regular expression engine. */
function countOrNull(count: TextCount | null, text: string, speak: () => void): number | null {
  try {
    return count === null ? null : finish(count.count(text), speak);
  } catch {
    return null;
  }
}
