/** The workbench boots the shipped plugin over a real folder, on the desktop and on the phone. */
import { chaosSeeds, closeQuiet, openWorkbench } from '../driver/workbench';

jest.setTimeout(60_000);

describe.each([
  { name: 'desktop', phone: false },
  { name: 'phone', phone: true },
])('on the $name', ({ phone }) => {
  it('boots the demo vault and loads the plugin without an error', async () => {
    const workbench = await openWorkbench({ phone });
    expect(await workbench.page.evaluate(() => Object.keys(window.app.plugins.plugins))).toContain('docent');
    expect(await workbench.page.evaluate(() => document.body.classList.contains('is-phone'))).toBe(phone);
    await closeQuiet(workbench);
  });
});

it.each([null, ...chaosSeeds()])(
  'tells the page of a note that another program wrote (chaos %s)',
  async (chaosSeed) => {
    const workbench = await openWorkbench({ vault: { 'Old.md': 'old' }, chaosSeed });
    await workbench.writeNote('New.md', 'new');
    await workbench.page.waitForFunction(() => window.app.vault.getFileByPath('New.md') !== null);
    expect(await workbench.readNote('Old.md')).toBe('old');
    expect(workbench.errors).toEqual([]);
    await workbench.close();
  },
);
