/** What lies in the vault, as fully as the window allows (R161, R194, R264, K15). */
import { whileReading } from '../../base/async';
import type { Fact } from '../section';
import { listVault, type VaultListing } from '../vault-listing';

export const vaultListing: Fact<VaultListing | null> = {
  id: 'vault-listing',
  gather: ({ vault, turn: { contextWindow, contextNotes } }) =>
    whileReading(() => listVault(vault, { contextWindow, attached: contextNotes })),
};
