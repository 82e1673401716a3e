/** Opens the one stack that everything reads the vault through: adapter, path guard, fence (design 2). */
import type { App } from 'obsidian';
import type { Vault } from '../core/ports';
import { fence, type FenceRules } from '../core/writing/fence';
import { guardPaths } from '../core/writing/path-guard';
import type { VaultChanges } from './changes';
import { readExcludedFiles } from './excluded-files';
import { hasRepository } from './has-repository';
import { ObsidianVault } from './obsidian-vault';

export interface OpenVault {
  readonly vault: Vault;
  /** Reads the app's excluded files anew, and looks for a repository; until the first time, nothing but Docent's own folders is hidden. */
  readonly refresh: () => Promise<void>;
  /** Saves what was typed into open notes. */
  readonly flush: () => Promise<void>;
  /** Whether the vault's root is a git repository, as of the last refresh. */
  readonly isRepository: () => boolean;
}

/** @param ownFolders folders of transcripts and copies, hidden from the agent */
export function openVault(app: App, changes: VaultChanges, ownFolders: () => readonly string[]): OpenVault {
  let rules: FenceRules = { excluded: [], ownFolders: ownFolders() };
  let repository = false;
  const bottom = new ObsidianVault(app, changes);
  const guarded = guardPaths(bottom, app.vault.configDir);
  return {
    vault: fence(guarded, () => rules),
    isRepository: () => repository,
    refresh: async () => {
      const [read, found] = await Promise.all([readExcludedFiles(app.vault), hasRepository(app.vault.adapter)]);
      repository = found;
      const excluded = read ?? rules.excluded;
      const next = { excluded, ownFolders: ownFolders() };
      if (JSON.stringify(next) !== JSON.stringify(rules)) rules = next;
    },
    flush: async () => {
      if (await bottom.flushEditors()) changes.expect();
    },
  };
}
