/** The settings window as a person uses it: opened at the plugin’s tab, rows found by their names. */
import type { Locator } from 'playwright-core';
import { words } from '../../../src/text';
import { screenOfRow } from './browser';
import type { OpenedWorkbench } from './workbench';

export interface SettingsWindow {
  row(name: string): Locator;
  /** Opens the screen that has this row, if it is not open; returns the row. */
  reach(name: string): Promise<Locator>;
  choose(name: string, label: string): Promise<void>;
  /** Types into the row's box and leaves it. */
  type(name: string, text: string): Promise<void>;
  openPage(name: string): Promise<void>;
  back(): Promise<void>;
  close(): Promise<void>;
}

export async function openSettingsWindow({ page }: OpenedWorkbench): Promise<SettingsWindow> {
  await page.evaluate(() => {
    window.app.setting.open();
    window.app.setting.openTabById('docent');
  });
  const modal = page.locator('.modal.mod-settings');
  await modal.waitFor();
  const row = (name: string): Locator =>
    modal
      .locator('.setting-item')
      .filter({ has: page.locator('.setting-item-name', { hasText: new RegExp(`^${name}$`) }) });
  const backButton = modal.locator('.setting-page-back-button');
  const reach = async (name: string): Promise<Locator> => {
    if ((await row(name).count()) > 0) return row(name);
    while ((await backButton.count()) > 0) await backButton.click();
    if ((await row(name).count()) > 0) return row(name);
    const pages = Object.values(words.settings.pages).map((page) => page.name);
    const seen = screenOfRow.get(name);
    for (const page of new Set([...pages.filter((each) => each === seen), ...pages])) {
      await row(page).click();
      await modal.locator('.setting-page').waitFor();
      for (const other of await modal.locator('.setting-item-name').allTextContents()) screenOfRow.set(other, page);
      if ((await row(name).count()) > 0) return row(name);
      await backButton.click();
    }
    return row(name);
  };
  return {
    row,
    reach,
    choose: async (name, label) => void (await (await reach(name)).locator('select').selectOption({ label })),
    async type(name, text) {
      const box = (await reach(name)).locator('input, textarea').first();
      await box.fill(text);
      await box.blur();
    },
    async openPage(name) {
      await (await reach(name)).click();
      await modal.locator('.setting-page').waitFor();
    },
    back: () => backButton.click(),
    async close() {
      await page.keyboard.press('Escape');
      await modal.waitFor({ state: 'detached' });
    },
  };
}
