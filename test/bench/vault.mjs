// The part `vault`: what a vault of 100,000 notes costs the plugin, at first, after a change, and at each key; and a
// question over 10,000 of them, first and after a restart; and the chat view in a vault of 10,000 notes, in a browser.
import { findBrowser, launchOptions } from '../../scripts/browser/find-browser.mjs';
import { buildPage, buildPluginFolder } from '../../scripts/build/built-folders.mjs';
import { importBundled } from '../../scripts/build/bundle-node.mjs';

const searchedNotes = 10_000;
const openedNotes = 10_000;

export async function measure({ progress }) {
  const { measureVault } = await importBundled('test/bench/vault/vault-part.ts');
  const { measureSearch } = await importBundled('test/bench/vault/search-part.ts');
  const figures = { ...(await measureVault(progress)), ...(await measureSearch(searchedNotes, progress)) };
  progress('building the plugin and the workbench');
  await Promise.all([buildPluginFolder(), buildPage()]);
  const { measureOpening } = await importBundled('test/bench/vault/opening-part.ts');
  return { ...figures, ...(await measureOpening(launchOptions(await findBrowser()), openedNotes, progress)) };
}
