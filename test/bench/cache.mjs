// The part `cache`: how much of each request a provider has seen before, beside other ways of putting requests together.
import { importBundled } from '../../scripts/build/bundle-node.mjs';

export async function measure({ vault, progress }) {
  const { measureCache } = await importBundled('test/bench/cache/cache-part.ts');
  return measureCache(vault, progress);
}
