/** Where the vault's paths really lead, on a computer whose file system has links (6.4). */
import type { Computer } from '../core/ports/device';
import type { RealPaths } from '../core/writing/changeset/ports';
import type { ComputerOptions } from './computer';

/** Null on a phone, and where the vault is no folder of a file system. */
export function openRealPaths(Platform: ComputerOptions['Platform'], computer: Computer | null): RealPaths | null {
  const vaultRoot = computer?.vaultRoot ?? null;
  if (!Platform.isDesktop || vaultRoot === null) return null;
  return {
    realPath: async (path) => {
      try {
        const { realpath } = await (Platform.isDesktop ? import('node:fs/promises') : Promise.reject(new Error()));
        return await realpath(path === '' ? vaultRoot : `${vaultRoot}/${path}`);
      } catch {
        return null;
      }
    },
  };
}
