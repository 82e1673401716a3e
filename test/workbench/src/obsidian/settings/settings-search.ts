/** Settings search: rows of every tab whose name, description or alias holds the words typed. */
import { setIcon } from '../controls/icons';
import { makePressable } from './setting-elements';
import { indexDefinitions, matchesQuery, type IndexedSetting } from './setting-index';
import type { SettingTab } from './setting-tab';

export interface SettingHit {
  tab: SettingTab;
  /** Null when only the tab's own name matched. */
  setting: IndexedSetting | null;
}

export function findSettings(tabs: SettingTab[], query: string): SettingHit[] {
  const hits: SettingHit[] = [];
  for (const tab of tabs) {
    if (tab.name.toLowerCase().includes(query.trim().toLowerCase())) hits.push({ tab, setting: null });
    for (const setting of indexDefinitions(tab.settingItems)) {
      if (matchesQuery(setting, query)) hits.push({ tab, setting });
    }
  }
  return hits;
}

export function drawHits(containerEl: HTMLElement, hits: SettingHit[], open: (hit: SettingHit) => void): void {
  containerEl.empty();
  if (hits.length === 0) {
    containerEl.createDiv({ cls: 'setting-search-empty', text: 'No settings found.' });
    return;
  }
  for (const tab of new Set(hits.map((hit) => hit.tab))) {
    const groupEl = containerEl.createDiv('setting-group setting-search-group');
    const headingEl = groupEl.createDiv('setting-item setting-item-heading');
    headingEl.createDiv({ cls: 'setting-item-name', text: tab.name });
    const itemsEl = groupEl.createDiv('setting-items');
    for (const hit of hits) if (hit.tab === tab) drawHit(itemsEl, hit, open);
  }
}

function drawHit(itemsEl: HTMLElement, hit: SettingHit, open: (hit: SettingHit) => void): void {
  const { setting, tab } = hit;
  const rowEl = itemsEl.createDiv('setting-item setting-search-result');
  const infoEl = rowEl.createDiv('setting-item-info');
  infoEl.createDiv({ cls: 'setting-item-name', text: setting?.name ?? tab.name });
  const trail = setting?.pages.join(' › ') ?? '';
  if (trail) infoEl.createDiv({ cls: 'setting-search-trail', text: trail });
  if (setting?.desc) infoEl.createDiv({ cls: 'setting-item-description', text: setting.desc });
  setIcon(rowEl.createDiv('setting-page-chevron'), 'lucide-chevron-right');
  makePressable(rowEl, () => open(hit));
}
