/**
 * Confines a path that a page asked for to the vault folder: by its spelling, and by where its links really lead. It
 * waits for the disk: a page asks for hundreds of files, and a promise for each look takes twenty times as long.
 */
import { lstatSync, realpathSync, type Stats, type StatSyncFn } from 'node:fs';
import path from 'node:path';
import { Refusal } from './reply';

/**
 * The absolute path of a vault path. The empty path is the vault itself. `vault` must be a real path.
 * Throws a Refusal for a path that is not relative and plain, or that leaves the vault through a symbolic link.
 */
export function resolveVaultPath(vault: string, requested: string): string {
  if (requested === '') return vault;
  checkSpelling(requested);
  const target = path.join(vault, ...requested.split('/'));
  const real = realPathOfDeepestExisting(target);
  if (real === null || !isInside(vault, real)) {
    throw new Refusal(403, 'The path leads out of the vault through a link.');
  }
  return target;
}

/** Like resolveVaultPath, for what must not be done to the vault folder itself. */
export function resolveEntryPath(vault: string, requested: string): string {
  if (requested === '') throw new Refusal(400, 'The path is missing.');
  return resolveVaultPath(vault, requested);
}

export function isInside(folder: string, candidate: string): boolean {
  return candidate === folder || candidate.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

function checkSpelling(requested: string): void {
  if (requested.includes('\0')) throw new Refusal(400, 'The path contains a null character.');
  if (requested.includes('\\')) throw new Refusal(400, 'The path contains a backslash; folders are separated by “/”.');
  if (requested.startsWith('/') || /^[a-z]:/i.test(requested)) {
    throw new Refusal(400, 'The path is absolute; paths start at the vault.');
  }
  if (process.platform === 'win32' && requested.includes(':')) throw new Refusal(400, 'The path contains a colon.');
  for (const segment of requested.split('/')) {
    if (segment === '' || segment === '.' || segment === '..') {
      throw new Refusal(400, 'The path contains an empty part, “.” or “..”.');
    }
  }
}

/** Null for a link that leads nowhere: writing to it would create its target, wherever that is. */
function realPathOfDeepestExisting(target: string): string | null {
  for (let candidate = target; ; candidate = path.dirname(candidate)) {
    if (exists(candidate)) {
      try {
        return realpathSync.native(candidate);
      } catch {
        // The candidate is a link with no target, or it was deleted since the previous check; in the latter case its
        // folder decides.
        if (exists(candidate)) return null;
      }
    }
    if (candidate === path.dirname(candidate)) return candidate;
  }
}

const exists = (candidate: string): boolean => statIfThere(lstatSync, candidate) !== null;

/** Null where nothing is, and where a folder of the path is a file. */
export function statIfThere(stat: StatSyncFn, candidate: string): Stats | null {
  try {
    return stat(candidate, { throwIfNoEntry: false }) ?? null;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw thrown;
  }
}
