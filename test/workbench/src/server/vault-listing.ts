/**
 * The contents of the vault folder: the stat of one entry and the list of all. It waits for the disk, for the reason that
 * `vault-path.ts` gives.
 */
import { readdirSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs';
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

/** @param mayVanish a folder may go between its parent's listing and its own */
function readFolder(folder: string, mayVanish: boolean): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (mayVanish && (code === 'ENOENT' || code === 'ENOTDIR')) return [];
    throw thrown;
  }
}

/** Null for a link that leads nowhere. */
function realPathOf(link: string): string | null {
  try {
    return realpathSync.native(link);
  } catch {
    return null;
  }
}

/**
 * Every file and folder below a folder of the vault, by default all, dot-folders included. Links that leave the vault
 * or go in a circle are left out.
 * @param childrenOnly leaves out what folders in that folder contain
 */
export async function listVault(vault: string, below = '', childrenOnly = false): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = [];
  const visit = (folder: string, prefix: string, above: ReadonlySet<string>): void => {
    for (const entry of readFolder(folder, prefix !== below)) {
      if (isUnlisted(entry.name)) continue;
      const absolute = path.join(folder, entry.name);
      const real = entry.isSymbolicLink() ? realPathOf(absolute) : absolute;
      if (real === null || !isInside(vault, real) || above.has(real)) continue;
      const stats = statSync(absolute, { throwIfNoEntry: false });
      if (!stats || !(stats.isFile() || stats.isDirectory())) continue;
      const relative = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      entries.push({ path: relative, ...toEntryStat(stats) });
      if (stats.isDirectory() && !childrenOnly) visit(absolute, relative, new Set([...above, real]));
    }
  };
  const start = resolveVaultPath(vault, below);
  visit(start, below, new Set([vault, realpathSync.native(start)]));
  return entries;
}
