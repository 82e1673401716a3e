/** The contents of the vault folder: the stat of one entry and the list of all. */
import { statSync, type Dirent, type Stats } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside, resolveVaultPath, statIfThere } from './vault-path';

export interface EntryStat {
  type: 'file' | 'folder';
  ctime: number;
  mtime: number;
  size: number;
}

export interface ListedEntry extends EntryStat {
  path: string;
}

const unlisted = new Set(['.git', 'node_modules']);

export const isUnlisted = (name: string): boolean => unlisted.has(name);

export function toEntryStat(stats: Stats): EntryStat {
  return {
    type: stats.isDirectory() ? 'folder' : 'file',
    // Some file systems keep no birth time and report zero.
    ctime: Math.round(stats.birthtimeMs || stats.ctimeMs),
    mtime: Math.round(stats.mtimeMs),
    size: stats.isDirectory() ? 0 : stats.size,
  };
}

export function readEntryStat(target: string): EntryStat | null {
  const stats = statIfThere(statSync, target);
  return stats && toEntryStat(stats);
}

const readFolder = (folder: string): Promise<Dirent[]> => readdir(folder, { withFileTypes: true });

/** A folder may go between its parent's listing and its own. */
function ignoreVanished(thrown: NodeJS.ErrnoException): Dirent[] {
  if (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR') return [];
  throw thrown;
}

/**
 * Every file and folder below a folder of the vault, by default all, dot-folders included. Links that leave the vault
 * or go in a circle are left out.
 * @param childrenOnly leaves out what folders in that folder contain
 */
export async function listVault(vault: string, below = '', childrenOnly = false): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = [];
  const visit = async (folder: string, prefix: string, above: ReadonlySet<string>): Promise<void> => {
    const isStart = prefix === below;
    for (const entry of await (isStart ? readFolder(folder) : readFolder(folder).catch(ignoreVanished))) {
      if (isUnlisted(entry.name)) continue;
      const absolute = path.join(folder, entry.name);
      const real = entry.isSymbolicLink() ? await realpath(absolute).catch(() => null) : absolute;
      if (real === null || !isInside(vault, real) || above.has(real)) continue;
      const stats = statSync(absolute, { throwIfNoEntry: false });
      if (!stats || !(stats.isFile() || stats.isDirectory())) continue;
      const relative = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      entries.push({ path: relative, ...toEntryStat(stats) });
      if (stats.isDirectory() && !childrenOnly) await visit(absolute, relative, new Set([...above, real]));
    }
  };
  const start = resolveVaultPath(vault, below);
  await visit(start, below, new Set([vault, await realpath(start)]));
  return entries;
}
