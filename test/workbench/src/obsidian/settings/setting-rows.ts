/** Draws setting definitions: rows and page entries, and remembers how to refresh and tear them down. */
import type {
  Setting as PublicSetting,
  SettingDefinition,
  SettingDefinitionItem,
  SettingDefinitionPage,
  SettingGroup as PublicSettingGroup,
} from 'obsidian';
import type { ControlBinding } from './setting-controls';
import { addControl } from './setting-controls';
import { setIcon } from '../controls/icons';
import { SettingGroup, type Setting } from './setting';
import { isDisabled, isGroup, isPage, isVisible } from './setting-index';
import { cloneText, makePressable } from './setting-elements';
import { drawGroup } from './setting-lists';

export interface SettingOwner extends ControlBinding {
  openPage(page: SettingDefinitionPage): void;
  /** The text typed into the search of each group, by group. It is retained across renders. */
  groupQueries: Map<string, string>;
}

/** One drawn set of definitions. */
export class DrawnSettings {
  private readonly refreshers: (() => void)[] = [];
  private readonly cleanups: (() => void)[] = [];
  private readonly rowEls = new Map<string, HTMLElement>();

  constructor(
    readonly owner: SettingOwner,
    readonly path: string[],
  ) {}

  draw(items: SettingDefinitionItem[], containerEl: HTMLElement): void {
    let loose: SettingGroup | null = null;
    items.forEach((item, index) => {
      if (isGroup(item)) {
        loose = null;
        drawGroup(this, item, containerEl, index);
        return;
      }
      loose ??= new SettingGroup(containerEl);
      this.drawItem(loose, item, index);
    });
    this.refresh();
  }

  drawItem(group: SettingGroup, item: SettingDefinition | SettingDefinitionPage, index: number): Setting {
    let drawn!: Setting;
    group.addSetting((setting) => {
      drawn = setting;
      if (!this.rowEls.has(item.name)) this.rowEls.set(item.name, setting.settingEl);
      setting.setName(item.name);
      if (item.desc !== undefined) setting.setDesc(cloneText(item.desc));
      if (isPage(item)) this.drawPageEntry(setting, item);
      else this.drawRow(setting, group, item, index);
    });
    return drawn;
  }

  onRefresh(refresher: () => void): void {
    this.refreshers.push(refresher);
  }

  refresh(): void {
    for (const refresher of this.refreshers) refresher();
  }

  destroy(): void {
    for (const cleanup of this.cleanups.splice(0)) cleanup();
    this.refreshers.length = 0;
  }

  /** Finds a row by name: definitions are created again on each update, so they have no lasting identity. */
  findRow(name: string): HTMLElement | null {
    return this.rowEls.get(name) ?? null;
  }

  private drawRow(setting: Setting, group: SettingGroup, row: SettingDefinition, index: number): void {
    if (row.control) addControl(setting, row.control, this.owner);
    else if (row.action) {
      setting.settingEl.addClass('mod-action');
      const { action } = row;
      makePressable(setting.settingEl, () => {
        if (!isDisabled(row)) action(setting.settingEl, index);
      });
    } else if (row.render) {
      const cleanup = row.render(setting as unknown as PublicSetting, group as unknown as PublicSettingGroup);
      if (cleanup) this.cleanups.push(cleanup);
    }
    this.onRefresh(() => {
      setting.settingEl.toggle(isVisible(row));
      if (row.control || row.action) setting.setDisabled(isDisabled(row));
    });
  }

  private drawPageEntry(setting: Setting, page: SettingDefinitionPage): void {
    setting.settingEl.addClass('mod-page');
    const value = typeof page.displayValue === 'function' ? page.displayValue() : page.displayValue;
    const status = typeof page.status === 'function' ? page.status() : page.status;
    if (value !== undefined || status) {
      setting.addDisplayValue((display) => display.setValue(value ?? '').setStatus(status ?? null));
    }
    setIcon(setting.controlEl.createDiv('setting-page-chevron'), 'lucide-chevron-right');
    makePressable(setting.settingEl, () => this.owner.openPage(page));
    this.onRefresh(() => setting.settingEl.toggle(isVisible(page)));
  }
}
