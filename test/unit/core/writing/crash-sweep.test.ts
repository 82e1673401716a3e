/** F1: a crash at every operation that changes the disk, in every way a disk can be left, costs no byte. */
import type { Changeset } from '../../../../src/core/writing/changeset';
import { recover } from '../../../../src/core/writing/recover';
import { settleUnclear } from '../../../../src/core/writing/settle-unclear';
import { undoOperation } from '../../../../src/core/writing/undo';
import { bytesOf, Crash, type Disk, diskOf, sha256, tornVariants, treeOf } from '../../fakes/fault-adapter';
import {
  apply,
  changesetOf,
  createOf,
  deleteOf,
  editOf,
  moveOf,
  startOver,
  type WritingBench,
} from '../../fakes/writing-bench';

const vault = {
  'Plan.md': '---\nstatus: open\n---\n# Plan\n\nFirst step.\nSecond step.\n',
  'Old name.md': '# Old name\n\nSee [[Old name]] and [[Plan]].\n',
  'a/Links.md': 'A link to [[Old name]], and one with [[Old name|words]].\n',
  'b/More links.md': '\ufeffWindows\r\n[[Old name#Old name]]\r\n',
  'Waste.md': 'Rubbish.\n',
  'Untouched.md': 'Nobody writes here.\n',
};

type Scenario = (disk: Disk) => { readonly changeset: Changeset; readonly undo?: boolean };

const scenarios: Readonly<Record<string, Scenario>> = {
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
const undone: Readonly<Record<string, Scenario>> = Object.fromEntries(
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

/** Every version that must be found again: on the disk, in place or moved, or among the kept copies. */
function lost(disk: Disk, versions: readonly Uint8Array[]): string[] {
  const found = new Set([...disk.notes.values()].map(sha256));
  for (const [hash, bytes] of disk.blobs) if (sha256(bytes) === hash) found.add(hash);
  return versions.map(sha256).filter((hash) => !found.has(hash));
}

describe.each(Object.entries({ ...scenarios, ...undone }))('F1 a crash during %s', (_name, scenario) => {
  it.each(tornVariants)('F1 H8 loses no byte when every operation in turn leaves %s', async (variant) => {
    let points = 0;
    for (let crashAt = 1; ; crashAt += 1) {
      const disk = diskOf(vault);
      const planned = scenario(disk);
      const prepared = planned.undo === true;
      if (prepared) await apply((await startOver(disk)).writer, planned.changeset);
      const before = [...disk.notes.values()];
      const treeBefore = treeOf(disk);
      const bench = await startOver(disk, { crashAt, variant });
      if (!(await run(bench, planned, prepared))) break;
      points += 1;
      const after = await startOver(disk);
      const treeCrashed = treeOf(disk);
      const recovery = await recover(after.writer);
      expect(treeOf(disk)).toEqual(treeCrashed);
      expect(lost(disk, before)).toEqual([]);
      expect(disk.notes.get('Untouched.md')).toEqual(bytesOf(vault['Untouched.md']));
      // Nothing is left open, and what a note holds is one of its known versions unless it is shown as unclear.
      const unclear = recovery.unclear.map(({ path }) => path);
      const open = after.writer.journal.operations().filter(({ state }) => state === 'begun' || state === 'called');
      expect(open.map(({ id }) => id)).toEqual([...new Set(recovery.unclear.map(({ operation }) => operation.id))]);
      const known = new Set([...disk.blobs.keys(), ...Object.values(treeBefore)]);
      const odd = [...disk.notes].filter(([path, bytes]) => !known.has(sha256(bytes)) && !unclear.includes(path));
      expect(odd.map(([path]) => path)).toEqual([]);
      // What was there is put back on request.
      for (const write of recovery.unclear) {
        const settled = await settleUnclear(after.writer, write, 'before');
        expect(settled).toEqual({ ok: true, value: undefined });
        const bytes = disk.notes.get(write.path);
        expect(bytes === undefined ? null : sha256(bytes)).toBe(write.before);
      }
      expect((await recover((await startOver(disk)).writer)).unclear).toEqual([]);
    }
    expect(points).toBeGreaterThanOrEqual(4);
  });
});

describe('F1 the control', () => {
  it('a direct overwrite loses the note at the same faults', async () => {
    const losses = await Promise.all(
      tornVariants.map(async (variant) => {
        const disk = diskOf(vault);
        const before = [...disk.notes.values()];
        const { adapter } = await startOver(disk, { crashAt: 1, variant });
        await expect(adapter.files.process('Plan.md', () => 'new text')).rejects.toThrow(Crash);
        return lost(disk, before).length;
      }),
    );
    expect(losses.filter((count) => count > 0).length).toBe(4);
  });
});
