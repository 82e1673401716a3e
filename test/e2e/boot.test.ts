/** The workbench boots the shipped plugin over a real folder, on the desktop and on the phone. */
import { openWorkbench } from './workbench';

jest.setTimeout(60_000);

const enabledPlugins = (): string[] => {
  const { app } = window as unknown as { app: { plugins: { plugins: Record<string, unknown> } } };
  return Object.keys(app.plugins.plugins);
};

describe.each([
  { name: 'desktop', phone: false },
  { name: 'phone', phone: true },
])('on the $name', ({ phone }) => {
  it('boots the demo vault and loads the plugin without an error', async () => {
    const workbench = await openWorkbench({ phone });
    expect(await workbench.page.evaluate(enabledPlugins)).toContain('docent');
    expect(await workbench.page.evaluate(() => document.body.classList.contains('is-phone'))).toBe(phone);
    expect(workbench.errors).toEqual([]);
    expect(workbench.outsideRequests).toEqual([]);
    await workbench.close();
  });
});

it('tells the page of a note that another program wrote', async () => {
  const workbench = await openWorkbench({ vault: { 'Old.md': 'old' } });
  await workbench.writeNote('New.md', 'new');
  await workbench.page.waitForFunction(() => {
    const { app } = window as unknown as { app: { vault: { getFileByPath(path: string): unknown } } };
    return app.vault.getFileByPath('New.md') !== null;
  });
  expect(await workbench.readNote('Old.md')).toBe('old');
  await workbench.close();
});
