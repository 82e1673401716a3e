/** Reads the shards of a chat at once, for tests that cannot wait; the app does the same in slices. */
import { LogUnion, type MergedLog } from '../../src/core/session/log-format';
import type { Digest, Shard } from '../../src/core/ports/device';

export function mergeShards(shards: readonly Shard[], digest: Digest): MergedLog {
  const union = new LogUnion(digest);
  for (const { text } of shards) union.add(text);
  return union.merged();
}
