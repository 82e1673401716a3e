/** The one stack that everything reads the vault through: adapter, path guard, filter (design 2). */
import { type App, type DataAdapter, parseYaml, stringifyYaml, type Vault } from 'obsidian';
import { scanNote } from '../core/markdown/links';
import type { DiskVault } from '../core/ports/vault';
import {
  type HiddenRules,
  filterHidden,
  isHidden as isHiddenBy,
  isMarkedHidden,
  textIsMarkedHidden,
} from '../core/writing/guard/fence';
import { guardPaths } from '../core/writing/guard/path-guard';
import type { VaultChanges } from './changes';
import { ObsidianVault } from './obsidian-vault';

export interface VaultStack {
  readonly vault: DiskVault;
  /** Reads the app's excluded files anew, and looks for a repository; until the first time, nothing but Docent's own folders is hidden. */
  readonly refresh: () => Promise<void>;
  /** Saves what was typed into open notes. */
  readonly flush: () => Promise<void>;
  /** Whether the vault's root is a git repository, as of the last refresh. */
  readonly isRepository: () => boolean;
  /** What the app's own settings say of files and links, as of the last refresh. */
  readonly preferences: () => AppPreferences;
  /** Whether the user keeps a path from the agent, as of the last refresh. */
  readonly isHidden: (path: string) => boolean;
  /** Whether a note with this text is kept from the agent, wherever it stands. */
  readonly isHiddenText: (text: string) => boolean;
}

/** What the settings keep from the agent. */
export interface HiddenBySettings {
  readonly keptFolders: readonly string[];
  readonly keptTags: readonly string[];
}

const ownedByNone: HiddenBySettings = { keptFolders: [], keptTags: [] };

/**
 * @param ownFolders folders of transcripts and copies, hidden from the agent
 * @param kept asked at each use, so that a setting holds at once; the same lists mean the same rules
 */
export function openStack(
  app: App,
  changes: VaultChanges,
  ownFolders: () => readonly string[],
  kept: () => HiddenBySettings = () => ownedByNone,
): VaultStack {
  let rules: HiddenRules = { excluded: [], ownFolders: ownFolders() };
  const current = (): HiddenRules => {
    const { keptFolders, keptTags } = kept();
    if (rules.keptFolders !== keptFolders || rules.keptTags !== keptTags) rules = { ...rules, keptFolders, keptTags };
    return rules;
  };
  let repository = false;
  let preferences: AppPreferences = { excluded: [], updatesLinks: false, deletesForGood: false };
  const bottom = new ObsidianVault(app, changes);
  const guarded = guardPaths(bottom, app.vault.configDir);
  const marksOf = (path: string) => bottom.marks(path);
  const yaml = { parse: (text: string) => parseYaml(text) as unknown, stringify: stringifyYaml };
  const ofText = (text: string) => scanNote(text, yaml);
  return {
    vault: filterHidden(guarded, current, { ofNote: marksOf, ofText }),
    isRepository: () => repository,
    preferences: () => preferences,
    isHidden: (path) => isHiddenBy(path, current()) || isMarkedHidden(marksOf(path), current().keptTags),
    isHiddenText: (text) => textIsMarkedHidden(text, current().keptTags, ofText),
    refresh: async () => {
      const [read, found] = await Promise.all([readAppPreferences(app.vault), hasRepository(app.vault.adapter)]);
      repository = found;
      preferences = read ?? preferences;
      const { excluded } = preferences;
      const next = { ...current(), excluded, ownFolders: ownFolders() };
      if (JSON.stringify(next) !== JSON.stringify(rules)) rules = next;
    },
    flush: async () => {
      if (await bottom.flushEditors()) changes.expect();
    },
  };
}

/** What the app's own settings file says of files and links; there is no public call for it. */
export interface AppPreferences {
  /** "Excluded files": path prefixes, or regular expressions between slashes. */
  readonly excluded: readonly string[];
  /** Whether links follow a file that moves without the user being asked. */
  readonly updatesLinks: boolean;
  /** Whether deleted files are gone for good. */
  readonly deletesForGood: boolean;
}

/** The app's defaults where the file is missing or says nothing; null when it is there but cannot be read. Never throws. */
export async function readAppPreferences(vault: Pick<Vault, 'adapter' | 'configDir'>): Promise<AppPreferences | null> {
  const path = `${vault.configDir}/app.json`;
  try {
    const stored: unknown = (await vault.adapter.exists(path)) ? JSON.parse(await vault.adapter.read(path)) : {};
    const values = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
    const filters = values['userIgnoreFilters'];
    return {
      excluded: Array.isArray(filters) ? filters.filter((filter): filter is string => typeof filter === 'string') : [],
      updatesLinks: values['alwaysUpdateLinks'] === true,
      deletesForGood: values['trashOption'] === 'none',
    };
  } catch {
    return null;
  }
}

// Whether the vault's root is a git repository, told by its entry on disk; the app's own index leaves dot names out.

/** The entry is a folder, or a file in a worktree and a submodule. False when the disk does not say. Never throws. */
export async function hasRepository(adapter: Pick<DataAdapter, 'exists'>): Promise<boolean> {
  try {
    return await adapter.exists('.git');
  } catch {
    return false;
  }
}
