/** What the app's own settings file says of files and links; there is no public call for it. */
import type { Vault } from 'obsidian';

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
