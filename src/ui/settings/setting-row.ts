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
  /** Whether what is typed counts only once its box is left, as half of a path or an address is another one. */
  readonly countsWhenLeft?: (key: string) => boolean;
  /** Called once the new value is stored. */
  changed?(ports: SettingsPorts, key?: string): void;
}

/** Parses a number of tokens of at least `min`; null for an empty box, undefined for an invalid one. */
export function parseTokens(value: string, min: number): number | null | undefined {
  const tokens = parseWhole(value);
  return tokens == null || (tokens >= min && tokens <= maxTokens) ? tokens : undefined;
}

const maxTokens = 999_999_999;

/** Digits, which separators may part in groups of three. */
const wholePattern = /^(?:\d+|\d{1,3}(?:([ ,._'’])\d{3})(?:\1\d{3})*)$/;
const amountPattern = /^(\d{1,3}(?:([ ,._'’])\d{3})(?:\2\d{3})*|\d+)(?:([.,])(\d+))?$/;

/** Parses a whole number; null for an empty box, undefined for anything else, such as 1,5. */
export function parseWhole(text: string): number | null | undefined {
  const typed = clean(text);
  if (typed === '') return null;
  return wholePattern.test(typed) ? Number(typed.replace(/\D/g, '')) : undefined;
}

/**
 * Parses a number with a point or a comma before its decimals; null for an empty box, undefined for anything else. That
 * includes 1,000: in one country it is a thousand, in the other one.
 */
export function parseAmount(text: string): number | null | undefined {
  const typed = clean(text);
  if (typed === '') return null;
  const [, whole, separator, mark, decimals = '0'] = amountPattern.exec(typed) ?? [];
  if (whole === undefined || (separator !== undefined && separator === mark)) return undefined;
  if (mark === undefined && (separator === ',' || separator === '.'))
    return parseOneMark(whole.split(separator), separator);
  return Number(`${whole.replace(/\D/g, '')}.${decimals}`);
}

/** Parses groups of three digits behind the same mark, which begins the decimals if there is no other reading. */
function parseOneMark(groups: readonly string[], mark: '.' | ','): number | undefined {
  const [first, last = '', ...more] = groups;
  if (more.length > 0) return Number(groups.join(''));
  // Docent shows numbers with a point, and never with a zero at the end.
  const isDecimal = first === '0' || (mark === '.' && !last.endsWith('0'));
  return isDecimal ? Number(`${first}.${last}`) : undefined;
}

function clean(text: string): string {
  return text.replace(/\$/g, '').trim().replace(/\s/g, ' ');
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
