/** SettingTab and PluginSettingTab: one entry of the settings window. */
import type { PluginManifest, SettingDefinitionItem } from 'obsidian';
import type { WidgetApp } from '../windows/host';
import { SettingScreen } from './setting-screen';

const screens = new WeakMap<SettingTab, SettingScreen>();

/**
 * Returns the screen that implements a tab. It is separate from the class so that it cannot clash with a plugin's own
 * members.
 */
export function getScreen(tab: SettingTab): SettingScreen {
  let screen = screens.get(tab);
  if (!screen) {
    screen = new SettingScreen(tab);
    screens.set(tab, screen);
  }
  return screen;
}

export abstract class SettingTab {
  app!: WidgetApp;
  id = '';
  name = '';
  icon = '';
  containerEl: HTMLElement = createDiv('vertical-tab-content');
  settingItems: SettingDefinitionItem[] = [];

  getSettingDefinitions(): SettingDefinitionItem[] {
    return [];
  }

  update(): void {
    this.settingItems = this.getSettingDefinitions();
    getScreen(this).redraw();
  }

  getControlValue(key: string): unknown {
    return this.app.vault.getConfig?.(key);
  }

  setControlValue(key: string, value: unknown): void | Promise<void> {
    this.app.vault.setConfig?.(key, value);
  }

  refreshDomState(): void {
    getScreen(this).refresh();
  }

  display(): void {}

  hide(): void {
    this.containerEl.empty();
  }
}

/** What a plugin's tab needs of its plugin. */
export interface SettingsPlugin {
  manifest: Pick<PluginManifest, 'id' | 'name'>;
  settings?: unknown;
  saveData(data: unknown): Promise<void>;
}

export abstract class PluginSettingTab extends SettingTab {
  plugin: SettingsPlugin;

  constructor(app: WidgetApp, plugin: SettingsPlugin) {
    super();
    this.app = app;
    this.plugin = plugin;
    this.id = plugin.manifest.id;
    this.name = plugin.manifest.name;
  }

  override getControlValue(key: string): unknown {
    return (this.plugin.settings as Record<string, unknown> | undefined)?.[key];
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    const settings = this.plugin.settings as Record<string, unknown> | undefined;
    if (!settings)
      throw new Error(`Plugin "${this.id}" has not assigned plugin.settings, so "${key}" cannot be saved.`);
    settings[key] = value;
    await this.plugin.saveData(settings);
  }
}
