/** Puts Docent's item into the status bar of the app; a phone has none. */
import { Platform, type Plugin } from 'obsidian';
import type { CompactionSettings } from '../../core/context/context-window';
import { drawStatusBarItem } from './status-bar-item';

/** Empty until something is drawn in it. */
export function openStatusBar(plugin: Plugin, settings: CompactionSettings, onClick: () => void): HTMLElement | null {
  if (Platform.isMobile) return null;
  const element = plugin.addStatusBarItem();
  drawStatusBarItem(element, null, settings);
  plugin.registerDomEvent(element, 'click', onClick);
  return element;
}
