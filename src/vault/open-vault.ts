/** Opens the one stack that everything reads the vault through: adapter, path guard, fence (design 2). */
import type { App } from 'obsidian';
import type { Vault } from '../core/ports';
import { fence, type FenceRules } from '../core/writing/fence';
import { guardPaths } from '../core/writing/path-guard';
import type { VaultChanges } from './changes';
import { readExcludedFiles } from './excluded-files';
import { ObsidianVault } from './obsidian-vault';

export interface OpenVault {
  readonly vault: Vault;
  /** Reads the app's excluded files anew; until the first time, nothing but Docent's own folders is hidden. */
  readonly refresh: () => Promise<void>;
  /** Saves what was typed into open notes. */
  readonly flush: () => Promise<void>;
}

/** @param ownFolders folders of transcripts and copies, hidden from the agent */
export function openVault(app: App, changes: VaultChanges, ownFolders: () => readonly string[]): OpenVault {
  let rules: FenceRules = { excluded: [], ownFolders: ownFolders() };
  const bottom = new ObsidianVault(app, changes);
  const guarded = guardPaths(bottom, app.vault.configDir);
  return {
    vault: fence(guarded, () => rules),
    refresh: async () => {
      const excluded = (await readExcludedFiles(app.vault)) ?? rules.excluded;
      const next = { excluded, ownFolders: ownFolders() };
      if (JSON.stringify(next) !== JSON.stringify(rules)) rules = next;
    },
    flush: async () => {
      if (await bottom.flushEditors()) changes.expect();
    },
  };
}
