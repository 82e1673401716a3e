/** A settings file that cannot be read: what is wrong with it, what the user can have in its place, and the words. */
import { words } from '../../text';
import { isObject } from './settings';

/** Bytes; a larger settings file is not read, since that would stop the app. */
export const maxSettingsBytes = 5_000_000;

/** Why the settings file as a whole cannot be read. */
export type SettingsFlaw = 'empty' | 'zeros' | 'not-json' | 'not-settings' | 'too-large' | 'unreadable';

export type ParsedSettings =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly flaw: 'empty' | 'zeros' | 'not-json' | 'not-settings' };

/** Values inside one another; no setting comes near. Thousands could be read, but neither compared nor stored. */
const maxDepth = 100;

/** Whether what was parsed can be settings. */
export function areSettings(values: unknown): values is Readonly<Record<string, unknown>> {
  return isObject(values) && !isDeeper(values, maxDepth);
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((each) => isDeeper(each, depth - 1));
}

/** Parses the text of a settings file; a byte order mark is no flaw. */
export function parseSettings(text: string): ParsedSettings {
  const plain = text.replace(/^\ufeff/, '');
  if (plain.trim() === '') return { flaw: 'empty' };
  if (plain.startsWith('\0')) return { flaw: 'zeros' };
  try {
    const values: unknown = JSON.parse(plain);
    return areSettings(values) ? { values } : { flaw: 'not-settings' };
  } catch {
    return { flaw: 'not-json' };
  }
}

/** What the user can have in place of settings that cannot be read. */
export type SettingsChoice = 'last-good' | 'defaults' | 'retry' | 'keep' | 'take-copy';

/** Why the settings of this device wait for a choice of the user. */
export interface SettingsDamage {
  /**
   * `hidden` if only the lists of what is hidden cannot be read; `conflict` if a sync service stored another version
   * of the file next to it.
   */
  readonly flaw: SettingsFlaw | 'hidden' | 'conflict';
  /** What the disk reported, or which settings differ; empty for nothing. */
  readonly detail: string;
  /** The name of the copy, or of the other version, next to the file; null if there is none yet. */
  readonly copy: string | null;
  readonly choices: readonly SettingsChoice[];
  /** Whether what is hidden is unknown, so that no note is read. */
  readonly isClosed: boolean;
}

/** Returns what happened to the settings file, where its copy is, and what applies until the user has chosen. */
export function describeDamage({ flaw, detail, copy, isClosed }: SettingsDamage): string {
  const say = words.settings.damaged;
  if (flaw === 'conflict') return say.conflict(copy ?? '', detail);
  const applies = flaw === 'hidden' ? say.hiddenApplies : isClosed ? say.defaultsApply : say.lastGoodApplies;
  return [say.flaws[flaw](detail), copy === null ? say.notCopied : say.copied(copy), applies].join(' ');
}
