/** The SettingRow contract: one setting, how it is shown, and how its control reads and writes it. */
import type { SettingDefinitionItem } from 'obsidian';
import type { Settings } from '../../core/settings/settings';
import type { SettingsPorts } from '../state/ports';

/** The parts of the tab, in their order; their headings are `words.settings.groups`. */
export const settingGroups = ['model', 'providers', 'chats', 'notes', 'servers', 'long-chats', 'own-prompt'] as const;
export type SettingGroup = (typeof settingGroups)[number];

export interface SettingRow {
  /** Where on the tab it stands; rows of a part stand in the order of the list. */
  readonly group: SettingGroup;
  /** Keys of the row's controls. */
  readonly keys: readonly string[];
  /** Several settings that belong together come as a group, and stand one after the other. */
  define(ports: SettingsPorts): SettingDefinitionItem;
  /** The value that a control shows. */
  read(key: string, ports: SettingsPorts): unknown;
  /** What a control's new value changes; the control has validated it. */
  write(key: string, value: unknown, ports: SettingsPorts): Partial<Settings>;
  /** Called once what a control wrote is stored. */
  changed?(ports: SettingsPorts): void;
}

/** Reads a list out of a box with one entry a line: each once, and none that is empty. */
export function linesOf(value: unknown, clean: (line: string) => string = (line) => line): string[] {
  const lines = String(value)
    .split('\n')
    .map((line) => clean(line.trim()));
  return [...new Set(lines)].filter((line) => line !== '');
}

/** The same of paths of folders, with or without a slash at their ends. */
export function foldersOf(value: unknown): string[] {
  return linesOf(value, (line) => line.replace(/^\/+|\/+$/g, ''));
}
