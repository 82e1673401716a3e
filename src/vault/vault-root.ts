/** The vault's own folder on a computer. */
import { type DataAdapter, FileSystemAdapter } from 'obsidian';

/** Absolute; null where the vault is no folder of a computer's file system. */
export function vaultRootOf(adapter: DataAdapter): string | null {
  return adapter instanceof FileSystemAdapter ? adapter.getBasePath() : null;
}
