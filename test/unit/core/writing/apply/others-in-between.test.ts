/** What others do to the disk in the middle of a step: whose text stays, and how the step is reported. */
import { withLaterLinks } from '../../../../../src/core/writing/apply/move-file';
import { words } from '../../../../../src/text';
import { bytesOf, diskOf, type FaultPlan, locked, sha256, textAt } from '../../../../support/fault-adapter';
import { apply, changeOf, changesetOf, createOf, editOf, moveOf, startOver } from '../../../../support/writing-bench';

const vault = { 'A.md': 'one\n', 'B.md': 'See [[A]].\n' };
const missing = { kind: 'not-found', words: 'There is nothing.', remedy: '' } as const;
type Refuse = NonNullable<FaultPlan['refuse']>;

describe('a note that is read back after an edit', () => {
  /** Returns why the edit of A.md failed, when its write and the reading of it afterwards fail in this way. */
  async function failureOf(written: ReturnType<Refuse>, readBack: ReturnType<Refuse>): Promise<unknown> {
    const disk = diskOf(vault);
    let isWritten = false;
    const refuse: Refuse = (operation, path) => {
      if (path !== 'A.md') return undefined;
      if (operation === 'read') return isWritten ? readBack : undefined;
      if (operation !== 'process') return undefined;
      isWritten = true;
      return written;
    };
    const { writer } = await startOver(disk, { refuse });
    return (await apply(writer, changesetOf(editOf(disk, 'A.md', 'two\n')))).failed[0]?.failure.words;
  }
  const endUnknown = (cause: string): string => `${words.writing.endUnknown('A.md')} (${cause})`;

  it('has an unclear end where it is not there any more, or cannot be read', async () => {
    expect(await failureOf(undefined, missing)).toBe(endUnknown(missing.words));
    expect(await failureOf(undefined, locked('A.md'))).toBe(endUnknown('A.md is locked.'));
  });

  it('has an unclear end where its write failed as well: what is told is why it cannot be read, unless it is missing', async () => {
    const refused = { ...missing, kind: 'refused', words: 'It is refused.' } as const;
    expect(await failureOf(refused, locked('A.md'))).toBe(endUnknown('A.md is locked.'));
    expect(await failureOf(refused, missing)).toBe(endUnknown('It is refused.'));
  });
});

it('leaves a note that another writer puts where a new one is being made, and nothing is unclear', async () => {
  const disk = diskOf(vault);
  const beforeOperation = (operation: string): void => {
    if (operation === 'create') disk.notes.set('New/N.md', bytesOf('theirs\n'));
  };
  const { writer } = await startOver(disk, { beforeOperation });
  const report = await apply(writer, changesetOf(createOf('New/N.md', 'ours\n')));
  expect(report.failed.map(({ failure }) => failure.kind)).toEqual(['refused']);
  expect(textAt(disk, 'New/N.md')).toBe('theirs\n');
  expect(writer.journal.operations().map(({ state }) => state)).toEqual(['void']);
});

describe('a note with a link to one that is moved', () => {
  const moveWith = async (plan: (disk: ReturnType<typeof diskOf>) => FaultPlan) => {
    const disk = diskOf(vault);
    const { writer } = await startOver(disk, plan(disk));
    const report = await apply(writer, changesetOf(moveOf(disk, 'A.md', 'Z.md')));
    return { disk, report, failures: report.failed.map(({ failure }) => failure.kind) };
  };

  it('may be deleted before the move', async () => {
    const { disk, failures } = await moveWith((on) => ({
      beforeOperation: (operation, path) => {
        if (operation === 'flush' && path === 'B.md') on.notes.delete(path);
      },
    }));
    expect([failures, disk.notes.has('Z.md')]).toEqual([[], true]);
  });

  it('may be deleted while the app rewrites links', async () => {
    const { disk, failures, report } = await moveWith((on) => ({
      beforeOperation: (operation, path) => {
        if (operation === 'read' && path === 'B.md' && on.notes.has('Z.md')) on.notes.delete('B.md');
      },
    }));
    expect([failures, disk.notes.has('Z.md'), disk.notes.has('B.md')]).toEqual([[], true, false]);
    expect(report.applied[0]?.rewritten).toEqual([]);
  });

  it('has to be readable before the move, since a copy of it is kept', async () => {
    const { disk, failures } = await moveWith(() => ({
      refuse: (operation, path) => (operation === 'read' && path === 'B.md' ? locked(path) : undefined),
    }));
    expect([failures, disk.notes.has('A.md')]).toEqual([['storage'], true]);
  });

  it('leaves a move unclear that was done, if it cannot be read afterwards', async () => {
    const { failures, report } = await moveWith((on) => ({
      refuse: (operation, path) =>
        operation === 'read' && path === 'B.md' && on.notes.has('Z.md') ? locked(path) : undefined,
    }));
    expect([failures, report.failed[0]?.failure.words]).toEqual([
      ['storage'],
      `${words.writing.endUnknown('A.md')} (B.md is locked.)`,
    ]);
  });
});

it('takes a change of letters that the disk refuses for one that was not made', async () => {
  const disk = diskOf({ 'rig.md': 'Lugsail.\n' });
  const refuse: Refuse = (operation, path) => (operation === 'rename' ? locked(path) : undefined);
  const { writer } = await startOver(disk, { refuse });
  const { readBytes } = writer.files;
  // As on a disk that ignores case.
  const files = { ...writer.files, readBytes: (path: string) => readBytes(path.toLowerCase()) };
  const report = await apply({ ...writer, files }, changesetOf(moveOf(disk, 'rig.md', 'Rig.md')));
  expect(report.failed.map(({ failure }) => failure.words)).toEqual(['rig.md is locked.']);
  expect(writer.journal.operations().map(({ state }) => state)).toEqual(['void']);
});

it('takes a file that is no text for moved if another device put it there, and no other one', async () => {
  const picture = new Uint8Array([0, 255, 1]);
  const found = async (there: Uint8Array): Promise<number> => {
    const disk = diskOf({ 'Pic.png': picture });
    const base = { hash: sha256(picture), text: null };
    const change = changeOf(disk, { from: 'Pic.png', to: 'Img/Pic.png', base });
    disk.notes.delete('Pic.png');
    disk.notes.set('Img/Pic.png', there);
    const { writer } = await startOver(disk);
    return (await apply(writer, changesetOf(change))).applied.length;
  };
  expect([await found(picture), await found(new Uint8Array([0, 254]))]).toEqual([1, 0]);
});

it('takes no lines of links from a text that was laid out again', () => {
  expect(withLaterLinks('a\n[[X]]\n', 'a\n', '[[Y]]\n')).toBe('a\n[[X]]\n');
  expect(withLaterLinks('a\n[[X]]\n', 'a\n', 'a\n[[Y]]\n')).toBe('a\n[[Y]]\n');
});
