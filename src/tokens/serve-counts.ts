/** The worker's side: unpacks the ranks that it is sent, and answers with counts. */
import { finish, TextCount } from './count-text';
import type { PackedRanks } from './packed-ranks';
import { unpackRanks } from './unpack-ranks';

export type CountRequest =
  | { readonly type: 'ranks'; readonly ranks: PackedRanks }
  | { readonly type: 'count'; readonly id: number; readonly texts: readonly string[] };

export type CountReply =
  /** Sent before anything else: the code runs. */
  | { readonly type: 'alive' }
  | { readonly type: 'counts'; readonly id: number; readonly counts: readonly (number | null)[] };

/** What a worker sees of the page. */
export interface WorkerScope {
  onmessage: ((event: MessageEvent<CountRequest>) => void) | null;
  postMessage(reply: CountReply): void;
}

export function serveCounts(scope: WorkerScope): void {
  let count: TextCount | null = null;
  scope.onmessage = ({ data }) => {
    if (data.type === 'ranks') {
      count = new TextCount(finish(unpackRanks(data.ranks)));
      return;
    }
    const counts = data.texts.map((text) => countOrNull(count, text));
    scope.postMessage({ type: 'counts', id: data.id, counts });
  };
  scope.postMessage({ type: 'alive' });
}

/** Null for a text that the pattern's engine has no room for. */
function countOrNull(count: TextCount | null, text: string): number | null {
  try {
    return count === null ? null : finish(count.count(text));
  } catch {
    return null;
  }
}
