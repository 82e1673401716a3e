/** SettingsTab: draws the list of settings through the app's declarative settings, so that its search finds them. */
import { type App, type Plugin, PluginSettingTab, type SettingDefinitionItem, type SettingGroupItem } from 'obsidian';
import { words } from '../../text';
import type { SettingsPorts } from '../state/ports';
import { settingRows } from './rows';
import { type SettingRow, settingGroups } from './setting-row';

export class SettingsTab extends PluginSettingTab {
  private readonly ports: SettingsPorts;

  constructor(app: App, plugin: Plugin, ports: Omit<SettingsPorts, 'app' | 'refresh'>) {
    super(app, plugin);
    this.icon = 'message-circle';
    this.ports = { ...ports, app, refresh: () => this.update() };
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    return settingGroups.map((group) => ({
      type: 'group',
      // The app wants none above the first settings of a tab.
      ...(words.settings.groups[group] === '' ? {} : { heading: words.settings.groups[group] }),
      items: settingRows.filter((row) => row.group === group).flatMap((row) => itemsOf(row.define(this.ports))),
    }));
  }

  override getControlValue(key: string): unknown {
    return rowOf(key).read(key, this.ports);
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    const row = rowOf(key);
    await this.ports.change(row.write(key, value, this.ports));
    row.changed?.(this.ports);
  }
}

/** What a row shows: one setting, a page, or settings that belong together. */
function itemsOf(definition: SettingDefinitionItem): readonly SettingGroupItem[] {
  if (!('type' in definition) || definition.type === 'page') return [definition];
  return definition.items ?? [];
}

function rowOf(key: string): SettingRow {
  const row = settingRows.find(({ keys }) =>
    keys.some((own) => own === key || (own.endsWith('.') && key.startsWith(own))),
  );
  if (row === undefined) throw new Error(`No setting has a control named ${key}.`);
  return row;
}
