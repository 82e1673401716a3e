/** The probe's settings tab: one declared row of every kind. */
import {
  type App,
  PluginSettingTab,
  SecretComponent,
  Setting,
  type SettingDefinitionItem,
  SettingPage,
  type TFile,
} from 'obsidian';
import type ProbePlugin from './main';

export interface ProbeSettings {
  toggle: boolean;
  text: string;
  area: string;
  number: number;
  slider: number;
  choice: string;
  file: string;
  folder: string;
  colour: string;
  secret: string;
  hidden: string;
  names: string[];
}

export const defaultSettings = (): ProbeSettings => ({
  toggle: false,
  text: 'one',
  area: '',
  number: 3,
  slider: 5,
  choice: 'b',
  file: '',
  folder: '',
  colour: '#336699',
  secret: '',
  hidden: '',
  names: ['first', 'second', 'third'],
});

type Key = keyof ProbeSettings;

export class ProbeSettingTab extends PluginSettingTab {
  override icon = 'probe-mark';

  constructor(
    app: App,
    private readonly plugin: ProbePlugin,
  ) {
    super(app, plugin);
  }

  override getSettingDefinitions(): SettingDefinitionItem<Key>[] {
    return [...this.declareValues(), this.declareGroup(), this.declareList(), ...this.declarePages()];
  }

  private declareValues(): SettingDefinitionItem<Key>[] {
    const { settings } = this.plugin;
    return [
      { name: 'Toggle', desc: 'Shows one more row.', control: { type: 'toggle', key: 'toggle' } },
      {
        name: 'Seen when toggled',
        visible: () => settings.toggle,
        control: { type: 'text', key: 'hidden', placeholder: 'Only sometimes' },
      },
      {
        name: 'Text',
        aliases: ['alias of text'],
        control: {
          type: 'text',
          key: 'text',
          validate: (value) => (value.includes('!') ? 'No exclamation marks.' : undefined),
        },
      },
      { name: 'Area', control: { type: 'textarea', key: 'area', rows: 3 } },
      { name: 'Number', control: { type: 'number', key: 'number', min: 0, max: 9, step: 1 } },
      {
        name: 'Slider',
        control: {
          type: 'slider',
          key: 'slider',
          min: 0,
          max: 10,
          step: 1,
          displayFormat: (value) => `${value} of 10`,
        },
      },
      { name: 'Choice', control: { type: 'dropdown', key: 'choice', options: { a: 'Letter a', b: 'Letter b' } } },
      {
        name: 'File',
        control: { type: 'file', key: 'file', filter: (file: TFile) => file.extension === 'md' },
      },
      { name: 'Folder', control: { type: 'folder', key: 'folder', includeRoot: true } },
      {
        name: 'Colour',
        control: { type: 'color', key: 'colour', disabled: () => settings.toggle },
      },
    ];
  }

  private declareGroup(): SettingDefinitionItem<Key> {
    return {
      type: 'group',
      heading: 'Drawn by hand',
      extraButtons: [(button) => button.setIcon('rotate-ccw').onClick(() => this.plugin.note('group button'))],
      items: [
        {
          name: 'Secret',
          render: (setting) => {
            const secret = new SecretComponent(this.app, setting.controlEl);
            secret.setValue(this.plugin.settings.secret).onChange((name) => this.setControlValue('secret', name));
            return () => this.plugin.note('secret row removed');
          },
        },
        { name: 'Action', desc: 'Runs when it is pressed.', action: () => this.plugin.note('setting action') },
        { name: 'Only words', desc: 'Neither control nor action.' },
      ],
    };
  }

  private declareList(): SettingDefinitionItem<Key> {
    const { settings } = this.plugin;
    const store = async (names: string[]): Promise<void> => {
      await this.setControlValue('names', names);
      this.update();
    };
    return {
      type: 'list',
      heading: 'Names',
      emptyState: 'No names yet.',
      items: settings.names.map((name) => ({ name, action: () => this.plugin.note(`name ${name}`) })),
      onReorder: (from, to) => {
        const names = [...settings.names];
        names.splice(to, 0, ...names.splice(from, 1));
        void store(names);
      },
      onDelete: (index) => void store(settings.names.filter((_, other) => other !== index)),
      addItem: { name: 'Add name', action: () => void store([...settings.names, `name ${settings.names.length + 1}`]) },
    };
  }

  private declarePages(): SettingDefinitionItem<Key>[] {
    return [
      {
        type: 'page',
        name: 'Declared page',
        displayValue: () => String(this.plugin.settings.number),
        items: [{ name: 'Number again', control: { type: 'number', key: 'number' } }],
      },
      { type: 'page', name: 'Drawn page', status: 'warning', page: () => new DrawnPage(this.plugin) },
    ];
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    await super.setControlValue(key, value);
    await this.plugin.saveData(this.plugin.settings);
  }
}

class DrawnPage extends SettingPage {
  override title = 'Drawn page';

  constructor(private readonly plugin: ProbePlugin) {
    super();
  }

  display(): void {
    const { containerEl, plugin } = this;
    containerEl.empty();
    new Setting(containerEl).setName('All components').setHeading();
    new Setting(containerEl)
      .setName('Buttons')
      .addButton((button) =>
        button
          .setButtonText('Press')
          .setCta()
          .onClick(() => plugin.note('button')),
      )
      .addExtraButton((button) =>
        button
          .setIcon('cross')
          .setTooltip('More')
          .onClick(() => plugin.note('extra')),
      );
    new Setting(containerEl).setName('Search').addSearch((search) => search.onChange((text) => plugin.note(text)));
    new Setting(containerEl).setName('Format').addMomentFormat((format) => format.setDefaultFormat('YYYY'));
    new Setting(containerEl).setName('Progress').addProgressBar((bar) => bar.setValue(40));
  }

  override hide(): void {
    this.plugin.note('page hidden');
  }
}
