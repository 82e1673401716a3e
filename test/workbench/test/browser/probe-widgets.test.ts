/** The probe's settings, dialogs, suggesters, menus, notices and popovers, driven as a person would. */
import type { Locator } from 'playwright-core';
import { openProbe, shareProbe } from './probe-page';

jest.setTimeout(60_000);

const probe = shareProbe();

const untilSaved = async (key: string, value: unknown): Promise<void> => {
  let seen: unknown;
  for (let tries = 0; tries < 300; tries++) {
    seen = (await probe.readSettings().catch((): Record<string, unknown> => ({})))[key];
    if (JSON.stringify(seen) === JSON.stringify(value)) return;
    await probe.page.waitForTimeout(50);
  }
  expect({ key, value: seen }).toEqual({ key, value });
};

describe('settings', () => {
  const row = (name: string): Locator =>
    probe.page
      .locator('.modal.mod-settings .setting-item')
      .filter({ has: probe.page.locator('.setting-item-name', { hasText: new RegExp(`^${name}$`) }) });

  beforeAll(async () => {
    await probe.page.keyboard.press('Control+,');
    await probe.page.locator('.vertical-tab-nav-item', { hasText: 'Probe' }).click();
  });

  it('saves a toggle, shows the row that depends on it and disables another', async () => {
    expect(await row('Seen when toggled').isVisible()).toBe(false);
    expect(await row('Colour').locator('input').isDisabled()).toBe(false);
    await row('Toggle').locator('.checkbox-container').click();
    await untilSaved('toggle', true);
    await row('Seen when toggled').waitFor();
    expect(await row('Colour').locator('input').isDisabled()).toBe(true);
    await row('Seen when toggled').locator('input').fill('now');
    await untilSaved('hidden', 'now');
  });

  it('refuses a text that does not hold, and saves one that does', async () => {
    const input = row('Text').locator('input');
    await input.fill('loud!');
    await row('Text').getByText('No exclamation marks.').waitFor();
    await untilSaved('text', 'one');
    await input.fill('quiet');
    await untilSaved('text', 'quiet');
    expect(await row('Text').getByText('No exclamation marks.').count()).toBe(0);
  });

  it('saves an area, a number, a slider, a choice and a colour', async () => {
    await row('Area').locator('textarea').fill('two\nlines');
    await untilSaved('area', 'two\nlines');
    await row('Number').locator('input').fill('7');
    await untilSaved('number', 7);
    expect(await row('Slider').locator('.slider-value').innerText()).toBe('5 of 10');
    await row('Slider').locator('input').press('ArrowRight');
    await untilSaved('slider', 6);
    await row('Choice').locator('select').selectOption({ label: 'Letter a' });
    await untilSaved('choice', 'a');
    await row('Toggle').locator('.checkbox-container').click();
    await row('Colour').locator('input').fill('#ff0000');
    await untilSaved('colour', '#ff0000');
  });

  it('completes a file and a folder, by the keys of the list before those of the dialog', async () => {
    await row('File').locator('input').fill('lin');
    await probe.page.locator('.suggestion-container .suggestion-item', { hasText: 'Links.md' }).waitFor();
    await probe.page.keyboard.press('Enter');
    await untilSaved('file', 'Links.md');
    await row('Folder').locator('input').fill('fol');
    await probe.page.locator('.suggestion-container .suggestion-item').first().waitFor();
    await probe.page.keyboard.press('Escape');
    expect(await probe.page.locator('.suggestion-container').count()).toBe(0);
    expect(await probe.page.locator('.modal.mod-settings').count()).toBe(1);
    await row('Folder').locator('input').fill('fold');
    await probe.page.locator('.suggestion-container .suggestion-item', { hasText: 'Folder' }).click();
    await untilSaved('folder', 'Folder');
  });

  it('links a secret by name and never saves its value', async () => {
    await row('Secret').locator('button').click();
    await probe.page.locator('.secret-id-input').fill('probe-secret');
    await probe.page.locator('.secret-value-input').fill('do not tell');
    await probe.page.locator('.mod-secrets').getByRole('button', { name: 'Save' }).click();
    await untilSaved('secret', 'probe-secret');
    expect(JSON.stringify(await probe.readSettings())).not.toContain('do not tell');
  });

  it('runs an action and a button of the group', async () => {
    await row('Action').click();
    await probe.untilNoted('setting action');
    await probe.page
      .locator('.setting-group', { hasText: 'Drawn by hand' })
      .locator('.setting-item-heading .extra-setting-button, .setting-group-heading .extra-setting-button')
      .first()
      .click();
    await probe.untilNoted('group button');
  });

  it('adds to a list, deletes from it and reorders it by dragging', async () => {
    await probe.page.getByLabel('Add name').click();
    await untilSaved('names', ['first', 'second', 'third', 'name 4']);
    await row('name 4').waitFor();
    await row('second').getByLabel('Delete').click();
    await untilSaved('names', ['first', 'third', 'name 4']);
    await row('second').waitFor({ state: 'detached' });
    const handle = row('first').locator('.setting-drag-handle');
    await handle.scrollIntoViewIfNeeded();
    const from = (await handle.boundingBox())!;
    const to = (await row('third').boundingBox())!;
    await probe.page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await probe.page.mouse.down();
    await probe.page.mouse.move(to.x + 20, to.y + to.height - 2, { steps: 5 });
    await probe.page.mouse.up();
    await untilSaved('names', ['third', 'first', 'name 4']);
  });

  it('opens a declared page and comes back', async () => {
    expect(await row('Declared page').locator('.setting-display-value').innerText()).toBe('7');
    await row('Declared page').click();
    await row('Number again').locator('input').fill('2');
    await untilSaved('number', 2);
    await probe.page.locator('.setting-page-titlebar').getByLabel('Back').click();
    expect(await row('Number').locator('input').inputValue()).toBe('2');
  });

  it('opens a page that the plugin draws, with every component', async () => {
    await row('Drawn page').click();
    await row('Buttons').getByRole('button', { name: 'Press' }).click();
    await probe.untilNoted('button');
    await row('Search').locator('input').fill('typed');
    await probe.untilNoted('typed');
    expect(await row('Format').locator('input').getAttribute('placeholder')).toBe('YYYY');
    await probe.page.locator('.setting-page-titlebar').getByLabel('Back').click();
    await probe.untilNoted('page hidden');
  });

  it('finds a row by an alias, and closes', async () => {
    await probe.page.locator('.setting-search input').fill('alias of text');
    const hits = probe.page.locator('.setting-search-results');
    await hits.getByText('Text', { exact: true }).waitFor();
    await probe.page.evaluate(() => window.app.setting.close());
    expect(await probe.page.locator('.modal.mod-settings').count()).toBe(0);
  });
});

