// The part `vault`: what a vault of 100,000 notes costs the plugin, at first, after a change, and at each key; and a
// question over 10,000 of them, first and after a restart.
import { importBundled } from '../../scripts/build/bundle-node.mjs';

const searchedNotes = 10_000;

export async function measure({ progress }) {
  const { measureVault } = await importBundled('test/bench/vault/vault-part.ts');
  const { measureSearch } = await importBundled('test/bench/vault/search-part.ts');
  return { ...(await measureVault(progress)), ...(await measureSearch(searchedNotes, progress)) };
}
