// The part `cache`: measures how much of each request a provider has seen before, compared with other orders of a
// request.
import { importBundled } from '../../scripts/build/bundle-node.mjs';

export async function measure({ vault, progress }) {
  const { measureCache } = await importBundled('test/bench/cache/cache-part.ts');
  return measureCache(vault, progress);
}
