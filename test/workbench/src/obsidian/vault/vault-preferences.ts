/** The part of the user's `app.json` that vault, links and deletion depend on. */
import type { DataAdapter } from 'obsidian';

export interface PreferenceValues {
  /** `true` rewrites links on rename without asking; `false` asks, or never does when `neverUpdateLinks` is set. */
  alwaysUpdateLinks: boolean;
  neverUpdateLinks: boolean;
  promptDelete: boolean;
  trashOption: 'system' | 'local' | 'none';
  newLinkFormat: 'shortest' | 'relative' | 'absolute';
  useMarkdownLinks: boolean;
  /** "Excluded files": path prefixes, or regular expressions between slashes. */
  userIgnoreFilters: string[];
  attachmentFolderPath: string;
  newFileLocation: 'root' | 'current' | 'folder';
  newFileFolderPath: string;
  [key: string]: unknown;
}

const DEFAULTS: PreferenceValues = {
  alwaysUpdateLinks: false,
  neverUpdateLinks: false,
  promptDelete: true,
  trashOption: 'system',
  newLinkFormat: 'shortest',
  useMarkdownLinks: false,
  userIgnoreFilters: [],
  attachmentFolderPath: '/',
  newFileLocation: 'root',
  newFileFolderPath: '/',
};

export class VaultPreferences {
  private chosen: Partial<PreferenceValues>;
  private saving: Promise<void> = Promise.resolve();
  private home: { adapter: DataAdapter; folder: string } | null = null;

  constructor(chosen: Partial<PreferenceValues> = {}) {
    this.chosen = { ...chosen };
  }

  get<K extends keyof PreferenceValues>(key: K): PreferenceValues[K] {
    return (key in this.chosen ? this.chosen[key] : DEFAULTS[key]) as PreferenceValues[K];
  }

  set<K extends keyof PreferenceValues>(key: K, value: PreferenceValues[K] | undefined): void {
    if (value === undefined) delete this.chosen[key];
    else this.chosen[key] = value;
    this.save();
  }

  /** What is on the disk wins over what the constructor was given. A broken file counts as empty. */
  async load(adapter: DataAdapter, folder: string): Promise<void> {
    this.home = { adapter, folder };
    try {
      const path = `${folder}/app.json`;
      if (await adapter.exists(path)) Object.assign(this.chosen, JSON.parse(await adapter.read(path)));
    } catch (error) {
      console.warn('The preferences of the vault could not be read.', error);
    }
  }

  /** Resolves once every change is on the disk. */
  saved(): Promise<void> {
    return this.saving;
  }

  private save(): void {
    const { home } = this;
    if (!home) return;
    const text = JSON.stringify(this.chosen, null, 2);
    this.saving = this.saving.then(async () => {
      await home.adapter.mkdir(home.folder);
      await home.adapter.write(`${home.folder}/app.json`, text);
    });
  }
}

/** Whether the "Excluded files" list covers a path. */
export function isIgnoredPath(path: string, filters: readonly string[]): boolean {
  return filters.some((filter) => {
    if (filter.length > 1 && filter.startsWith('/') && filter.endsWith('/')) {
      try {
        return new RegExp(filter.slice(1, -1)).test(path);
      } catch {
        return false;
      }
    }
    return filter !== '' && path.toLowerCase().startsWith(filter.toLowerCase());
  });
}
