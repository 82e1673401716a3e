/** Whether the vault's root is a git repository, told by its entry on disk; the app's own index leaves dot names out. */
import type { DataAdapter } from 'obsidian';

/** The entry is a folder, or a file in a worktree and a submodule. False when the disk does not say. Never throws. */
export async function hasRepository(adapter: Pick<DataAdapter, 'exists'>): Promise<boolean> {
  try {
    return await adapter.exists('.git');
  } catch {
    return false;
  }
}
