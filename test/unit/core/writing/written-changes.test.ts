/** Changes that still wait by the log after a crash, and are on disk by the journal. */
import { type Changeset, pathOf } from '../../../../src/core/writing/changeset';
import { recover } from '../../../../src/core/writing/recover';
import { writtenChanges } from '../../../../src/core/writing/written-changes';
import { succeed } from '../../../../src/core/failure';
import { diskOf } from '../../fakes/fault-adapter';
import { apply, changesetOf, createOf, deleteOf, editOf, moveOf, startOver } from '../../fakes/writing-bench';

const files = { 'Crew.md': '\ufeffRui steers.\n\nPawel sings.\n', 'Old.md': 'Waste.\n', 'Rig.md': 'Lugsail.\n' };

async function written(changeset: Changeset, disk: ReturnType<typeof diskOf>) {
  const { writer } = await startOver(disk);
  await recover(writer);
  return writtenChanges({ writer: () => Promise.resolve(succeed(writer)) }, changeset);
}

it('F1 R058 tells those that were written from those that were not, for every kind of change', async () => {
  const disk = diskOf(files);
  const done = changesetOf(
    editOf(disk, 'Crew.md', 'Rui navigates.\n\nPawel sings.\n'),
    createOf('New.md', 'Fresh.\n'),
    moveOf(disk, 'Rig.md', 'Boat/Rig.md', 'Gaff.\n'),
    deleteOf(disk, 'Old.md'),
  );
  const waiting = { ...done, changes: [...done.changes, createOf('Later.md', 'Not yet.\n')] };
  expect(await written(waiting, disk)).toEqual([]);
  expect((await apply((await startOver(disk)).writer, done)).failed).toEqual([]);
  expect((await written(waiting, disk)).map(pathOf)).toEqual(done.changes.map(pathOf));
});

it('F1 R058 gives what was written of a change of which the user had taken a part alone', async () => {
  const disk = diskOf(files);
  const proposed = editOf(disk, 'Crew.md', 'Rui navigates.\n\nPawel cooks.\n');
  const accepted = { ...proposed, text: 'Rui navigates.\n\nPawel sings.\n' };
  const changeset = changesetOf(accepted);
  await apply((await startOver(disk)).writer, changeset);
  const [change] = await written({ ...changeset, changes: [proposed] }, disk);
  expect(change).toEqual(accepted);
});

it('F1 R058 leaves a change of which a later step is missing to wait', async () => {
  const disk = diskOf(files);
  const whole = moveOf(disk, 'Rig.md', 'Boat/Rig.md', 'Gaff.\n');
  const changeset = changesetOf({ ...whole, to: whole.from });
  await apply((await startOver(disk)).writer, changeset);
  expect(await written({ ...changeset, changes: [whole] }, disk)).toEqual([]);
});
