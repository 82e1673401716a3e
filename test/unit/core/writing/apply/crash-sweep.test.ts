/** F1: a crash at every operation that changes the disk, in every way a disk can be left, costs no byte. */
import { recover, resolveInterruptedWrite } from '../../../../../src/core/writing/apply/recover';
import { crashesOf, lost, scenarios, sweptVault, undone } from '../../../../support/crashes';
import { bytesOf, Crash, diskOf, sha256, tornVariants, treeOf } from '../../../../support/fault-adapter';
import { startOver } from '../../../../support/writing-bench';

describe.each(Object.entries({ ...scenarios, ...undone }))('F1 a crash during %s', (_name, scenario) => {
  it.each(tornVariants)('F1 H8 loses no byte when every operation in turn leaves %s', async (variant) => {
    let points = 0;
    for await (const { disk, before, treeBefore } of crashesOf(scenario, variant)) {
      points += 1;
      const after = await startOver(disk);
      const treeCrashed = treeOf(disk);
      const recovery = await recover(after.writer);
      expect(treeOf(disk)).toEqual(treeCrashed);
      expect(lost(disk, before)).toEqual([]);
      expect(disk.notes.get('Untouched.md')).toEqual(bytesOf(sweptVault['Untouched.md']));
      // No operation is left open, and each note holds a known version unless its write is reported as interrupted.
      const interruptedPaths = recovery.interrupted.map(({ path }) => path);
      const open = after.writer.journal.operations().filter(({ state }) => state === 'begun' || state === 'called');
      expect(open.map(({ id }) => id)).toEqual([...new Set(recovery.interrupted.map(({ operation }) => operation.id))]);
      const known = new Set([...disk.blobs.keys(), ...Object.values(treeBefore)]);
      const odd = [...disk.notes].filter(
        ([path, bytes]) => !known.has(sha256(bytes)) && !interruptedPaths.includes(path),
      );
      expect(odd.map(([path]) => path)).toEqual([]);
      // What was there is put back on request.
      for (const write of recovery.interrupted) {
        const settled = await resolveInterruptedWrite(after.writer, write, 'before');
        expect(settled).toEqual({ ok: true, value: undefined });
        const bytes = disk.notes.get(write.path);
        expect(bytes === undefined ? null : sha256(bytes)).toBe(write.before);
      }
      expect((await recover((await startOver(disk)).writer)).interrupted).toEqual([]);
    }
    expect(points).toBeGreaterThanOrEqual(4);
  });
});

describe('F1 the control', () => {
  it('a direct overwrite loses the note at the same faults', async () => {
    const losses = await Promise.all(
      tornVariants.map(async (variant) => {
        const disk = diskOf(sweptVault);
        const before = [...disk.notes.values()];
        const { adapter } = await startOver(disk, { crashAt: 1, variant });
        await expect(adapter.files.process('Plan.md', () => 'new text')).rejects.toThrow(Crash);
        return lost(disk, before).length;
      }),
    );
    expect(losses.filter((count) => count > 0).length).toBe(4);
  });
});