describe('dialogs', () => {
  it('gives a dialog its keys, and its field the others', async () => {
    await probe.takeLog();
    await probe.trial('openModal');
    const input = probe.page.locator('.probe-modal-input');
    await input.click();
    await input.press('x');
    await probe.page.keyboard.press('Control+Alt+y');
    await probe.page.keyboard.press('Control+Enter');
    const log = (await probe.takeLog()).filter((line) => !/Control|Alt|css/.test(line));
    expect(log).toEqual(['modal input x', 'modal input y', 'modal key', 'modal closed']);
    expect(await probe.page.locator('.modal').count()).toBe(0);
  });

  it('completes a field of a dialog', async () => {
    await probe.trial('openModal');
    await probe.page.locator('.probe-modal-input').fill('fol');
    await probe.page.locator('.suggestion-container .suggestion-item', { hasText: 'Folder' }).waitFor();
    await probe.page.keyboard.press('Enter');
    await probe.untilNoted('folder Folder');
    expect(await probe.page.locator('.probe-modal-input').inputValue()).toBe('Folder');
    await probe.page.keyboard.press('Escape');
    expect(await probe.page.locator('.modal').count()).toBe(0);
  });

  it('asks for a yes', async () => {
    await probe.trial('openConfirmation');
    await probe.page.getByText('Do not ask again').click();
    await probe.page.locator('.modal').getByRole('button', { name: 'Do it' }).click();
    await probe.untilNoted('checkbox true');
    await probe.untilNoted('confirmed');
    await probe.trial('openConfirmation');
    await probe.page.locator('.modal').getByRole('button', { name: 'Cancel' }).click();
    expect(await probe.page.locator('.modal').count()).toBe(0);
    expect((await probe.takeLog()).filter((line) => line === 'confirmed')).toHaveLength(1);
  });

  it('suggests words, by keyboard', async () => {
    await probe.trial('openWords');
    const items = probe.page.locator('.prompt .suggestion-item');
    expect(await items.allInnerTexts()).toEqual(['alder', 'beech', 'birch']);
    await probe.page.locator('.prompt-input').fill('zz');
    await probe.page.getByText('No such tree.').waitFor();
    await probe.page.locator('.prompt-input').fill('c');
    await items.nth(1).waitFor();
    await probe.page.keyboard.press('ArrowDown');
    await probe.page.keyboard.press('Enter');
    await probe.untilNoted('tree chestnut');
  });

  it('suggests notes, by mouse', async () => {
    await probe.trial('openNotes');
    await probe.page.locator('.prompt-input').fill('finn');
    await probe.page.locator('.prompt .suggestion-item', { hasText: 'Folder/Inner.md' }).click();
    await probe.untilNoted('chosen Folder/Inner.md');
  });
});

