/** Opens the app's settings at Docent's tab. */
import type { App } from 'obsidian';

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
