/** F1: what the user chose for a write that was cut off, and the same changes applied once more after it. */
import type { RecoveryChoice } from '../../../../../src/core/session/entry';
import { recover, resolveInterruptedWrite } from '../../../../../src/core/writing/apply/recover';
import { undoOperation } from '../../../../../src/core/writing/apply/undo';
import type { Changeset } from '../../../../../src/core/writing/changeset/changeset';
import { createWriteGuard } from '../../../../../src/core/writing/guard/path-guard';
import { words } from '../../../../../src/text';
import {
  bytesOf,
  Crash,
  type Disk,
  diskOf,
  type FaultPlan,
  locked,
  sha256,
  textAt,
  treeOf,
} from '../../../../support/fault-adapter';
import { apply, changesetOf, createOf, editOf, entryOf, moveOf, startOver } from '../../../../support/writing-bench';

const files = { 'Crew.md': '# Crew\n\nRui steers.\n', 'Stores.md': 'Rope: 3\n' };
const scenarios: Readonly<Record<string, (disk: Disk) => Changeset>> = {
  'two edits': (disk) =>
    changesetOf(editOf(disk, 'Crew.md', '# Crew\n\nRui navigates.\n'), editOf(disk, 'Stores.md', 'Rope: 5\n')),
  'an edit and a new note': (disk) =>
    changesetOf(createOf('Bolts.md', 'Six bolts of bronze.\n'), editOf(disk, 'Stores.md', 'Rope: 5\n')),
};

/** Every disk that a crash at one operation in turn leaves with a torn file. */
async function* tornDisks(scenario: (disk: Disk) => Changeset, notes: Record<string, string> = files) {
  for (let crashAt = 1; ; crashAt += 1) {
    const disk = diskOf(notes);
    const changeset = scenario(disk);
    try {
      await apply((await startOver(disk, { crashAt, variant: 'half' })).writer, changeset);
      return;
    } catch (thrown) {
      if (!(thrown instanceof Crash)) throw thrown;
    }
    const { writer } = await startOver(disk);
    const { interrupted } = await recover(writer);
    if (interrupted.length > 0) yield { disk, changeset, writer, interrupted };
  }
}

async function whole(scenario: (disk: Disk) => Changeset): Promise<Record<string, string>> {
  const disk = diskOf(files);
  await apply((await startOver(disk)).writer, scenario(disk));
  return treeOf(disk);
}

const choices: readonly RecoveryChoice[] = ['before', 'after'];

describe.each(Object.entries(scenarios))('F1 %s, cut off', (_name, scenario) => {
  it.each(choices)('settled as “%s”, the same changes can be applied and taken back byte for byte', async (choice) => {
    const applied = await whole(scenario);
    let torn = 0;
    for await (const { disk, changeset, writer, interrupted } of tornDisks(scenario)) {
      torn += 1;
      for (const write of interrupted) {
        expect(write.choices).toEqual(['before', 'after', 'as-is']);
        expect(await resolveInterruptedWrite(writer, write, choice)).toEqual({ ok: true, value: undefined });
      }
      // The app restarts, and the review is applied once more.
      const again = await startOver(disk);
      expect((await recover(again.writer)).interrupted).toEqual([]);
      const report = await apply(again.writer, changeset);
      expect(report.failed).toEqual([]);
      expect(treeOf(disk)).toEqual(applied);
      for (const id of report.applied.flatMap(({ operations }) => operations).reverse()) {
        expect((await undoOperation(again.writer, id)).ok).toBe(true);
      }
      expect(Object.keys(files).map((path) => textAt(disk, path))).toEqual(Object.values(files));
      expect(Object.keys(treeOf(disk))).toEqual(Object.keys(files));
    }
    expect(torn).toBeGreaterThan(0);
  });
});

it.each(choices)(
  'F1 settled as “%s”, also in a note that is hidden from the agent since, or deleted',
  async (choice) => {
    const path = 'What is it?.md';
    const scenario = (disk: Disk): Changeset => changesetOf(editOf(disk, path, 'A keel.\n'));
    let settled = 0;
    for (const isDeleted of [false, true]) {
      for await (const { disk, writer, interrupted } of tornDisks(scenario, { [path]: 'A rib.\n' })) {
        const whole = { file: (at: string) => entryOf(disk, at) };
        const guard = createWriteGuard({ file: () => undefined }, '.obsidian', null, whole);
        if (isDeleted) disk.notes.delete(path);
        for (const write of interrupted) {
          expect((await resolveInterruptedWrite({ ...writer, guard }, write, choice)).ok).toBe(true);
          settled += 1;
        }
        expect(textAt(disk, path)).toBe(choice === 'before' ? 'A rib.\n' : 'A keel.\n');
      }
    }
    expect(settled).toBeGreaterThan(1);
  },
);

it('F1 a move, of which the links are not known, is not offered to be finished', async () => {
  const moving = (disk: Disk): Changeset => changesetOf(moveOf(disk, 'Stores.md', 'Ship/Stores.md'));
  const linked = { ...files, 'Log.md': 'See [[Stores]].\n' };
  let seen = 0;
  for (let crashAt = 1; crashAt < 40; crashAt += 1) {
    const disk = diskOf(linked);
    const { writer } = await startOver(disk, { crashAt, variant: 'half' });
    await apply(writer, moving(disk)).catch(() => undefined);
    for (const { choices: offered } of (await recover((await startOver(disk)).writer)).interrupted) {
      expect(offered).toEqual(['before', 'as-is']);
      seen += 1;
    }
  }
  expect(seen).toBeGreaterThan(0);
});

