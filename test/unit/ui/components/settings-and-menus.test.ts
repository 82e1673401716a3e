/** @jest-environment jsdom */
/** What opens Obsidian's own settings, search and menus, with or without their private parts. */
import { type App, Notice } from 'obsidian';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { words } from '../../../../src/text';
import { closeSettings, openMenu, openSearch, openSettings } from '../../../../src/ui/components/settings-and-menus';

let done: string[];
const appWith = (more: object): App => more as unknown as App;
const notices = (): string[] => [...document.querySelectorAll('.notice-message')].map(({ textContent }) => textContent);

beforeEach(async () => {
  await createTestApp({ bare: true });
  done = [];
});
afterEach(closeTestApps);

it('opens and closes the settings where the app has them', () => {
  const setting = {
    open: () => done.push('open'),
    openTabById: (id: string) => done.push(`tab ${id}`),
    close: () => done.push('close'),
  };
  openSettings(appWith({ setting }), 'docent');
  closeSettings(appWith({ setting }));
  expect(done).toEqual(['open', 'tab docent', 'close']);
  const { close: _close, ...older } = setting;
  for (const app of [
    {},
    { setting: null },
    { setting: 'none' },
    { setting: { open: setting.open } },
    { setting: older },
  ]) {
    closeSettings(appWith(app));
    if (app.setting !== older) openSettings(appWith(app), 'docent');
  }
  expect(done).toHaveLength(3);
});

it('searches with the core plugin, and says if that is off', () => {
  const search = { openGlobalSearch: (query: string) => done.push(`search ${query}`) };
  const internalPlugins = { getEnabledPluginById: (id: string) => (id === 'global-search' ? search : null) };
  openSearch(appWith({ internalPlugins }), 'keel');
  expect([done, notices()]).toEqual([['search keel'], []]);
  for (const app of [{}, { internalPlugins: {} }, { internalPlugins: { getEnabledPluginById: () => null } }])
    openSearch(appWith(app), 'keel');
  openSearch(appWith({ internalPlugins: { getEnabledPluginById: () => ({}) } }), 'keel');
  expect([done.length, notices()]).toEqual([1, Array.from({ length: 4 }, () => words.render.searchOff)]);
  expect(new Notice('')).toBeDefined();
});

it('opens a menu with an item for each line, of which one without an act is information', () => {
  const button = document.body.createEl('button');
  openMenu(button, [
    { title: 'Keel', icon: 'anchor', checked: true, run: () => done.push('keel') },
    { title: 'Mast', detail: 'Of pine', run: () => done.push('mast') },
    { title: 'Said', section: 'other' },
  ]);
  const items = [...document.querySelectorAll<HTMLElement>('.menu-item')];
  expect(items.map((item) => item.querySelector('.menu-item-title')?.textContent)).toEqual([
    'Keel',
    'MastOf pine',
    'Said',
  ]);
  expect(items[1]?.querySelector('.docent-menu-detail')?.textContent).toBe('Of pine');
  expect(items.map((item) => item.classList.contains('is-disabled'))).toEqual([false, false, true]);
  expect(items.map((item) => item.querySelector('.lucide-anchor') !== null)).toEqual([true, false, false]);
  expect(items.map((item) => item.querySelector('.mod-checked') !== null || item.hasClass('mod-checked'))).toEqual([
    ...[true, false, false],
  ]);
  items[0]?.click();
  expect(done).toEqual(['keel']);
});
