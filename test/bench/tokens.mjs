// The part `tokens`: checks that the counter agrees with js-tiktoken, and compares their speed.
import { importBundled } from '../../scripts/build/bundle-node.mjs';

export async function measure({ vault, progress, rounds }) {
  const { measureTokens } = await importBundled('test/bench/tokens-part.ts');
  return measureTokens(vault, progress, rounds);
}
