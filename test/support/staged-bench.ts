/** A staged vault over a fake one, with the calls that a model would make. */
import { succeed } from '../../src/core/ports/failure';
import type { Vault } from '../../src/core/ports/vault';
import { guardWritablePath } from '../../src/core/writing/guard/path-guard';
import { type CallReference, recordReads } from '../../src/core/writing/stage/staged-base';
import { StagedVault, type StagedVaultPorts } from '../../src/core/writing/stage/staged-vault';
import { type FakeVault, fakeVault } from './fake-vault';
import { countingIdentifiers, digest, fakeClock } from './memory-ports';
import { yaml } from './writing-bench';

export interface StagedBench {
  readonly disk: FakeVault;
  readonly staged: StagedVault;
  /** The vault as the tools that read have it. */
  readonly reading: Vault;
  call(tool?: string, args?: unknown): CallReference;
  /** Reads a note as the model would. */
  see(...paths: string[]): Promise<void>;
}

export function stagedBench(
  files: Readonly<Record<string, string | Uint8Array>>,
  changes: Partial<StagedVaultPorts> = {},
  isHidden: (path: string) => boolean = () => false,
): StagedBench {
  const disk = fakeVault(files);
  const staged = new StagedVault(disk, {
    digest,
    identifiers: countingIdentifiers('new'),
    clock: fakeClock(),
    yaml,
    guardNew: (path) => guardWritablePath(path, '.obsidian', isHidden),
    hashFile: async (path) => succeed(digest(`bytes of ${path}`)),
    linksFollowMoves: () => true,
    danglingSources: () => disk.files().map(({ path }) => path),
    taint: () => null,
    ...changes,
  });
  const reading = recordReads(staged, staged.seen);
  let count = 0;
  return {
    disk,
    staged,
    reading,
    call: (tool = 'edit_note', args = { count }) => ({ id: `call${(count += 1)}`, tool, arguments: args }),
    see: async (...paths) => {
      for (const path of paths) await reading.read(path);
    },
  };
}
