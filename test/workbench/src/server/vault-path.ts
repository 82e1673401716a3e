/** Confines a path that a page asked for to the vault folder: by its spelling, and by where its links really lead. */
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from './reply';

/**
 * The absolute path of a vault path. The empty path is the vault itself. `vault` must be a real path.
 * Throws a Refusal for a path that is not relative and plain, or that leaves the vault through a symbolic link.
 */
export async function resolveVaultPath(vault: string, requested: string): Promise<string> {
  if (requested === '') return vault;
  checkSpelling(requested);
  const target = path.join(vault, ...requested.split('/'));
  const real = await realPathOfDeepestExisting(target);
  if (real === null || !isInside(vault, real)) {
    throw new Refusal(403, 'The path leads out of the vault through a link.');
  }
  return target;
}

/** Like resolveVaultPath, for what must not be done to the vault folder itself. */
export async function resolveEntryPath(vault: string, requested: string): Promise<string> {
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
async function realPathOfDeepestExisting(target: string): Promise<string | null> {
  for (let candidate = target; ; candidate = path.dirname(candidate)) {
    if (await exists(candidate)) {
      try {
        return await realpath(candidate);
      } catch {
        // The candidate is a link with no target, or it was deleted since the previous check; in the latter case its
        // folder decides.
        if (await exists(candidate)) return null;
      }
    }
    if (candidate === path.dirname(candidate)) return candidate;
  }
}

async function exists(candidate: string): Promise<boolean> {
  try {
    await lstat(candidate);
    return true;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw thrown;
  }
}
