/** The root of the vault: its folders and files, sorted (R161). */
import type { VaultStructure } from '../prompt-data';
import type { Fact } from '../section';

export const vaultStructure: Fact<VaultStructure | null> = {
  id: 'vault-structure',
  gather: ({ vault }) => ({
    rootFolders: vault.folders().filter((path) => !path.includes('/')),
    rootFiles: vault
      .files()
      .map((file) => file.path)
      .filter((path) => !path.includes('/')),
  }),
};
