/** The SettingRow contract: one setting, how it is shown, and how its control reads and writes it. */
import type { SettingDefinitionItem } from 'obsidian';
import type { Settings } from '../../core/settings/settings';
import type { SettingsPorts } from '../state/ports';

/** The pages of the tab in display order; their names are `words.settings.pages`. */
export const settingPages = [
  'providers',
  'model',
  'instructions',
  'spending',
  'privacy',
  'files',
  'servers',
  'long-chats',
  'system-prompt',
] as const;
/** `first` is the screen that the tab opens with: what nearly everybody needs. */
export type SettingGroup = 'first' | (typeof settingPages)[number];

export interface SettingRow {
  /** The screen that shows it; rows of a screen follow the order of the list. */
  readonly group: SettingGroup;
  /** Keys of the row's controls. */
  readonly keys: readonly string[];
  /** Returns the definition; several related settings return a group. */
  define(ports: SettingsPorts): SettingDefinitionItem;
  /** Returns the value that a control shows. */
  read(key: string, ports: SettingsPorts): unknown;
  /** Returns what a control's new value changes; the control has validated it. */
  write(key: string, value: unknown, ports: SettingsPorts): Partial<Settings>;
  /** Called once the new value is stored. */
  changed?(ports: SettingsPorts): void;
}

/** Parses a number of tokens of at least `min`; null for an empty box, undefined for an invalid one. */
export function parseTokens(value: string, min: number): number | null | undefined {
  const digits = value.replace(/[\s,._]/g, '');
  if (digits === '') return null;
  const tokens = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  return tokens >= min ? tokens : undefined;
}

/** Parses a list from a box with one entry per line, without duplicates and empty entries. */
export function linesOf(value: unknown, clean: (line: string) => string = (line) => line): string[] {
  const lines = String(value)
    .split('\n')
    .map((line) => clean(line.trim()));
  return [...new Set(lines)].filter((line) => line !== '');
}

/** Parses a list of folder paths, with or without a slash at their ends. */
export function foldersOf(value: unknown): string[] {
  return linesOf(value, (line) => line.replace(/^\/+|\/+$/g, ''));
}
