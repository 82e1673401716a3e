/** Makes a folder that the user asked for, and those above it. */
import type { Vault } from 'obsidian';
import { fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import { guardNewPath } from '../core/writing/guard/path-guard';
import { words } from '../text';

export async function createFolder(
  vault: Pick<Vault, 'configDir' | 'createFolder' | 'getFolderByPath'>,
  path: string,
): Promise<Outcome<void>> {
  const checked = guardNewPath(path, vault.configDir);
  if (!checked.ok) return checked;
  const parts = checked.value.split('/');
  try {
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      if (vault.getFolderByPath(folder) === null) await vault.createFolder(folder);
    }
    return succeed(undefined);
  } catch (thrown) {
    return fail({
      kind: 'storage',
      words: words.diagnostics.folderNotCreated(path, messageOf(thrown)),
      remedy: words.diagnostics.folderNotCreatedRemedy,
    });
  }
}
