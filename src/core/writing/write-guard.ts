/** The guard right before a write: the path rules once more, and on a desktop where the path really leads (6.4). */
import { words } from '../../text';
import { fail, type Outcome, succeed } from '../ports/failure';
import type { Vault } from '../ports/vault';
import { guardExistingPath, guardNewPath } from './path-guard';
import type { RealPaths, WriteGuard } from './write-ports';

/** @param realPaths null on a device without links in its file system */
export function createWriteGuard(
  vault: Pick<Vault, 'file'>,
  configDir: string,
  realPaths: RealPaths | null,
): WriteGuard {
  const really = (path: string): Promise<Outcome<void>> =>
    realPaths === null ? Promise.resolve(succeed(undefined)) : checkRealPath(path, realPaths);
  return {
    // A path that only resembles an indexed one is not the one that was approved.
    existing: async (path) => {
      const guarded = guardExistingPath(path, vault, configDir);
      if (!guarded.ok) return guarded;
      return guarded.value === path ? really(path) : refuse(path);
    },
    fresh: async (path) => {
      const guarded = guardNewPath(path, configDir);
      return guarded.ok ? really(path) : guarded;
    },
  };
}

/** Refuses a path whose deepest existing part lies outside the vault, as behind a link to another folder. */
export async function checkRealPath(path: string, realPaths: RealPaths): Promise<Outcome<void>> {
  const root = await realPaths.realPath('');
  if (root === null) return refuse(path);
  for (let part = path; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('/')))) {
    const real = await realPaths.realPath(part);
    if (real !== null) return isWithin(real, root) ? succeed(undefined) : refuse(path);
  }
  return succeed(undefined);
}

function isWithin(path: string, root: string): boolean {
  const [inner, outer] = [path.replace(/\\/g, '/'), root.replace(/\\/g, '/').replace(/\/$/, '')];
  return inner === outer || inner.startsWith(`${outer}/`);
}

function refuse(path: string): Outcome<never> {
  return fail({
    kind: 'refused',
    words: words.writing.leadsOut(path.slice(0, 80)),
    remedy: words.writing.leadsOutRemedy,
  });
}
