/** Opens Obsidian's own settings, search, and menus. */
import { type App, Menu, Notice } from 'obsidian';
import { words } from '../../text';

/** Opens a tab of the settings. The settings modal is no public API; if it is missing, nothing happens. */
export function openSettings(app: App, tab: string): void {
  if (!('setting' in app) || !isSettingsWindow(app.setting)) return;
  app.setting.open();
  app.setting.openTabById(tab);
}

/** Closes the settings, so that what is opened from there is visible. */
export function closeSettings(app: App): void {
  if ('setting' in app && isSettingsWindow(app.setting)) app.setting.close?.();
}

/** Opens the search with a query. It is no public API, and a core plugin that may be off, which is then said. */
export function openSearch(app: App, query: string): void {
  const { internalPlugins } = app as { internalPlugins?: { getEnabledPluginById?(id: string): unknown } };
  const search = internalPlugins?.getEnabledPluginById?.('global-search') ?? null;
  if (isSearch(search)) search.openGlobalSearch(query);
  else new Notice(words.render.searchOff);
}

function isSearch(value: unknown): value is { openGlobalSearch(query: string): void } {
  return typeof value === 'object' && value !== null && 'openGlobalSearch' in value;
}

interface SettingsWindow {
  open(): void;
  openTabById(id: string): unknown;
  close?(): void;
}

function isSettingsWindow(value: unknown): value is SettingsWindow {
  return typeof value === 'object' && value !== null && 'open' in value && 'openTabById' in value;
}

export interface MenuLine {
  readonly title: string;
  /** A second line that explains the item. */
  readonly detail?: string;
  readonly icon?: string;
  readonly checked?: boolean;
  /** Items of one section are grouped together. */
  readonly section?: string;
  /** An item without an action is information only. */
  readonly run?: () => void;
}

/** Opens an Obsidian menu at a button, which brings keyboard control and, on mobile, a sheet. */
export function openMenu(button: HTMLElement, lines: readonly MenuLine[]): void {
  const menu = new Menu();
  for (const { title, detail, icon, checked = false, section = '', run } of lines) {
    menu.addItem((item) => {
      item.setTitle(detail === undefined ? title : twoLines(title, detail)).setSection(section);
      item.setChecked(checked);
      if (icon !== undefined) item.setIcon(icon);
      if (run === undefined) item.setDisabled(true);
      else item.onClick(run);
    });
  }
  const { left, top } = button.getBoundingClientRect();
  menu.showAtPosition({ x: left, y: top }, button.doc);
}

function twoLines(title: string, detail: string): DocumentFragment {
  return createFragment((fragment) => {
    const lines = fragment.createDiv('docent-menu-lines');
    lines.createDiv({ text: title });
    lines.createDiv({ text: detail, cls: 'docent-menu-detail' });
  });
}
