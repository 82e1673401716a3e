/** The settings window as a person uses it: opened at the plugin’s tab, rows found by their names. */
import type { Locator } from 'playwright-core';
import type { OpenedWorkbench } from './workbench';

export interface SettingsWindow {
  row(name: string): Locator;
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
  return {
    row,
    choose: async (name, label) => void (await row(name).locator('select').selectOption({ label })),
    async type(name, text) {
      const box = row(name).locator('input, textarea').first();
      await box.fill(text);
      await box.blur();
    },
    async openPage(name) {
      await row(name).click();
      await modal.locator('.setting-page').waitFor();
    },
    back: () => modal.locator('.setting-page-back-button').click(),
    async close() {
      await page.keyboard.press('Escape');
      await modal.waitFor({ state: 'detached' });
    },
  };
}
