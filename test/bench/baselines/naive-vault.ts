/** What a plugin does without a model of the vault: all paths are looked at for each key, and for each change. */
import type { App, TFile } from 'obsidian';

/** Returns the notes whose path contains the text, newest first. */
export function suggestNaively(app: App, typed: string, limit: number): TFile[] {
  const wanted = typed.toLowerCase();
  return app.vault
    .getFiles()
    .filter(({ path }) => path.toLowerCase().includes(wanted))
    .sort((a, b) => b.stat.mtime - a.stat.mtime)
    .slice(0, limit);
}

/** Returns all files that are not hidden, sorted by path. */
export function listNaively(app: App, hiddenFolders: readonly string[]): TFile[] {
  const hidden = hiddenFolders.map((folder) => `${folder.toLowerCase()}/`);
  return app.vault
    .getFiles()
    .filter((file) => {
      const path = file.path.normalize('NFC').toLowerCase();
      const { frontmatter = {} } = app.metadataCache.getFileCache(file) ?? {};
      return !hidden.some((folder) => path.startsWith(folder)) && frontmatter['docent'] !== false;
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
