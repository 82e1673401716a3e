/** Opens Obsidian's own settings and menus. */
import { type App, Menu } from 'obsidian';

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
