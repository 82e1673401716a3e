/** Reads a conversation as the union of all its shards: the same entries in the same order on every device (S5). */
import type { Digest, Shard } from '../ports/device';
import type { SessionEntry } from './entry';
import { decodeLine } from './log-lines';

export interface MergedLog {
  readonly entries: readonly SessionEntry[];
  /** Lines that could not be read; they stay in their files and are shown as a count. */
  readonly damaged: number;
  /** Sound lines of a newer version. */
  readonly unknown: number;
}

/** Order of shards and repeats do not matter; entries are sorted by logical time, writer, session and content. */
export function mergeShards(shards: readonly Shard[], digest: Digest): MergedLog {
  const found = new Map<string, { readonly entry: SessionEntry; readonly order: string }>();
  let damaged = 0;
  let unknown = 0;
  for (const shard of shards) {
    for (const line of shard.text.split('\n')) {
      const decoded = decodeLine(line, digest);
      if (decoded === null) continue;
      if (decoded.type === 'damaged') damaged += 1;
      else if (decoded.type === 'unknown') unknown += 1;
      else {
        const { entry, order } = decoded;
        const held = found.get(entry.id);
        if (held === undefined || order < held.order) found.set(entry.id, { entry, order });
      }
    }
  }
  const entries = [...found.values()].sort(compare).map(({ entry }) => entry);
  return { entries, damaged, unknown };
}

interface Ordered {
  readonly entry: SessionEntry;
  readonly order: string;
}

function compare(a: Ordered, b: Ordered): number {
  return (
    a.entry.lamport - b.entry.lamport ||
    compareText(a.entry.writer, b.entry.writer) ||
    compareText(a.entry.session, b.entry.session) ||
    compareText(a.order, b.order)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
