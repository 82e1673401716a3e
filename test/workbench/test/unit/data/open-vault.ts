/** A vault in memory with its events written down, for the tests of this folder. */
import type { TAbstractFile, TFile } from '../../../src/obsidian/vault/files';
import { MemoryAdapter } from '../../../src/obsidian/vault/memory-adapter';
import { Vault } from '../../../src/obsidian/vault/vault';

export interface OpenedVault {
  adapter: MemoryAdapter;
  vault: Vault;
  events: string[];
}

export async function openVault(files: Record<string, string | Uint8Array> = {}): Promise<OpenedVault> {
  const adapter = new MemoryAdapter({ files });
  const vault = new Vault(adapter);
  await vault.load();
  const events: string[] = [];
  for (const name of ['create', 'modify', 'delete']) {
    vault.on(name, (file: TAbstractFile) => events.push(`${name} ${file.path}`));
  }
  vault.on('rename', (file: TAbstractFile, from: string) => events.push(`rename ${from} -> ${file.path}`));
  return { adapter, vault, events };
}

export const fileAt = (vault: Vault, path: string): TFile => {
  const file = vault.getFileByPath(path);
  if (!file) throw new Error(`no file at ${path}`);
  return file;
};
