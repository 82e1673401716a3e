/** A private copy of a vault, so that nothing done in the workbench reaches the original. */
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isUnlisted } from './vault-listing';

export interface VaultCopy {
  folder: string;
  remove(): Promise<void>;
}

/** Files and folders after which the progress of a copy is reported; a smaller vault is copied in a moment. */
const copiedPerReport = 2_000;

/**
 * Copies links as links and never follows them: a link that leaves the vault remains a link, which the server refuses.
 * @param report called with the number of files and folders so far, each time so many more are copied
 */
export async function copyVault(vault: string, report: (copied: number) => void = () => {}): Promise<VaultCopy> {
  const parent = await mkdtemp(path.join(await realpath(tmpdir()), 'obsidian-workbench-'));
  const remove = (): Promise<void> => rm(parent, { recursive: true, force: true });
  const folder = path.join(parent, path.basename(path.resolve(vault)));
  let copied = 0;
  const isCopied = (source: string): boolean => {
    if (source !== vault && isUnlisted(path.basename(source))) return false;
    copied += 1;
    if (copied % copiedPerReport === 0) report(copied);
    return true;
  };
  try {
    await cp(vault, folder, { recursive: true, verbatimSymlinks: true, filter: isCopied });
  } catch (thrown) {
    await remove();
    throw thrown;
  }
  return { folder, remove };
}
