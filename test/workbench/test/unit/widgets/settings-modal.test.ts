/** @jest-environment jsdom */
import type { SettingDefinitionItem } from 'obsidian';
import { setPlatform } from '../../../src/obsidian/base/platform';
import { PluginSettingTab, SettingTab } from '../../../src/obsidian/settings/setting-tab';
import { SettingsModal } from '../../../src/obsidian/settings/settings-modal';
import { createStage, find, press, texts, type, type Stage } from './stage';

let app: Stage;
let modal: SettingsModal;
let log: string[];

class CoreTab extends SettingTab {
  override id = 'looks';
  override name = 'Looks';
  override display(): void {
    log.push('looks shown');
    this.containerEl.setText('Drawn by hand');
  }
  override hide(): void {
    log.push('looks hidden');
    super.hide();
  }
}

class Tab extends PluginSettingTab {
  override icon = 'bot';
  override getSettingDefinitions(): SettingDefinitionItem[] {
    return [
      {
        name: 'Replies',
        desc: createFragment((text) => text.appendText('How the agent answers')),
        aliases: ['response'],
      },
      { name: 'Secret row', searchable: false },
      { name: 'Invisible row', visible: () => false },
      { type: 'page', name: 'Models', items: [{ name: 'Temperature' }, { type: 'group', items: [{ name: 'Seed' }] }] },
    ];
  }
}

beforeEach(() => {
  log = [];
  app = createStage();
  modal = new SettingsModal(app);
  modal.addSettingTab(new CoreTab());
  modal.addSettingTab(
    new Tab(app, { manifest: { id: 'sample', name: 'Sample' }, settings: {}, saveData: async () => {} }),
  );
});

const search = (query: string) => type(find('.setting-search input'), query);
const results = () => texts('.setting-search-result .setting-item-name');

afterEach(() => modal.close());

test('tabs are listed under options and community plugins, and the first opens', () => {
  modal.open();
  expect(texts('.modal.mod-settings .vertical-tab-header-group-title')).toEqual(['Options', 'Community plugins']);
  expect(texts('.vertical-tab-nav-item')).toEqual(['Looks', 'Sample']);
  expect(texts('.vertical-tab-nav-item.is-active')).toEqual(['Looks']);
  expect(texts('.vertical-tab-content')).toEqual(['Drawn by hand']);
});

test('switching tabs hides the one left, closing hides the one open, and opening returns to it', () => {
  modal.open();
  find('[data-setting-id=sample]').click();
  expect(log).toEqual(['looks shown', 'looks hidden']);
  expect(texts('.vertical-tab-content .setting-item-name')).toContain('Replies');
  press('Escape');
  expect(document.querySelector('.mod-settings')).toBeNull();
  modal.open();
  expect(texts('.vertical-tab-nav-item.is-active')).toEqual(['Sample']);
});

test('openTabById answers the tab, or null', () => {
  modal.open();
  expect(modal.openTabById('sample')?.id).toBe('sample');
  expect(modal.activeTab?.id).toBe('sample');
  expect(modal.openTabById('none')).toBeNull();
  expect(modal.activeTab?.id).toBe('sample');
});

test('a removed tab leaves the list and the screen', () => {
  modal.open();
  const tab = modal.openTabById('sample') as SettingTab;
  modal.removeSettingTab(tab);
  expect(texts('.vertical-tab-nav-item')).toEqual(['Looks']);
  expect(tab.containerEl.isConnected).toBe(false);
});

test.each([
  ['repl', ['Replies']],
  ['agent ANSWERS', ['Replies']],
  ['response', ['Replies']],
  ['row', []],
  ['seed', ['Seed']],
  ['sample', ['Sample']],
])('search for %j finds %j', (query, expected) => {
  modal.open();
  search(query);
  expect(results()).toEqual(expected);
});

test('a result opens its tab and page and marks its row; emptying the search returns', () => {
  modal.open();
  search('seed');
  expect(texts('.setting-search-trail')).toEqual(['Models']);
  find('.setting-search-result').click();
  expect(texts('.setting-page-title')).toEqual(['Models']);
  expect(texts('.setting-item.is-flashing .setting-item-name')).toEqual(['Seed']);
  search('looks');
  search('');
  expect(texts('.setting-search-results')).toEqual([]);
  expect(modal.activeTab?.id).toBe('sample');
});

test('on a phone it opens on the list, and back goes page, tab, list, out', () => {
  setPlatform({ phone: true });
  modal.open();
  expect(modal.activeTab).toBeNull();
  find('[data-setting-id=sample]').click();
  const rows = Array.from(document.querySelectorAll<HTMLElement>('.setting-items > .setting-item'));
  rows[3]?.click();
  expect(texts('.setting-page-title')).toEqual(['Models']);
  modal.onHistoryBack();
  expect(texts('.setting-page-title')).toEqual([]);
  expect(modal.activeTab?.id).toBe('sample');
  find('.modal-setting-back-button').click();
  expect(modal.activeTab).toBeNull();
  expect(modal.containerEl.isConnected).toBe(true);
  modal.onHistoryBack();
  expect(modal.containerEl.isConnected).toBe(false);
});
