/** The worker's side: unpacks the ranks that it is sent, answers with counts, and says that it lives while it is busy. */
import { finish, TextCount } from './count-text';
import { type PackedRanks, unpackRanks } from './unpack-ranks';

export type CountRequest =
  | { readonly type: 'ranks'; readonly ranks: PackedRanks }
  | { readonly type: 'count'; readonly id: number; readonly texts: readonly string[] };

export type CountReply =
  /** Sent before anything else, and again and again while it works: the code runs. */
  | { readonly type: 'alive' }
  | { readonly type: 'counts'; readonly id: number; readonly counts: readonly (number | null)[] };

/** What a worker sees of the page. */
export interface WorkerScope {
  onmessage: ((event: MessageEvent<CountRequest>) => void) | null;
  postMessage(reply: CountReply): void;
}

/** Milliseconds. */
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

/** Null for a text that the pattern's engine has no room for. */
function countOrNull(count: TextCount | null, text: string, speak: () => void): number | null {
  try {
    return count === null ? null : finish(count.count(text), speak);
  } catch {
    return null;
  }
}