describe('menus, notices and popovers', () => {
  it('opens a menu with a submenu, by mouse and by keyboard', async () => {
    await probe.trial('openMenu');
    await probe.page.locator('.menu-item', { hasText: 'Disabled' }).click();
    await probe.page.locator('.menu-item', { hasText: 'Checked' }).click();
    await probe.untilNoted('menu checked');
    await probe.untilNoted('menu hidden');
    await probe.page.mouse.move(5, 700);
    await probe.trial('openMenu');
    await probe.page.keyboard.press('ArrowDown');
    await probe.page.keyboard.press('ArrowDown');
    await probe.page.keyboard.press('ArrowRight');
    await probe.page.locator('.menu-item', { hasText: 'Inner' }).waitFor();
    await probe.page.keyboard.press('Enter');
    await probe.untilNoted('menu inner');
    expect(await probe.takeLog()).not.toContain('never');
    expect(await probe.page.locator('.menu').count()).toBe(0);
  });

  it('shows a notice, changes it and hides it', async () => {
    await probe.trial('showNotice');
    expect(await probe.page.locator('.notice .probe-notice b').innerText()).toBe('Probe notice');
    await probe.trial('changeNotice');
    expect(await probe.page.locator('.notice .probe-notice').innerText()).toBe('Probe notice changed');
    await probe.trial('hideNotice');
    await probe.page.locator('.notice').waitFor({ state: 'detached' });
  });

  it('shows a tooltip and a popover of its own', async () => {
    await probe.trial('openPopover');
    await probe.page.locator('.probe-target').hover();
    await probe.page.locator('.hover-popover .probe-popover').waitFor();
    await probe.page.locator('.tooltip', { hasText: 'Probe tooltip' }).waitFor();
    await probe.page.mouse.move(5, 700);
    await probe.page.locator('.hover-popover').waitFor({ state: 'detached' });
  });

  it('has the app show a preview of a link', async () => {
    await probe.trial('offerPreview');
    await probe.page.locator('.probe-link').hover();
    await probe.page.locator('.hover-popover').getByText('A paragraph about birch.').waitFor();
    await probe.page.mouse.move(5, 700);
    await probe.page.locator('.hover-popover').waitFor({ state: 'detached' });
  });
});

it('runs on a phone: menus are sheets, hidden commands appear, the status bar does not', async () => {
  const phone = await openProbe({ phone: true });
  expect(await phone.trial('describePlatform')).toMatchObject({ phone: true, mobile: true, desktop: false });
  await phone.workbench.command('probe:mobile');
  await phone.untilNoted('mobile command');
  await phone.trial('openMenu');
  const box = await phone.page.locator('.menu').first().boundingBox();
  expect(box && [Math.round(box.x), Math.round(box.width)]).toEqual([0, 390]);
  await phone.page.locator('.menu-item', { hasText: 'Checked' }).click();
  await phone.untilNoted('menu checked');
  expect(await phone.trial('ensureItemView', 'on the phone')).toMatchObject({ isItemView: true, inRight: true });
  expect(await phone.page.locator('.workspace-drawer.mod-right .probe-word').innerText()).toBe('on the phone');
  expect(await phone.page.getByText('Probe status').count()).toBe(0);
  expect(phone.workbench.errors).toEqual([]);
  await phone.workbench.close();
});
