/** The notes directly in one folder, without a look at the rest of the vault: what a start of the app can afford. */
import { type App, TFile } from 'obsidian';
import type { FileEntry, Vault } from '../core/ports/vault';
import { outlineOf } from './outline-of';

export function folderNotes(app: App, folder: () => string): Pick<Vault, 'files' | 'outline'> {
  return {
    files: () => {
      const children = app.vault.getFolderByPath(folder())?.children ?? [];
      return children
        .filter((child): child is TFile => child instanceof TFile && child.extension === 'md')
        .map(({ path, stat }): FileEntry => ({ path, kind: 'note', size: stat.size, modified: stat.mtime }))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    outline: (path) => {
      const file = app.vault.getFileByPath(path);
      const cache = file && app.metadataCache.getFileCache(file);
      return cache ? outlineOf(path, cache, () => undefined) : undefined;
    },
  };
}
