// The part `tokens`: whether the counter counts as js-tiktoken does, and how fast it is beside it.
import { importBundled } from '../../scripts/build/bundle-node.mjs';

export async function measure({ vault, progress }) {
  const { measureTokens } = await importBundled('test/bench/tokens-part.ts');
  return measureTokens(vault, progress);
}
