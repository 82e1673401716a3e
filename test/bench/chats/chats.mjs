// The part `pane`: what a chat of 100, 1,000, and 10,000 messages costs the window to open and to use.
import { buildPage, buildPluginFolder } from '../../../scripts/build/built-folders.mjs';
import { findBrowser, launchOptions } from '../../../scripts/browser/find-browser.mjs';
import { importBundled } from '../../../scripts/build/bundle-node.mjs';

export async function measure({ progress }) {
  progress('building the plugin and the workbench');
  await Promise.all([buildPluginFolder(), buildPage()]);
  const { measureChats } = await importBundled('test/bench/chats/chats-part.ts');
  return measureChats(launchOptions(await findBrowser()), progress);
}