describe('F1 a rename in letter case only, cut off on a disk that ignores case', () => {
  const linked = { 'rig.md': 'Lugsail.\n', 'Log.md': 'See [[rig]].\n' };
  const ignoringCase = async (disk: Disk, plan: Parameters<typeof startOver>[1] = {}) => {
    const { writer } = await startOver(disk, plan);
    const { readBytes } = writer.files;
    const nameOf = (path: string): string =>
      [...disk.notes.keys()].find((each) => each.toLowerCase() === path.toLowerCase()) ?? path;
    return { ...writer, files: { ...writer.files, readBytes: (path: string) => readBytes(nameOf(path)) } };
  };

  it('is no damaged write: it happened, or it did not, and what it was can be taken back', async () => {
    const ends = new Set<string>();
    for (let crashAt = 1; ; crashAt += 1) {
      const disk = diskOf(linked);
      const changeset = changesetOf(moveOf(disk, 'rig.md', 'Rig.md'));
      const report = await apply(await ignoringCase(disk, { crashAt, variant: 'full' }), changeset).catch(
        (thrown: unknown) => {
          if (!(thrown instanceof Crash)) throw thrown;
          return null;
        },
      );
      if (report !== null) break;
      const { journal, ...writer } = await ignoringCase(disk);
      const recovery = await recover({ ...writer, journal });
      expect(recovery.interrupted).toEqual([]);
      for (const id of recovery.completed) {
        ends.add('completed');
        expect(disk.notes.has('Rig.md')).toBe(true);
        expect((await undoOperation({ ...writer, journal }, id)).ok).toBe(true);
      }
      if (recovery.void.length > 0) ends.add('void');
      if (recovery.completed.length + recovery.void.length > 0) expect(disk.notes.has('rig.md')).toBe(true);
    }
    expect([...ends].sort()).toEqual(['completed', 'void']);
  });
});

describe('F1 a move that was done and not recorded as done', () => {
  const linked = { ...files, 'Log.md': 'See [[Stores]].\n' };
  const [from, to] = ['Stores.md', 'Ship/Hold.md'] as const;
  const hashOf = (path: keyof typeof linked): string => sha256(bytesOf(linked[path]));

  /** A disk on which the file is moved and its links are rewritten, as a crash left it. */
  async function movedDisk(): Promise<Disk> {
    for (let crashAt = 1; ; crashAt += 1) {
      const disk = diskOf(linked);
      const { writer } = await startOver(disk, { crashAt, variant: 'none' });
      await apply(writer, changesetOf(moveOf(disk, from, to))).catch(() => undefined);
      if (textAt(disk, 'Log.md') === 'See [[Hold]].\n') return disk;
    }
  }
  const recovered = async (disk: Disk, plan: FaultPlan = {}) => recover((await startOver(disk, plan)).writer);
  const offered = (path: string, before: string) => [{ path, before, after: null, choices: ['before', 'as-is'] }];

  it('is recorded as done, with the links that the app rewrote', async () => {
    const recovery = await recovered(await movedDisk());
    expect(recovery).toMatchObject({ completed: [expect.any(String)], interrupted: [] });
  });

  it('is offered to the user where the file cannot be read, or is at both ends or at none', async () => {
    const refuse: FaultPlan['refuse'] = (operation, path) =>
      operation === 'read' && path === to ? locked(path) : undefined;
    const [unread, both, none] = [await movedDisk(), await movedDisk(), await movedDisk()];
    both.notes.set(from, bytesOf(linked[from]));
    none.notes.delete(to);
    for (const recovery of [await recovered(unread, { refuse }), await recovered(both), await recovered(none)])
      expect(recovery).toMatchObject({ completed: [], void: [], interrupted: offered(from, hashOf(from)) });
  });

  it('is offered to the user by the note with a link that cannot be read, compared, or kept', async () => {
    const [deleted, forgotten, full] = [await movedDisk(), await movedDisk(), await movedDisk()];
    deleted.notes.delete('Log.md');
    forgotten.blobs.clear();
    const refuse: FaultPlan['refuse'] = (operation, path) => (operation === 'writeBlob' ? locked(path) : undefined);
    for (const recovery of [await recovered(deleted), await recovered(forgotten), await recovered(full, { refuse })])
      expect(recovery).toMatchObject({ completed: [], interrupted: offered('Log.md', hashOf('Log.md')) });
  });

  it('is not undone before its end is known, nor once it is known not to have happened', async () => {
    const disk = await movedDisk();
    const { writer } = await startOver(disk);
    const [move] = writer.journal.operations();
    const begun = await undoOperation(writer, move?.id ?? '');
    expect(!begun.ok && begun.failure).toMatchObject({ kind: 'storage', words: words.writing.endUnknown(from) });
    disk.notes.set(from, disk.notes.get(to) as Uint8Array);
    disk.notes.delete(to);
    const later = await startOver(disk);
    expect((await recover(later.writer)).void).toEqual([move?.id]);
    const nothing = await undoOperation(later.writer, move?.id ?? '');
    expect(!nothing.ok && nothing.failure).toMatchObject({ kind: 'refused', words: words.writing.undoUnknown });
  });
});
