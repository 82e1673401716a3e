// Before the browser suite: finds a browser and builds what its tests open. Either missing is a failure, never a skip.
import { buildPage, buildPluginFolder, buildProbe, folders } from '../../scripts/build-workbench.mjs';
import { findBrowser, launchOptions } from '../../scripts/find-browser.mjs';

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
  const [browser, probe] = await Promise.all([findBrowser(), buildProbe(), buildPluginFolder(), buildPage()]);
  const { executablePath, args, headless, timeout } = launchOptions(browser);
  const launch = { executablePath, args, headless, timeout };
  process.env.DOCENT_E2E = JSON.stringify({ launch, env: browser.env, folders: { ...folders, probe } });
}
