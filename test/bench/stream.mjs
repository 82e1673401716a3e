// The part `stream`: what an answer of 20,000 deltas costs the window while it streams in.
import { buildPage, buildPluginFolder } from '../../scripts/build/built-folders.mjs';
import { findBrowser, launchOptions } from '../../scripts/browser/find-browser.mjs';
import { importBundled } from '../../scripts/build/bundle-node.mjs';

export async function measure({ progress }) {
  progress('building the plugin and the workbench');
  await Promise.all([buildPluginFolder(), buildPage()]);
  const { measureStream } = await importBundled('test/bench/stream/stream-part.ts');
  return measureStream(launchOptions(await findBrowser()), progress);
}
