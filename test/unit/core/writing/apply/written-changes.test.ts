/** Changes that still wait by the log after a crash, and are on disk by the journal. */
import { succeed } from '../../../../../src/core/ports/failure';
import { recover, writtenChanges } from '../../../../../src/core/writing/apply/recover';
import { type Changeset, pathOf } from '../../../../../src/core/writing/changeset/changeset';
import { diskOf } from '../../../../support/fault-adapter';
import { digest } from '../../../../support/memory-ports';
import { apply, changesetOf, createOf, deleteOf, editOf, moveOf, startOver } from '../../../../support/writing-bench';

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
  expect(await written(waiting, disk)).toEqual({ written: [], left: [] });
  expect((await apply((await startOver(disk)).writer, done)).failed).toEqual([]);
  const found = await written(waiting, disk);
  expect(found.written.map(pathOf)).toEqual(done.changes.map(pathOf));
  expect(found.left).toEqual([]);
});

it('F1 R058 gives what was written of a change of which the user had taken a part alone', async () => {
  const disk = diskOf(files);
  const proposed = editOf(disk, 'Crew.md', 'Rui navigates.\n\nPawel cooks.\n');
  const accepted = { ...proposed, text: 'Rui navigates.\n\nPawel sings.\n' };
  const changeset = changesetOf(accepted);
  await apply((await startOver(disk)).writer, changeset);
  expect(await written({ ...changeset, changes: [proposed] }, disk)).toEqual({ written: [accepted], left: [] });
});

it('F1 R058 tells the text that was written from the move that is missing', async () => {
  const disk = diskOf(files);
  const whole = moveOf(disk, 'Rig.md', 'Boat/Rig.md', 'Gaff.\n');
  const changeset = changesetOf({ ...whole, to: whole.from });
  await apply((await startOver(disk)).writer, changeset);
  const found = await written({ ...changeset, changes: [whole] }, disk);
  expect(found.written).toEqual([{ ...whole, to: whole.from }]);
  expect(found.left).toEqual([{ ...whole, base: { hash: digest('Gaff.\n'), text: 'Gaff.\n' }, text: null }]);
});

it('F1 R058 takes a change that further calls remade for none that is written', async () => {
  const disk = diskOf(files);
  const made = createOf('New.md', 'Fresh.\n');
  const changeset = changesetOf(made);
  await apply((await startOver(disk)).writer, changeset);
  const remade = {
    ...made,
    text: 'Fresher.\n',
    calls: [...made.calls, { id: 'later', tool: 'edit_note', arguments: '' }],
  };
  expect(await written({ ...changeset, changes: [remade] }, disk)).toEqual({ written: [], left: [] });
});
