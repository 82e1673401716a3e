/** A private copy of a vault, so that nothing done in the workbench reaches the original. */
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isUnlisted } from './vault-listing';

export interface VaultCopy {
  folder: string;
  remove(): Promise<void>;
}

/**
 * Copies links as links and never follows them: a link that leaves the vault remains a link, which the server refuses.
 */
export async function copyVault(vault: string): Promise<VaultCopy> {
  const parent = await mkdtemp(path.join(await realpath(tmpdir()), 'obsidian-workbench-'));
  const remove = (): Promise<void> => rm(parent, { recursive: true, force: true });
  const folder = path.join(parent, path.basename(path.resolve(vault)));
  try {
    await cp(vault, folder, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => source === vault || !isUnlisted(path.basename(source)),
    });
  } catch (thrown) {
    await remove();
    throw thrown;
  }
  return { folder, remove };
}
