/** TextFiles over the app's vault: notes that the user has Docent make, folders above them included. */
import type { Vault } from 'obsidian';
import type { TextFiles } from '../core/own-prompt/text-files';
import { fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import { guardNewPath } from '../core/writing/guard/path-guard';
import { words } from '../text';
import { createFolder } from './create-folder';

export function textFilesOf(vault: Vault): TextFiles {
  return {
    read: async (path) => {
      const checked = guardNewPath(path, vault.configDir);
      if (!checked.ok) return checked;
      try {
        const file = vault.getFileByPath(checked.value);
        return succeed(file === null ? null : await vault.read(file));
      } catch {
        return fail({
          kind: 'unreadable',
          words: words.failures.noteUnreadable(path),
          remedy: words.failures.noteUnreadableRemedy,
        });
      }
    },
    write: async (path, text) => {
      const checked = guardNewPath(path, vault.configDir);
      if (!checked.ok) return checked;
      const end = checked.value.lastIndexOf('/');
      const folder = end === -1 ? succeed(undefined) : await createFolder(vault, checked.value.slice(0, end));
      if (!folder.ok) return folder;
      try {
        const file = vault.getFileByPath(checked.value);
        if (file === null) await vault.create(checked.value, text);
        else await vault.process(file, () => text);
        return succeed(undefined);
      } catch (thrown) {
        return notWritten(path, thrown);
      }
    },
  };
}

function notWritten(path: string, thrown: unknown): Outcome<never> {
  return fail({
    kind: 'storage',
    words: words.ownPrompt.notWritten(path, messageOf(thrown)),
    remedy: words.ownPrompt.notWrittenRemedy,
  });
}
