// The part `vault`: what a vault of 100,000 notes costs the plugin, at first, after a change, and at each key.
import { importBundled } from '../../scripts/build/bundle-node.mjs';

export async function measure({ progress }) {
  const { measureVault } = await importBundled('test/bench/vault/vault-part.ts');
  return measureVault(progress);
}
