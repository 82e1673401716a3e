// npm run screenshots: takes the screenshots of docs/images from the workbench, in dark, light and mobile layout.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { importBundled, root } from './build/bundle-node.mjs';
import { buildPage, buildPluginFolder, folders } from './build/built-folders.mjs';
import { runScript } from './run-script.mjs';
import { findBrowser, launchOptions } from './browser/find-browser.mjs';

const images = path.join(root, 'docs/images');
const looks = [
  { name: 'dark', theme: 'dark', phone: false, viewport: { width: 1200, height: 800 }, scale: 1 },
  { name: 'light', theme: 'light', phone: false, viewport: { width: 1200, height: 800 }, scale: 1 },
  { name: 'phone', theme: 'dark', phone: true, viewport: { width: 390, height: 844 }, scale: 2 },
];
const question = 'What did we decide about the keel bolts?';

await runScript(async () => {
  await Promise.all([buildPluginFolder(), buildPage(), mkdir(images, { recursive: true })]);
  const { startWorkbench, copyVault } = await import('obsidian-workbench/server');
  const browser = await chromium.launch(launchOptions(await findBrowser()));
  try {
    for (const look of looks) await takePictures(look, browser, startWorkbench, copyVault);
  } finally {
    await browser.close();
  }
});

async function takePictures({ name, theme, phone, viewport, scale }, browser, startWorkbench, copyVault) {
  const copy = await copyVault(folders.demoVault);
  const configuration = path.join(copy.folder, '.obsidian');
  await mkdir(path.join(configuration, 'plugins/docent'), { recursive: true });
  await writeFile(path.join(configuration, 'community-plugins.json'), JSON.stringify(['docent']));
  const { letInFolder } = await importBundled('test/support/model-server/let-in.ts');
  const deviceValues = letInFolder(copy.folder);
  const options = { chaosSeed: null, phone, desktop: false, theme, vaultName: 'demo-vault', secrets: {}, deviceValues };
  const plugins = [folders.plugin];
  const workbench = await startWorkbench({
    vault: copy.folder,
    port: 0,
    inPlace: true,
    plugins,
    assets: folders.assets,
    options,
  });
  const context = await browser.newContext({ viewport, deviceScaleFactor: scale, hasTouch: phone, isMobile: phone });
  const page = await context.newPage();
  const shoot = (subject) => page.screenshot({ path: path.join(images, `${subject}-${name}.png`) });
  try {
    await page.goto(workbench.url);
    await page.waitForSelector('.workbench-ready');
    await page.waitForTimeout(500);
    await shoot('vault');
    await page.evaluate(() => window.app.commands.executeCommandById('docent:open-chat'));
    await page.locator('.docent-composer-input').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.docent-answer .docent-message-actions').waitFor();
    await page.waitForTimeout(700);
    await shoot('pane');
    await page.evaluate(() => window.app.commands.executeCommandById('docent:show-prompt'));
    await page.locator('.docent-inspector-part summary').nth(1).click();
    await page.waitForTimeout(300);
    await shoot('inspector');
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      window.app.setting.open();
      window.app.setting.openTabById('docent');
    });
    await page.waitForTimeout(500);
    await shoot('settings');
  } finally {
    await context.close();
    await workbench.close();
    await copy.remove();
  }
}
