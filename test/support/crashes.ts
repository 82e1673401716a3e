/** A crash at every operation in turn: the scenarios that are cut off, and the disk that each crash leaves. */
import { undoOperation } from '../../src/core/writing/apply/undo';
import type { Changeset } from '../../src/core/writing/changeset/changeset';
import { Crash, type Disk, diskOf, sha256, type TornVariant, treeOf } from './fault-adapter';
import { apply, changesetOf, createOf, deleteOf, editOf, moveOf, startOver, type WritingBench } from './writing-bench';

export const sweptVault = {
  'Plan.md': '---\nstatus: open\n---\n# Plan\n\nFirst step.\nSecond step.\n',
  'Old name.md': '# Old name\n\nSee [[Old name]] and [[Plan]].\n',
  'a/Links.md': 'A link to [[Old name]], and one with [[Old name|words]].\n',
  'b/More links.md': '\ufeffWindows\r\n[[Old name#Old name]]\r\n',
  'Waste.md': 'Rubbish.\n',
  'Untouched.md': 'Nobody writes here.\n',
};

export type Scenario = (disk: Disk) => { readonly changeset: Changeset; readonly undo?: boolean };

export const scenarios: Readonly<Record<string, Scenario>> = {
  edit: (disk) => ({ changeset: changesetOf(editOf(disk, 'Plan.md', '# Plan\n\nAnother step.\n')) }),
  create: () => ({ changeset: changesetOf(createOf('new/folder/Note.md', '# New\n\nText.\n')) }),
  move: (disk) => ({ changeset: changesetOf(moveOf(disk, 'Old name.md', 'c/New name.md')) }),
  delete: (disk) => ({ changeset: changesetOf(deleteOf(disk, 'Waste.md')) }),
  'everything at once': (disk) => ({
    changeset: changesetOf(
      deleteOf(disk, 'Waste.md'),
      moveOf(disk, 'Old name.md', 'c/New name.md', '# Renamed\n\nSee [[Old name]].\n'),
      editOf(disk, 'Plan.md', '# Plan\n\nOne.\nTwo.\n'),
      createOf('Note.md', 'See [[Old name]].\n'),
    ),
  }),
};
export const undone: Readonly<Record<string, Scenario>> = Object.fromEntries(
  ['edit', 'create', 'move', 'delete'].map((name) => [
    `undo of ${name}`,
    (disk: Disk) => ({ ...(scenarios[name] as Scenario)(disk), undo: true }),
  ]),
);

/** Runs a scenario to its crash, or to its end when it does not get that far. */
async function run(
  bench: WritingBench,
  { changeset, undo }: ReturnType<Scenario>,
  prepared: boolean,
): Promise<boolean> {
  try {
    if (!prepared) await apply(bench.writer, changeset);
    if (undo === true && prepared) {
      const [operation] = bench.writer.journal.operations();
      await undoOperation(bench.writer, operation?.id ?? '');
    }
    return false;
  } catch (thrown) {
    if (thrown instanceof Crash) return true;
    throw thrown;
  }
}

/** Returns the hashes of the versions that are neither on the disk, in place or moved, nor among the saved copies. */
export function lost(disk: Disk, versions: readonly Uint8Array[]): string[] {
  const found = new Set([...disk.notes.values()].map(sha256));
  for (const [hash, bytes] of disk.blobs) if (sha256(bytes) === hash) found.add(hash);
  return versions.map(sha256).filter((hash) => !found.has(hash));
}

export interface CrashedDisk {
  readonly disk: Disk;
  /** What every note held before. */
  readonly before: readonly Uint8Array[];
  readonly treeBefore: Readonly<Record<string, string>>;
}

/** One disk for each operation of the scenario that changes it, as the crash at that operation leaves it. */
export async function* crashesOf(scenario: Scenario, variant: TornVariant): AsyncGenerator<CrashedDisk> {
  for (let crashAt = 1; ; crashAt += 1) {
    const disk = diskOf(sweptVault);
    const planned = scenario(disk);
    const prepared = planned.undo === true;
    if (prepared) await apply((await startOver(disk)).writer, planned.changeset);
    const before = [...disk.notes.values()];
    const treeBefore = treeOf(disk);
    const bench = await startOver(disk, { crashAt, variant });
    if (!(await run(bench, planned, prepared))) return;
    yield { disk, before, treeBefore };
  }
}
