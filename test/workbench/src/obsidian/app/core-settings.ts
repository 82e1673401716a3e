/** The app's own settings tabs. */
import type { SettingDefinitionItem } from 'obsidian';
import { apiVersion } from '../base/text';
import { Setting } from '../settings/setting';
import { KeychainTab } from '../settings/keychain-tab';
import { SettingTab } from '../settings/setting-tab';
import type { App } from './app';

abstract class CoreTab extends SettingTab {
  constructor(
    readonly host: App,
    id: string,
    name: string,
    icon: string,
  ) {
    super();
    this.app = host;
    this.id = id;
    this.name = name;
    this.icon = icon;
  }
}

class AboutTab extends CoreTab {
  override display(): void {
    this.containerEl.empty();
    new Setting(this.containerEl)
      .setName('Workbench')
      .setDesc(`An emulator of the plugin API ${apiVersion} for development. It is not affiliated with Obsidian.`);
  }
}

class AppearanceTab extends CoreTab {
  override display(): void {
    this.containerEl.empty();
    new Setting(this.containerEl)
      .setName('Base color scheme')
      .setDesc("Choose the workbench's default color scheme.")
      .addDropdown((dropdown) =>
        dropdown
          .addOption('dark', 'Dark')
          .addOption('light', 'Light')
          .setValue(this.host.isDarkMode() ? 'dark' : 'light')
          .onChange((value) => this.host.setTheme(value === 'dark' ? 'dark' : 'light')),
      );
  }
}

class FilesTab extends CoreTab {
  override getSettingDefinitions(): SettingDefinitionItem[] {
    return [
      {
        name: 'Confirm file deletion',
        desc: 'Prompt before deleting a file.',
        control: { type: 'toggle', key: 'promptDelete', defaultValue: true },
      },
      {
        name: 'Deleted files',
        desc: 'What happens to a file after you delete it.',
        control: {
          type: 'dropdown',
          key: 'trashOption',
          options: {
            system: 'Move to system trash',
            local: 'Move to vault trash (.trash folder)',
            none: 'Permanently delete',
          },
        },
      },
      {
        name: 'Automatically update internal links',
        desc: 'Turn on to update links after renaming a file without asking.',
        control: { type: 'toggle', key: 'alwaysUpdateLinks', defaultValue: false },
      },
      {
        name: 'New link format',
        desc: 'What links to insert when auto-generating internal links.',
        control: {
          type: 'dropdown',
          key: 'newLinkFormat',
          options: {
            shortest: 'Shortest path when possible',
            relative: 'Relative path to file',
            absolute: 'Absolute path in vault',
          },
        },
      },
      {
        name: 'Use [[Wikilinks]]',
        desc: 'Turn off to generate Markdown links instead.',
        render: (setting) => {
          const row = setting as unknown as Setting;
          row.addToggle((toggle) =>
            toggle
              .setValue(!this.host.vault.getConfig('useMarkdownLinks'))
              .onChange((value) => this.host.vault.setConfig('useMarkdownLinks', !value)),
          );
        },
      },
    ];
  }
}

class CommunityPluginsTab extends CoreTab {
  override display(): void {
    this.containerEl.empty();
    const { plugins } = this.host;
    new Setting(this.containerEl).setName('Installed plugins').setHeading();
    for (const manifest of Object.values(plugins.manifests)) {
      new Setting(this.containerEl)
        .setName(manifest.name)
        .setDesc(`Version: ${manifest.version}. By ${manifest.author}. ${manifest.description}`)
        .addToggle((toggle) =>
          toggle.setValue(plugins.getPlugin(manifest.id) !== null).onChange(async (value) => {
            if (value) await plugins.enablePluginAndSave(manifest.id);
            else await plugins.disablePluginAndSave(manifest.id);
          }),
        );
    }
  }
}

export function addCoreSettings(app: App): void {
  app.setting.addSettingTab(new AboutTab(app, 'about', 'About', 'info'));
  app.setting.addSettingTab(new FilesTab(app, 'file', 'Files and links', 'folder-closed'));
  app.setting.addSettingTab(new AppearanceTab(app, 'appearance', 'Appearance', 'palette'));
  app.setting.addSettingTab(new KeychainTab(app));
  app.setting.addSettingTab(new CommunityPluginsTab(app, 'community-plugins', 'Community plugins', 'puzzle'));
}
