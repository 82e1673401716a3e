/** The app's "Excluded files", read from its own settings file; there is no public call for them. */
import type { Vault } from 'obsidian';

/** Empty when the file is missing or says nothing; null when it is there but cannot be read. Never throws. */
export async function readExcludedFiles(
  vault: Pick<Vault, 'adapter' | 'configDir'>,
): Promise<readonly string[] | null> {
  const path = `${vault.configDir}/app.json`;
  try {
    if (!(await vault.adapter.exists(path))) return [];
    const stored: unknown = JSON.parse(await vault.adapter.read(path));
    const filters =
      typeof stored === 'object' && stored !== null && 'userIgnoreFilters' in stored ? stored.userIgnoreFilters : [];
    return Array.isArray(filters) ? filters.filter((filter): filter is string => typeof filter === 'string') : [];
  } catch {
    return null;
  }
}
