/** The trash: nothing that Docent deletes is deleted for good. */
import type { App, TAbstractFile } from 'obsidian';
import { readAppPreferences } from './stack';

/**
 * Moves a file or folder to the trash that the user chose in the app; to the vault's own if that would delete for good
 * (H9).
 * @param deletedForGood whether it did when the setting was last read; it may have changed since, and is unknown while
 * it cannot be read
 */
export async function moveToTrash(app: App, file: TAbstractFile, deletedForGood = false): Promise<void> {
  const now = await readAppPreferences(app.vault);
  const isForGood = now?.deletesForGood !== false || deletedForGood;
  await (isForGood ? app.vault.adapter.trashLocal(file.path) : app.fileManager.trashFile(file));
}
