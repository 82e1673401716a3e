// Before the browser suite: finds a browser and builds what its tests open. Either missing is a failure, never a skip.
import { buildPage, buildPluginFolder, buildProbe, folders } from '../../../scripts/build/built-folders.mjs';
import { bundleNode } from '../../../scripts/build/bundle-node.mjs';
import { findBrowser, launchOptions } from '../../../scripts/browser/find-browser.mjs';

export default async function setUp() {
  try {
    await prepare();
  } catch (thrown) {
    // Jest prints the stack; the sentence is what helps.
    thrown.stack = thrown.message;
    throw thrown;
  }
}

async function prepare() {
  // `npm test` has built them just before.
  const isBuilt = process.env.DOCENT_BUILT === 'yes';
  const builds = isBuilt ? [] : [buildProbe(), buildPluginFolder(), buildPage()];
  const [browser, sharedBrowser] = await Promise.all([
    findBrowser(),
    bundleNode('test/e2e/driver/shared-browser.ts'),
    ...builds,
  ]);
  const { executablePath, args, headless, timeout } = launchOptions(browser);
  const launch = { executablePath, args, headless, timeout };
  // The plugin may be one that was built otherwise, as with mutants in it.
  const plugin = process.env.DOCENT_PLUGIN ?? folders.plugin;
  process.env.DOCENT_E2E = JSON.stringify({ launch, env: browser.env, folders: { ...folders, plugin }, sharedBrowser });
}
