/** The app's own settings and menus. */
import { type App, Menu } from 'obsidian';

// Opens the app's settings at Docent's tab.

interface SettingsWindow {
  open(): void;
  openTabById(id: string): unknown;
  close?(): void;
}

/** The settings window is no part of the public API: where it is missing, nothing happens. */
export function openSettings(app: App, tab: string): void {
  if (!('setting' in app) || !isSettingsWindow(app.setting)) return;
  app.setting.open();
  app.setting.openTabById(tab);
}

/** Closes the settings, so that what is opened from there can be seen. */
export function closeSettings(app: App): void {
  if ('setting' in app && isSettingsWindow(app.setting)) app.setting.close?.();
}

function isSettingsWindow(value: unknown): value is SettingsWindow {
  return typeof value === 'object' && value !== null && 'open' in value && 'openTabById' in value;
}

export interface MenuLine {
  readonly title: string;
  /** A second line that says what it is for. */
  readonly detail?: string;
  readonly icon?: string;
  readonly checked?: boolean;
  /** Lines of one section stand together. */
  readonly section?: string;
  /** A line without one only tells something. */
  readonly run?: () => void;
}

/** Opens a menu of the app at a button: keys and, on a phone, a sheet come with it. */
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
