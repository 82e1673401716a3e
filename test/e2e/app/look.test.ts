/** The page reads as Obsidian: pictures of its main sights in both themes and on a phone, and what can be checked of them. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { measureContrast, measureOverflow } from '../driver/measure-look';
import { keepsPictures, openWorkbench, showTheme, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(30_000);

const picturesFolder = path.resolve('dist/shots');
const devices = [
  { device: 'desktop', phone: false, names: { dark: 'dark', light: 'light' } },
  { device: 'phone', phone: true, names: { dark: 'phone', light: 'phone-light' } },
] as const;

/** Runs in the page. Waits for what moves to come to its end, and for two pictures after that. */
async function untilStill(): Promise<void> {
  const moving = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.all(moving.map(({ finished }) => finished.catch(() => undefined)));
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}

describe.each(devices)('on a $device, in both themes', ({ names, phone }) => {
  let workbench: OpenedWorkbench;
  let page: Page;

  beforeAll(async () => {
    await mkdir(picturesFolder, { recursive: true });
    workbench = await openWorkbench({ phone });
    page = workbench.page;
    await page.evaluate(() => document.fonts.ready);
  }, 60_000);

  afterAll(async () => {
    await workbench?.close();
  });

  /**
   * Takes a picture in each theme, if somebody may look at it, and checks what must hold for every state: nothing
   * extends beyond the window, and text is readable.
   */
  async function check(sight: string, texts: string[]): Promise<void> {
    // The pointer would leave hover marks and tooltips in the picture.
    await page.mouse.move(phone ? 1 : 640, 1);
    await page.locator('.tooltip').waitFor({ state: 'detached' });
    for (const theme of ['light', 'dark'] as const) {
      await showTheme(workbench, theme);
      await page.evaluate(untilStill);
      const name = `${names[theme]}-${sight}`;
      if (keepsPictures) await page.screenshot({ path: path.join(picturesFolder, `${name}.png`) });
      expect({ name, beyond: await measureOverflow(page) }).toEqual({ name, beyond: [] });
      for (const selector of texts) {
        const { count, lowest, ratio } = await measureContrast(page, selector);
        expect({ name, selector, count: count > 0 }).toEqual({ name, selector, count: true });
        expect({ name, selector, lowest, readable: ratio >= 4.5 }).toMatchObject({ readable: true });
      }
    }
  }

  const openNote = (notePath: string): Promise<void> =>
    page.evaluate(async (wanted) => {
      const file = window.app.vault.getFileByPath(wanted);
      if (!file) throw new Error(`No note ${wanted}`);
      await window.app.workspace.getLeaf(false).openFile(file, { active: true });
    }, notePath);

  it('shows the note in the editor', async () => {
    await page.locator('.cm-content .cm-line').first().waitFor();
    await check('editor', ['.workspace-leaf.mod-active .cm-line', '.workspace-leaf.mod-active .inline-title']);
    expect(await page.title()).toContain('not affiliated with Obsidian');
  });

  it('says whose program it is not', async () => {
    const sign = page.getByText('not affiliated with Obsidian').filter({ visible: true });
    expect(await sign.count()).toBe(1);
  });

  it('shows the files', async () => {
    if (phone) await page.evaluate(() => window.app.workspace.leftSplit.expand());
    for (const folder of ['Projects', 'Research']) {
      await page.locator(`.nav-folder-title[data-path="${folder}"]`).click();
    }
    await page.locator('.nav-file-title[data-path^="Research/"]').first().waitFor();
    await check('explorer', ['.nav-folder-title-content', '.nav-file-title-content']);
    if (phone) await page.evaluate(() => window.app.workspace.leftSplit.collapse());
  });

  it('shows the note in reading view', async () => {
    await workbench.command('markdown:toggle-preview');
    await page.locator('.markdown-reading-view .markdown-rendered p').first().waitFor();
    await check('reading', ['.markdown-reading-view .markdown-rendered p', '.markdown-reading-view h1']);
    await page.locator('.markdown-reading-view').getByText('People I mention most').scrollIntoViewIfNeeded();
    await check('reading-table', ['.markdown-reading-view td']);
    await workbench.command('markdown:toggle-preview');
  });

  it('shows lists, tasks, code and quotes', async () => {
    await openNote('Projects/Whimbrel refit.md');
    await page.locator('.workspace-leaf.mod-active .inline-title', { hasText: 'Whimbrel refit' }).waitFor();
    await check('project', ['.workspace-leaf.mod-active .cm-line']);
    await workbench.command('markdown:toggle-preview');
    await page.locator('.markdown-reading-view .markdown-rendered li').first().waitFor();
    await check('project-reading', ['.markdown-reading-view .markdown-rendered p']);
    await workbench.command('markdown:toggle-preview');
  });

  it('shows the command palette', async () => {
    await workbench.command('command-palette:open');
    await page.locator('.prompt .suggestion-item').first().waitFor();
    await check('palette', ['.suggestion-item']);
    await page.keyboard.press('Escape');
    expect(await page.locator('.prompt').count()).toBe(0);
  });

  it('shows the quick switcher', async () => {
    await workbench.command('switcher:open');
    await page.locator('.prompt-input').fill('se');
    await page.locator('.suggestion-item').first().waitFor();
    await check('switcher', ['.suggestion-item']);
    await page.keyboard.press('Escape');
  });

  it('shows the settings', async () => {
    await workbench.command('app:open-settings');
    await page.locator('.modal.mod-settings').waitFor();
    await check('settings', phone ? ['.vertical-tab-nav-item'] : ['.setting-item-name']);
    await page.evaluate(() => window.app.setting.openTabById('docent'));
    await page.locator('.docent-settings .setting-item-name').filter({ visible: true }).first().waitFor();
    await check('settings-plugin', ['.setting-item-name']);
    await page.evaluate(() => window.app.setting.close());
    expect(await page.locator('.modal.mod-settings').count()).toBe(0);
  });

  it('shows a menu', async () => {
    if (phone) await page.evaluate(() => window.app.workspace.leftSplit.expand());
    await page.locator('.nav-folder-title[data-path="Journal"]').click({ button: 'right' });
    await page.locator('.menu .menu-item').first().waitFor();
    await check('menu', ['.menu-item:not(.is-warning) .menu-item-title']);
    await page.keyboard.press('Escape');
    expect(await page.locator('.menu').count()).toBe(0);
    if (phone) await page.evaluate(() => window.app.workspace.leftSplit.collapse());
  });

  it('shows notices', async () => {
    await page.evaluate(() => {
      const { Notice } = window.workbench.modules.obsidian as typeof import('obsidian');
      new Notice('Three notes were changed.\nUndo from the history of this chat.', 0);
      new Notice('The model did not answer.', 0);
    });
    await check('notice', ['.notice']);
    await page.locator('.notice').first().click();
    await page.locator('.notice').first().click();
    expect(await page.locator('.notice').count()).toBe(0);
  });

  it('has the bars of its device', async () => {
    expect(await page.locator('.mobile-navbar').isVisible()).toBe(phone);
    expect(await page.locator('.workspace-ribbon.mod-left').isVisible()).toBe(!phone);
    if (!phone) return;
    const box = await page.locator('.mobile-navbar').boundingBox();
    expect(box && Math.round(box.y + box.height)).toBeGreaterThan(800);
    expect(box?.width).toBeLessThanOrEqual(390);
  });

  it('reported no error and asked no other machine', () => {
    expect(workbench.errors).toEqual([]);
    expect(workbench.outsideRequests).toEqual([]);
  });
});
