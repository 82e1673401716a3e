/** Makes a note that the user asked for; one that is there already is left as it is. */
import type { Vault } from 'obsidian';
import { fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import { guardNewPath } from '../core/writing/guard/path-guard';
import { words } from '../text';

export interface MadeNote {
  readonly path: string;
  /** False when it was there already. */
  readonly created: boolean;
}

/** The folder that it goes to has to be there. */
export async function createNote(
  vault: Pick<Vault, 'configDir' | 'create' | 'getFileByPath'>,
  path: string,
  text: string,
): Promise<Outcome<MadeNote>> {
  const checked = guardNewPath(path, vault.configDir);
  if (!checked.ok) return checked;
  if (vault.getFileByPath(checked.value) !== null) return succeed({ path, created: false });
  try {
    await vault.create(checked.value, text);
    return succeed({ path, created: true });
  } catch (thrown) {
    return fail({
      kind: 'storage',
      words: words.commands.noteNotCreated(path, messageOf(thrown)),
      remedy: words.commands.noteNotCreatedRemedy,
    });
  }
}
