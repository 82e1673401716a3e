import { applyChangeset } from '../../../../../src/core/writing/apply/apply-changeset';
import { recover } from '../../../../../src/core/writing/apply/recover';
import { undoOperation } from '../../../../../src/core/writing/apply/undo';
import { createWriteQueue } from '../../../../../src/core/writing/apply/write-steps';
import { approve, type FileChange } from '../../../../../src/core/writing/changeset/changeset';
import { words } from '../../../../../src/text';
import { bytesOf, diskOf, type FaultPlan, locked, sha256, textAt, treeOf } from '../../../../support/fault-adapter';
import { digest } from '../../../../support/memory-ports';
import {
  apply,
  changesetOf,
  createOf,
  deleteOf,
  editOf,
  moveOf,
  startOver,
  undoChangeset,
} from '../../../../support/writing-bench';

const vault = { 'A.md': 'one\ntwo\nthree\nfour\nfive\n', 'B.md': 'See [[A]].\n', 'C.md': 'Old.\n' };
const start = (files: Readonly<Record<string, string | Uint8Array>> = vault, plan: FaultPlan = {}) =>
  startOver(diskOf(files), plan);

describe('applying a changeset', () => {
  it('creates, edits, moves and deletes, in this order, and undo gives every byte back', async () => {
    const bench = await start();
    const { disk, writer, adapter } = bench;
    const before = treeOf(disk);
    const changeset = changesetOf(
      deleteOf(disk, 'C.md'),
      moveOf(disk, 'A.md', 'x/Z.md', 'one\n2\nthree\nfour\nfive\n'),
      editOf(disk, 'B.md', 'Look at [[A]].\n'),
      createOf('y/New.md', 'To [[A]].\n'),
    );
    const report = await apply(writer, changeset);
    expect(report.failed).toEqual([]);
    const writes = adapter.log.filter((line) => /^(create|process|rename|trash) /.test(line));
    expect(writes).toEqual(['create y/New.md', 'process A.md', 'process B.md', 'rename A.md', 'trash C.md']);
    expect(textAt(disk, 'x/Z.md')).toBe('one\n2\nthree\nfour\nfive\n');
    expect(textAt(disk, 'B.md')).toBe('Look at [[Z]].\n');
    expect(textAt(disk, 'y/New.md')).toBe('To [[Z]].\n');
    expect(report.applied.find(({ change }) => change.to === 'x/Z.md')?.rewritten).toEqual(['B.md', 'y/New.md']);
    expect(disk.trash.has('C.md')).toBe(true);
    const undone = await undoChangeset(writer, changeset.id);
    expect(undone.map(({ outcome }) => outcome.ok)).toEqual([true, true, true, true, true]);
    expect(treeOf(disk)).toEqual(before);
    expect([...disk.folders]).toEqual([]);
  });

  it('F40 keeps a byte order mark that the change never saw', async () => {
    const { disk, writer } = await start({ 'M.md': '\ufeffone\r\ntwo' });
    await apply(writer, changesetOf(editOf(disk, 'M.md', 'one\r\n2')));
    expect(textAt(disk, 'M.md')).toBe('\ufeffone\r\n2');
  });

  it('F37 never rewrites what is not plain UTF-8', async () => {
    for (const bytes of [
      new Uint8Array([0xff, 0xfe, 65, 0]),
      new Uint8Array([65, 0, 66]),
      new Uint8Array([0xc3, 0x28]),
    ]) {
      const { disk, writer } = await start({ 'M.md': bytes });
      const report = await apply(writer, changesetOf(editOf(disk, 'M.md', 'new')));
      expect(report.failed[0]?.failure.kind).toBe('not-text');
      expect(disk.notes.get('M.md')).toEqual(bytes);
    }
  });

  it('H11 writes nothing that differs from what was approved', async () => {
    const { disk, writer } = await start();
    const changeset = changesetOf(editOf(disk, 'A.md', 'new\n'));
    const [change] = changeset.changes as [FileChange];
    const tokens = approve(changeset, digest);
    const others: Partial<FileChange>[] = [
      { text: 'other\n' },
      { from: 'B.md', to: 'B.md' },
      { to: 'D.md' },
      { base: { hash: digest('x'), text: 'x' } },
      { calls: [{ id: 'x', tool: 'edit_note', arguments: 'y' }] },
      { to: null, text: null },
    ];
    for (const other of others) {
      const report = await applyChangeset(writer, { ...changeset, changes: [{ ...change, ...other }] }, tokens);
      expect(report.failed[0]?.failure.words).toContain('approved');
    }
    expect((await applyChangeset(writer, changeset, new Map())).failed).toHaveLength(1);
    expect(textAt(disk, 'A.md')).toBe(vault['A.md']);
    expect((await applyChangeset(writer, changeset, tokens)).failed).toEqual([]);
  });

  it('H1 H2 checks every path once more', async () => {
    const { disk, writer } = await start({ ...vault, '.obsidian/app.json': '{}' });
    const report = await apply(
      writer,
      changesetOf(
        createOf('../out.md', 'x'),
        createOf('.obsidian/x.md', 'x'),
        editOf(disk, '.obsidian/app.json', 'x'),
        moveOf(disk, 'A.md', '.git/hooks/post-commit'),
        deleteOf(disk, '.obsidian/app.json'),
      ),
    );
    expect(report.failed).toHaveLength(5);
    expect(treeOf(disk)).toEqual(treeOf(diskOf({ ...vault, '.obsidian/app.json': '{}' })));
  });

  it('H12 carries out each step once, also when it is asked to again', async () => {
    const { disk, writer } = await start();
    const changeset = changesetOf(createOf('N.md', 'x'), moveOf(disk, 'A.md', 'Z.md', 'new\n'));
    await apply(writer, changeset);
    const before = treeOf(disk);
    const again = await apply(writer, changeset);
    expect(again.failed).toEqual([]);
    expect(treeOf(disk)).toEqual(before);
    expect(writer.journal.operations()).toHaveLength(3);
    const restarted = await startOver(disk);
    expect((await apply(restarted.writer, changeset)).failed).toEqual([]);
    expect(treeOf(disk)).toEqual(before);
  });

  it('goes on with the move alone when the text was written and the move failed', async () => {
    const { disk, writer } = await start();
    const changeset = changesetOf(moveOf(disk, 'A.md', 'B.md', 'new\n'));
    const report = await apply(writer, changeset);
    expect(report.failed[0]?.failure.words).toContain('B.md');
    expect(report.failed[0]?.operations).toHaveLength(1);
    const left = { from: 'A.md', to: 'B.md', text: null, base: { hash: digest('new\n'), text: 'new\n' } };
    expect(report.failed[0]?.change).toMatchObject(left);
    expect(textAt(disk, 'A.md')).toBe('new\n');
    expect(textAt(disk, 'B.md')).toBe('See [[A]].\n');
  });

  it('H12 writes what a further call made of a change of which a part was written before', async () => {
    const { disk, writer } = await start();
    const changeset = changesetOf(moveOf(disk, 'A.md', 'B.md', 'new\n'));
    const [failed] = (await apply(writer, changeset)).failed;
    if (failed === undefined) throw new Error('Nothing failed.');
    const calls = [...failed.change.calls, { id: 'later', tool: 'edit_note', arguments: '' }];
    const remade = { ...failed.change, to: 'C2.md', text: 'newer\n', calls };
    expect((await apply(writer, { ...changeset, changes: [remade] })).failed).toEqual([]);
    expect(textAt(disk, 'C2.md')).toBe('newer\n');
  });

  it('records what another plugin made of the text as it was saved, and undoes that', async () => {
    const { disk, writer } = await start(vault, { rewriteOnSave: (text) => `${text}edited: today\n` });
    const changeset = changesetOf(editOf(disk, 'C.md', 'New.\n'));
    const report = await apply(writer, changeset);
    expect(report.applied[0]?.altered).toBe(true);
    expect(textAt(disk, 'C.md')).toBe('New.\nedited: today\n');
  });

  it('records what another plugin made of a new note as it was created, and undoes that', async () => {
    const { disk, writer } = await start(vault, { rewriteOnSave: (text) => `${text}created: today\n` });
    const before = treeOf(disk);
    const changeset = changesetOf(createOf('New.md', 'New.\n'));
    const report = await apply(writer, changeset);
    expect(report.failed).toEqual([]);
    expect(report.applied[0]?.altered).toBe(true);
    expect(textAt(disk, 'New.md')).toBe('New.\ncreated: today\n');
    expect((await undoChangeset(writer, changeset.id)).map(({ outcome }) => outcome.ok)).toEqual([true]);
    expect(treeOf(disk)).toEqual(before);
  });

  it('journals files that the app leaves alone when the user has it leave links', async () => {
    const { disk, writer } = await start(vault, { linksFollow: false });
    const before = treeOf(disk);
    const changeset = changesetOf(moveOf(disk, 'A.md', 'Z.md'));
    expect((await apply(writer, changeset)).applied[0]?.rewritten).toEqual([]);
    expect(textAt(disk, 'B.md')).toBe('See [[A]].\n');
    await undoChangeset(writer, changeset.id);
    expect(treeOf(disk)).toEqual(before);
  });

  it('runs one after another in one queue, also behind one that failed', async () => {
    const queue = createWriteQueue();
    const order: string[] = [];
    const task =
      (name: string, fails = false) =>
      async () => {
        order.push(`${name} starts`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} ends`);
        if (fails) throw new Error(name);
      };
    const [one, two] = [queue.run(task('one', true)), queue.run(task('two'))];
    await expect(one).rejects.toThrow('one');
    await two;
    expect(order).toEqual(['one starts', 'one ends', 'two starts', 'two ends']);
  });
});

describe('F15 a note that changes between reading, approval and applying', () => {
  it('F15 H6 takes both changes where they touch different lines', async () => {
    const { disk, writer } = await start();
    const changeset = changesetOf(editOf(disk, 'A.md', 'ONE\ntwo\nthree\nfour\nfive\n'));
    disk.notes.set('A.md', bytesOf('one\ntwo\nthree\nfour\nFIVE\n'));
    const report = await apply(writer, changeset);
    expect(report.applied[0]?.merged).toBe(true);
    expect(textAt(disk, 'A.md')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
    await undoChangeset(writer, changeset.id);
    expect(textAt(disk, 'A.md')).toBe('one\ntwo\nthree\nfour\nFIVE\n');
  });

  it.each([
    ['# Plan\n\nEnd.\n', '# Plan\n\nSecret.\n\nEnd.\n', '# Other\n\nMilk.\n'],
    ['---\nstatus: draft\n---\nPlan.\n', '---\nstatus: done\n---\nPlan.\n', '---\nstatus: draft\n---\nMilk.\n'],
  ])('puts nothing into another note that was made in the place of a deleted one', async (before, text, other) => {
    const { disk, writer } = await start({ 'Plan.md': before });
    const changeset = changesetOf(editOf(disk, 'Plan.md', text));
    disk.notes.set('Plan.md', bytesOf(other));
    const report = await apply(writer, changeset);
    expect(report.failed[0]?.failure).toMatchObject({
      words: words.writing.changedBoth('Plan.md'),
      action: 'ask-again',
    });
    expect(textAt(disk, 'Plan.md')).toBe(other);
  });

  it('takes other line endings for no conflict, and leaves them as they are on disk', async () => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    const { disk, writer } = await start();
    const edited = 'one\n2\nthree\nfour\nfive\nsix\n';
    const changeset = changesetOf(editOf(disk, 'A.md', edited), deleteOf(disk, 'C.md'));
    disk.notes.set('A.md', bytesOf(crlf('one\ntwo\nthree\nfour\nfive\n')));
    disk.notes.set('C.md', bytesOf('Old.\r\n'));
    const report = await apply(writer, changeset);
    expect(report.failed).toEqual([]);
    expect(textAt(disk, 'A.md')).toBe(crlf(edited));
    expect(report.applied[0]?.merged).toBe(false);
    expect(disk.notes.has('C.md')).toBe(false);
    await undoChangeset(writer, changeset.id);
    expect(textAt(disk, 'A.md')).toBe(crlf('one\ntwo\nthree\nfour\nfive\n'));
    expect(textAt(disk, 'C.md')).toBe('Old.\r\n');
  });

  it('merges edits of other lines in a note whose line endings changed too, both ways', async () => {
    const { disk, writer } = await start();
    const changeset = changesetOf(editOf(disk, 'A.md', 'ONE\ntwo\nthree\nfour\nfive\n'));
    disk.notes.set('A.md', bytesOf('one\r\ntwo\r\nthree\r\nfour\r\nFIVE\r\n'));
    expect((await apply(writer, changeset)).applied[0]?.merged).toBe(true);
    expect(textAt(disk, 'A.md')).toBe('ONE\r\ntwo\r\nthree\r\nfour\r\nFIVE\r\n');
    const back = changesetOf(editOf(disk, 'A.md', 'ONE\r\ntwo\r\n3\r\nfour\r\nFIVE\r\n'));
    disk.notes.set('A.md', bytesOf('ONE\ntwo\nthree\nfour\nFIVE\n'));
    await apply(writer, back);
    expect(textAt(disk, 'A.md')).toBe('ONE\ntwo\n3\nfour\nFIVE\n');
  });

  it('merges approved code over other line endings, and no other code', async () => {
    const { disk, writer } = await start({ 'A.md': 'one\n\ntwo\n' });
    const changeset = changesetOf(editOf(disk, 'A.md', 'one\n\n```dataviewjs\nx\ny\n```\n\ntwo\n'));
    disk.notes.set('A.md', bytesOf('one\r\n\r\ntwo\r\n'));
    expect((await apply(writer, changeset)).failed).toEqual([]);
    expect(textAt(disk, 'A.md')).toBe('one\r\n\r\n```dataviewjs\r\nx\r\ny\r\n```\r\n\r\ntwo\r\n');
  });

  it('F15 H6 refuses where they clash, and leaves the note as the user has it', async () => {
    const { disk, writer } = await start();
    const changeset = changesetOf(editOf(disk, 'A.md', 'ONE\ntwo\nthree\nfour\nfive\n'), deleteOf(disk, 'C.md'));
    disk.notes.set('A.md', bytesOf('Uno\ntwo\nthree\nfour\nfive\n'));
    disk.notes.set('C.md', bytesOf('Old, and more.\n'));
    const report = await apply(writer, changeset);
    expect(report.failed.map(({ failure }) => failure.kind)).toEqual(['refused', 'refused']);
    expect(textAt(disk, 'A.md')).toBe('Uno\ntwo\nthree\nfour\nfive\n');
    expect(textAt(disk, 'C.md')).toBe('Old, and more.\n');
  });

  it('F15 T9 writes over no change that comes between any two of its steps', async () => {
    const steps = ['flush', 'read', 'append', 'writeBlob', 'readBlob', 'process', 'trash', 'rename'];
    for (const step of steps) {
      for (let at = 1; at <= 4; at += 1) {
        const disk = diskOf(vault);
        let count = 0;
        const beforeOperation = (operation: string): void => {
          if (operation === step && (count += 1) === at) disk.notes.set('A.md', bytesOf('typed by the user\n'));
        };
        const { writer } = await startOver(disk, { beforeOperation });
        const report = await apply(writer, changesetOf(editOf(disk, 'A.md', 'ONE\ntwo\nthree\nfour\nfive\n')));
        if (count < at) continue;
        const hashes = [...disk.notes.values(), ...disk.blobs.values()].map(sha256);
        expect(hashes).toContain(sha256(bytesOf('typed by the user\n')));
        const [applied] = report.applied;
        if (applied === undefined) expect(textAt(disk, 'A.md')).toBe('typed by the user\n');
      }
    }
  });

  it('F15 deletes no note that changes while its copy is made', async () => {
    for (const step of ['append', 'writeBlob', 'readBlob']) {
      for (const at of [1, 2]) {
        const disk = diskOf(vault);
        let count = 0;
        const beforeOperation = (operation: string): void => {
          if (operation === step && (count += 1) === at) disk.notes.set('C.md', bytesOf('typed by the user\n'));
        };
        const { writer } = await startOver(disk, { beforeOperation });
        const report = await apply(writer, changesetOf(deleteOf(disk, 'C.md')));
        if (count < at) continue;
        expect(report.failed.map(({ failure }) => failure.kind)).toEqual(['refused']);
        expect([textAt(disk, 'C.md'), disk.trash.size]).toEqual(['typed by the user\n', 0]);
        expect((await recover((await startOver(disk)).writer)).interrupted).toEqual([]);
      }
    }
  });

  it('F15 fails in words on a note that was renamed or deleted, and makes none in its place', async () => {
    const { disk, writer } = await start();
    const changeset = changesetOf(editOf(disk, 'A.md', 'x\n'), moveOf(disk, 'B.md', 'D.md'), deleteOf(disk, 'C.md'));
    for (const path of ['A.md', 'B.md', 'C.md']) disk.notes.delete(path);
    const report = await apply(writer, changeset);
    expect(report.failed.map(({ failure }) => failure.kind)).toEqual(['not-found', 'not-found', 'not-found']);
    expect(disk.notes.size).toBe(0);
  });

  it('F15 creates and moves onto nothing that came meanwhile', async () => {
    const { disk, writer } = await start();
    const changeset = changesetOf(createOf('N.md', 'x'), moveOf(disk, 'A.md', 'D.md'));
    disk.notes.set('N.md', bytesOf('theirs'));
    disk.notes.set('D.md', bytesOf('theirs too'));
    expect((await apply(writer, changeset)).failed).toHaveLength(2);
    expect(textAt(disk, 'N.md')).toBe('theirs');
    expect(textAt(disk, 'D.md')).toBe('theirs too');
  });

  it.each([
    ['', 'no other'],
    ['```dataviewjs\nz\n```\n', 'other of its kind'],
  ])('6.5 merges in no active content that was not approved, where %p is: %s', async (approved) => {
    const noteOf = (fence: string, line: string): string =>
      `one\n${fence}\na\nb\nc\n${line}\nd\ne\nf\n\`\`\`\ntwo\nthree\nfour\n`;
    const { disk, writer } = await start({ 'A.md': noteOf('```', 'x') });
    const changeset = changesetOf(editOf(disk, 'A.md', noteOf('```', 'y') + approved));
    const typed = noteOf('```dataviewjs', 'x');
    disk.notes.set('A.md', bytesOf(typed));
    expect((await apply(writer, changeset)).failed).toHaveLength(1);
    expect(textAt(disk, 'A.md')).toBe(typed);
    // The same change in code that nothing runs.
    disk.notes.set('A.md', bytesOf(noteOf('```js', 'x')));
    expect((await apply(writer, changeset)).failed).toEqual([]);
    expect(textAt(disk, 'A.md')).toBe(noteOf('```js', 'y') + approved);
  });
});

describe('F6 a note that is locked', () => {
  it('F6 tries three times more, then refuses and leaves the note alone', async () => {
    const refuse: FaultPlan['refuse'] = (operation, path) =>
      operation === 'process' && path === 'A.md' ? locked(path) : undefined;
    const { disk, writer, waits, adapter } = await start(vault, { refuse });
    const report = await apply(writer, changesetOf(editOf(disk, 'A.md', 'new\n'), editOf(disk, 'C.md', 'New.\n')));
    expect(report.failed[0]?.failure.words).toContain('locked');
    expect(adapter.log.filter((line) => line === 'process A.md')).toHaveLength(4);
    expect(waits).toEqual([50, 150, 400]);
    expect(textAt(disk, 'A.md')).toBe(vault['A.md']);
    expect(textAt(disk, 'C.md')).toBe('New.\n');
    expect(writer.journal.operations().map(({ state }) => state)).toEqual(['void', 'committed']);
  });

  it('F6 goes on when the lock is gone in time, for moves and deletions too', async () => {
    const refuse: FaultPlan['refuse'] = (operation, path, count) =>
      /process|rename|trash/.test(operation) && count <= 2 ? locked(path) : undefined;
    const { disk, writer } = await start(vault, { refuse });
    const changes = [editOf(disk, 'B.md', 'x\n'), moveOf(disk, 'A.md', 'Z.md'), deleteOf(disk, 'C.md')];
    expect((await apply(writer, changesetOf(...changes))).failed).toEqual([]);
    expect([...disk.notes.keys()].sort()).toEqual(['B.md', 'Z.md']);
  });

  it.each(['rename', 'trash', 'create'])('F6 a %s that is refused for good changes nothing', async (refused) => {
    const refuse: FaultPlan['refuse'] = (operation, path) => (operation === refused ? locked(path) : undefined);
    const { disk, writer } = await start(vault, { refuse });
    const before = treeOf(disk);
    const changes = {
      rename: moveOf(disk, 'A.md', 'n/Z.md'),
      trash: deleteOf(disk, 'C.md'),
      create: createOf('n/N.md', 'x'),
    };
    const report = await apply(writer, changesetOf(changes[refused as keyof typeof changes]));
    expect(report.failed).toHaveLength(1);
    expect(treeOf(disk)).toEqual(before);
    expect(disk.folders.size).toBe(0);
    expect((await recover((await startOver(disk)).writer)).interrupted).toEqual([]);
  });
});

describe('F6 a disk that fails in the middle of a write', () => {
  const half = bytesOf('on');
  const torn = (name: string, path: string): FaultPlan['refuse'] & object => {
    let disk: ReturnType<typeof diskOf> | undefined;
    return Object.assign(
      (operation: string, at: string) => {
        if (operation !== name || at !== path) return undefined;
        disk?.notes.set(path, half);
        return locked(path);
      },
      { on: (each: ReturnType<typeof diskOf>) => void (disk = each) },
    );
  };

  it.each(['edit', 'undo of a move'])('F6 is told of as unclear in an %s, with both versions kept', async (what) => {
    const path = what === 'edit' ? 'A.md' : 'B.md';
    const disk = diskOf(vault);
    const changeset = changesetOf(what === 'edit' ? editOf(disk, 'A.md', 'new\n') : moveOf(disk, 'A.md', 'Z.md'));
    if (what !== 'edit') await apply((await startOver(disk)).writer, changeset);
    const before = disk.notes.get(path) ?? half;
    const refuse = torn('process', path) as FaultPlan['refuse'] & { on(each: typeof disk): void };
    refuse.on(disk);
    const { writer } = await startOver(disk, { refuse });
    const [last] = writer.journal.operations();
    const outcome = what === 'edit' ? await apply(writer, changeset) : await undoOperation(writer, last?.id ?? '');
    expect(JSON.stringify(outcome)).toContain('doesn’t know what it contains now');
    expect(disk.notes.get(path)).toEqual(half);
    const { interrupted } = await recover((await startOver(disk)).writer);
    expect(interrupted).toMatchObject([{ path, before: sha256(before) }]);
    expect(disk.blobs.get(sha256(before))).toEqual(before);
  });

  it('F6 is told of as unclear in a move that the app breaks off among the links', async () => {
    const disk = diskOf(vault);
    const refuse: FaultPlan['refuse'] = (operation) => {
      if (operation !== 'rename') return undefined;
      const moving = disk.notes.get('A.md');
      if (moving !== undefined) disk.notes.set('Z.md', moving);
      disk.notes.delete('A.md');
      disk.notes.set('B.md', half);
      return locked('A.md');
    };
    const { writer } = await startOver(disk, { refuse });
    const report = await apply(writer, changesetOf(moveOf(disk, 'A.md', 'Z.md')));
    expect(report.failed[0]?.failure.words).toContain('doesn’t know what it contains now');
    const { interrupted } = await recover((await startOver(disk)).writer);
    expect(interrupted).toMatchObject([{ path: 'B.md', before: sha256(bytesOf(vault['B.md'])) }]);
  });
});

describe('F7 H8 no copy, no write', () => {
  const each = ['edit', 'move', 'delete', 'create'] as const;
  const changeFor = (disk: ReturnType<typeof diskOf>, kind: (typeof each)[number]): FileChange =>
    ({
      edit: () => editOf(disk, 'A.md', 'new\n'),
      move: () => moveOf(disk, 'A.md', 'Z.md'),
      delete: () => deleteOf(disk, 'C.md'),
      create: () => createOf('N.md', 'x'),
    })[kind]();

  it.each(each)('F7 refuses the %s when the copy cannot be written', async (kind) => {
    const { disk, writer } = await start(vault, {
      refuse: (operation, path) => (operation === 'writeBlob' ? locked(path) : undefined),
    });
    const report = await apply(writer, changesetOf(changeFor(disk, kind)));
    expect(report.failed[0]?.failure.kind).toBe('storage');
    expect(treeOf(disk)).toEqual(treeOf(diskOf(vault)));
  });

  it.each(each)('F7 refuses the %s when the copy reads back wrong', async (kind) => {
    const { disk, writer, adapter } = await start();
    const { writeBlob } = adapter.store;
    Object.assign(adapter.store, {
      writeBlob: (hash: string, bytes: Uint8Array) => writeBlob(hash, bytes.slice(0, -1)),
    });
    const report = await apply(writer, changesetOf(changeFor(disk, kind)));
    expect(report.failed).toHaveLength(1);
    expect(treeOf(disk)).toEqual(treeOf(diskOf(vault)));
  });

  it.each(each)('F5 refuses the %s when the journal cannot be written', async (kind) => {
    for (const failing of [1, 2]) {
      let appends = 0;
      const refuse: FaultPlan['refuse'] = (operation, path) =>
        operation === 'append' && (appends += 1) === failing ? locked(path) : undefined;
      const { disk, writer } = await start(vault, { refuse });
      expect((await apply(writer, changesetOf(changeFor(disk, kind)))).failed).toHaveLength(1);
      expect(treeOf(disk)).toEqual(treeOf(diskOf(vault)));
      expect((await recover((await startOver(disk)).writer)).interrupted).toEqual([]);
    }
  });

  it('F7 replaces a copy that a crash left torn under its name', async () => {
    const disk = diskOf(vault);
    const hash = sha256(bytesOf(vault['A.md']));
    disk.blobs.set(hash, new Uint8Array(3));
    const { writer } = await startOver(disk);
    await apply(writer, changesetOf(editOf(disk, 'A.md', 'new\n')));
    expect(disk.blobs.get(hash)).toEqual(bytesOf(vault['A.md']));
  });
});

describe('F16 text that is typed and not yet saved', () => {
  it('F16 writes on what the open view saved first', async () => {
    const disk = diskOf(vault);
    const beforeOperation = (operation: string, path: string): void => {
      if (operation === 'flush' && path === 'A.md')
        disk.notes.set('A.md', bytesOf('one\ntwo\nthree\nfour\nfive, typed\n'));
    };
    const { writer } = await startOver(disk, { beforeOperation });
    const report = await apply(writer, changesetOf(editOf(disk, 'A.md', 'ONE\ntwo\nthree\nfour\nfive\n')));
    expect(report.applied[0]?.merged).toBe(true);
    expect(textAt(disk, 'A.md')).toBe('ONE\ntwo\nthree\nfour\nfive, typed\n');
  });

  it('F16 writes on what was typed while the copies were made', async () => {
    const disk = diskOf(vault);
    let typed: string | null = null;
    const beforeOperation = (operation: string, path: string): void => {
      if (operation === 'writeBlob') typed ??= `${vault['A.md']}six\n`;
      if (operation !== 'flush' || path !== 'A.md' || typed === null) return;
      if (textAt(disk, 'A.md') === vault['A.md']) disk.notes.set('A.md', bytesOf(typed));
    };
    const { writer } = await startOver(disk, { beforeOperation });
    const report = await apply(writer, changesetOf(editOf(disk, 'A.md', 'ONE\ntwo\nthree\nfour\nfive\n')));
    expect(report.failed).toEqual([]);
    expect(textAt(disk, 'A.md')).toBe('ONE\ntwo\nthree\nfour\nfive\nsix\n');
  });

  it('F16 refuses when a view cannot save, a backlink of a move included', async () => {
    const cannot = { kind: 'refused' as const, words: 'The open note cannot be saved.', remedy: 'Close it.' };
    const refuse: FaultPlan['refuse'] = (operation, path) =>
      operation === 'flush' && path === 'B.md' ? cannot : undefined;
    const { disk, writer } = await start(vault, { refuse });
    for (const change of [editOf(disk, 'B.md', 'x'), moveOf(disk, 'A.md', 'Z.md'), deleteOf(disk, 'B.md')]) {
      const report = await apply(writer, changesetOf(change));
      expect(report.failed[0]?.failure).toEqual(cannot);
    }
    expect(treeOf(disk)).toEqual(treeOf(diskOf(vault)));
  });
});

describe.each([
  ['A.md', ['---\n', 'due: 1\n', 'at: x\n', 'by: y\n', '---\n'], 'due: 2\n', 'its properties'],
  ['A.base', ['', 'filters: a\n', 'order: x\n', 'views: []\n', ''], 'filters: b\n', 'it'],
] as const)('%s, to which both sides add one name', (path, [head, first, second, third, tail], other, what) => {
  const [without, whole] = [head + second + third + tail, head + first + second + third + tail];
  const users = head + second + third + other + tail;
  const refusal = words.writing.mergeUnreadable(path);

  it('is not merged into what Obsidian cannot read', async () => {
    const { disk, writer } = await start({ [path]: without });
    const changeset = changesetOf(editOf(disk, path, whole));
    disk.notes.set(path, bytesOf(users));
    const { failed } = await apply(writer, changeset);
    expect(failed[0]?.failure.words).toBe(refusal);
    expect(refusal).toContain(`read ${what}.`);
    expect(textAt(disk, path)).toBe(users);
  });

  it('is not undone into what Obsidian cannot read', async () => {
    const { disk, writer } = await start({ [path]: whole });
    await apply(writer, changesetOf(editOf(disk, path, without)));
    disk.notes.set(path, bytesOf(users));
    const [operation] = writer.journal.operations();
    expect(await undoOperation(writer, operation?.id ?? '')).toMatchObject({ ok: false, failure: { words: refusal } });
    expect(textAt(disk, path)).toBe(users);
  });
});

describe('undo', () => {
  const applied = async (
    make: (disk: ReturnType<typeof diskOf>) => FileChange,
    planFor: (disk: ReturnType<typeof diskOf>) => FaultPlan = () => ({}),
  ) => {
    const disk = diskOf(vault);
    const bench = await startOver(disk, planFor(disk));
    await apply(bench.writer, changesetOf(make(bench.disk)));
    const [operation] = bench.writer.journal.operations();
    return { ...bench, undo: () => undoOperation(bench.writer, operation?.id ?? '') };
  };
  /** What the user saves right before a file is renamed, when the copies of it and of what links to it are made. */
  const typing =
    (renamed: string, texts: Readonly<Record<string, string>>) =>
    (disk: ReturnType<typeof diskOf>): FaultPlan => ({
      beforeOperation: (operation, path) => {
        if (operation !== 'rename' || path !== renamed) return;
        for (const [note, text] of Object.entries(texts)) disk.notes.set(note, bytesOf(text));
      },
    });

  it('R058 gives an edited note its text back, and keeps what the user wrote in other lines since', async () => {
    const { disk, undo } = await applied((each) => editOf(each, 'A.md', 'ONE\ntwo\nthree\nfour\nfive\n'));
    disk.notes.set('A.md', bytesOf('ONE\ntwo\nthree\nfour\nfive\nsix\n'));
    expect((await undo()).ok).toBe(true);
    expect(textAt(disk, 'A.md')).toBe('one\ntwo\nthree\nfour\nfive\nsix\n');
  });

  it('says why not when the same lines were edited since, and once it is undone', async () => {
    const { disk, undo } = await applied((each) => editOf(each, 'A.md', 'ONE\ntwo\nthree\nfour\nfive\n'));
    disk.notes.set('A.md', bytesOf('Eins\ntwo\nthree\nfour\nfive\n'));
    expect(await undo()).toMatchObject({ ok: false, failure: { words: expect.stringContaining('same lines') } });
    expect(textAt(disk, 'A.md')).toBe('Eins\ntwo\nthree\nfour\nfive\n');
    disk.notes.set('A.md', bytesOf('ONE\ntwo\nthree\nfour\nfive\n'));
    expect((await undo()).ok).toBe(true);
    expect(await undo()).toMatchObject({ ok: false, failure: { words: expect.stringContaining('already undone') } });
  });

  it.each([
    ['# Plan\n\nSecret.\n\nEnd.\n', '# Plan\n\nEnd.\n', '# Other\n\nMilk.\n'],
    ['---\nstatus: draft\n---\nSecret.\n', '---\nstatus: done\n---\nSecret.\n', '---\nstatus: done\n---\nMilk.\n'],
  ])('gives nothing of a deleted note to another one that was made in its place', async (before, after, other) => {
    const { disk, writer } = await start({ 'Plan.md': before });
    await apply(writer, changesetOf(editOf(disk, 'Plan.md', after)));
    disk.notes.set('Plan.md', bytesOf(other));
    const [operation] = writer.journal.operations();
    const failure = { kind: 'refused', words: words.writing.undoClashes('Plan.md') };
    expect(await undoOperation(writer, operation?.id ?? '')).toMatchObject({ ok: false, failure });
    expect(textAt(disk, 'Plan.md')).toBe(other);
  });

  it('takes no new note away that the user has written in since', async () => {
    const { disk, undo } = await applied(() => createOf('n/N.md', 'x'));
    disk.notes.set('n/N.md', bytesOf('x, and more'));
    expect(await undo()).toMatchObject({ ok: false, failure: { words: expect.stringContaining('since been edited') } });
    expect(textAt(disk, 'n/N.md')).toBe('x, and more');
  });

  it('says why not where the note is not there, or no longer has the change', async () => {
    const { undoneByHand, undoMissing } = words.writing;
    const edited = await applied((each) => editOf(each, 'A.md', 'ONE\ntwo\nthree\nfour\nfive\n'));
    edited.disk.notes.set('A.md', bytesOf(vault['A.md']));
    const refused = (said: string) => ({ ok: false, failure: { kind: 'refused', words: said } });
    expect(await edited.undo()).toMatchObject(refused(undoneByHand('A.md')));
    edited.disk.notes.delete('A.md');
    expect(await edited.undo()).toMatchObject(refused(undoMissing('A.md')));
    const created = await applied(() => createOf('n/N.md', 'x'));
    created.disk.notes.delete('n/N.md');
    expect(await created.undo()).toMatchObject(refused(undoMissing('n/N.md')));
    const moved = await applied((each) => moveOf(each, 'A.md', 'x/Z.md'));
    moved.disk.notes.delete('x/Z.md');
    expect(await moved.undo()).toMatchObject(refused(undoMissing('x/Z.md')));
    expect(textAt(moved.disk, 'B.md')).toBe('See [[Z]].\n');
  });

  it('follows a note that Docent moved since, and takes away none that is in another place', async () => {
    const edited = await applied((each) => editOf(each, 'A.md', 'ONE\ntwo\nthree\nfour\nfive\n'));
    await apply(edited.writer, changesetOf(moveOf(edited.disk, 'A.md', 'x/Z.md')));
    expect(await edited.undo()).toMatchObject({ ok: true, value: { path: 'x/Z.md' } });
    expect(textAt(edited.disk, 'x/Z.md')).toBe(vault['A.md']);
    const { undoMovedSince } = words.writing;
    const created = await applied(() => createOf('N.md', 'x'));
    await apply(created.writer, changesetOf(moveOf(created.disk, 'N.md', 'x/N.md')));
    expect(await created.undo()).toMatchObject({ ok: false, failure: { words: undoMovedSince('N.md', 'x/N.md') } });
    expect(textAt(created.disk, 'x/N.md')).toBe('x');
    const moved = await applied((each) => moveOf(each, 'A.md', 'x/Z.md'));
    await apply(moved.writer, changesetOf(moveOf(moved.disk, 'x/Z.md', 'y/Y.md')));
    expect(await moved.undo()).toMatchObject({ ok: false, failure: { words: undoMovedSince('x/Z.md', 'y/Y.md') } });
    expect(textAt(moved.disk, 'y/Y.md')).toBe(vault['A.md']);
  });

  it('takes back a move only after what Docent wrote since in the same lines of what links to it', async () => {
    const bench = await applied((each) => moveOf(each, 'A.md', 'x/Z.md'));
    const edit = changesetOf(editOf(bench.disk, 'B.md', 'Look at [[Z]].\n'));
    await apply(bench.writer, edit);
    expect(await bench.undo()).toMatchObject({ ok: false, failure: { words: words.writing.undoClashes('B.md') } });
    expect([textAt(bench.disk, 'B.md'), textAt(bench.disk, 'x/Z.md')]).toEqual(['Look at [[Z]].\n', vault['A.md']]);
    await undoChangeset(bench.writer, edit.id);
    expect(await bench.undo()).toMatchObject({ ok: true, value: { path: 'A.md', retainedLinks: [] } });
    expect([textAt(bench.disk, 'B.md'), textAt(bench.disk, 'A.md')]).toEqual(['See [[A]].\n', vault['A.md']]);
    const other = await applied((each) => moveOf(each, 'A.md', 'x/Z.md'));
    await apply(other.writer, changesetOf(editOf(other.disk, 'B.md', 'See [[Z]].\n\nMore.\n')));
    expect((await other.undo()).ok).toBe(true);
    expect(textAt(other.disk, 'B.md')).toBe('See [[A]].\n\nMore.\n');
  });

  it('takes the folders away that it made for a note, and none that holds another one by now', async () => {
    const { disk, undo } = await applied(() => createOf('n/deep/N.md', 'x'));
    disk.notes.set('n/Other.md', bytesOf('Other.\n'));
    expect((await undo()).ok).toBe(true);
    expect([[...disk.folders], textAt(disk, 'n/Other.md')]).toEqual([['n'], 'Other.\n']);
  });

  it('puts a deleted note back, binary ones too, but onto nothing else', async () => {
    const { disk, undo } = await applied((each) => deleteOf(each, 'C.md'));
    disk.notes.set('C.md', bytesOf('another'));
    expect(await undo()).toMatchObject({ ok: false, failure: { words: expect.stringContaining('already exists') } });
    disk.notes.delete('C.md');
    expect((await undo()).ok).toBe(true);
    expect(textAt(disk, 'C.md')).toBe('Old.\n');
    const bytes = new Uint8Array([0, 255, 1]);
    const bench = await start({ 'p.png': bytes });
    const base = { hash: sha256(bytes), text: null };
    const changeset = changesetOf({ ...deleteOf(bench.disk, 'p.png'), base });
    expect((await apply(bench.writer, changeset)).failed).toEqual([]);
    expect(bench.disk.notes.size).toBe(0);
    await undoChangeset(bench.writer, changeset.id);
    expect(bench.disk.notes.get('p.png')).toEqual(bytes);
  });

  it.each(['What is it?.md', 'Misc./“A”.md', `${'ä'.repeat(121)}.md`])(
    'gives a note back to a name that Docent would not give: %s',
    async (path) => {
      const files = { [path]: 'Old.\n', 'B.md': 'To it.\n' };
      const { disk, writer } = await start(files);
      const changes = [deleteOf, (each: typeof disk, from: string) => moveOf(each, from, 'Z.md')];
      for (const change of changes) {
        const changeset = changesetOf(change(disk, path));
        expect((await apply(writer, changeset)).failed).toEqual([]);
        expect((await undoChangeset(writer, changeset.id)).map(({ outcome }) => outcome.ok)).toEqual([true]);
        expect([textAt(disk, path), disk.notes.size]).toEqual(['Old.\n', 2]);
      }
      const report = await apply(writer, changesetOf(moveOf(disk, 'B.md', `x/${path}`)));
      expect(report.failed[0]?.failure.kind).toBe('refused');
    },
  );

  it('moves a note back with its links, keeps later edits, and leaves links whose lines were edited', async () => {
    const { disk, undo } = await applied((each) => moveOf(each, 'A.md', 'x/Z.md'));
    disk.notes.set('B.md', bytesOf('Above.\n\nSee [[Z]].\n'));
    disk.notes.set('x/Z.md', bytesOf(`${vault['A.md']}six\n`));
    expect(await undo()).toMatchObject({ ok: true, value: { path: 'A.md', retainedLinks: [] } });
    expect(textAt(disk, 'B.md')).toBe('Above.\n\nSee [[A]].\n');
    expect(textAt(disk, 'A.md')).toBe(`${vault['A.md']}six\n`);
    expect(disk.folders.size).toBe(0);
    const other = await applied((each) => moveOf(each, 'A.md', 'Z.md'));
    other.disk.notes.set('B.md', bytesOf('Look at [[Z]].\n'));
    expect(await other.undo()).toMatchObject({ ok: true, value: { retainedLinks: ['B.md'] } });
    expect(textAt(other.disk, 'B.md')).toBe('Look at [[A]].\n');
  });

  it.each([
    ['another note', 'Shopping: milk, eggs, and a long list of other things.\n'],
    ['an empty note', ''],
    ['a note with little of it', 'one\ntwo\nShopping: milk, eggs, and a long list of things.\n'],
    ['another file', new Uint8Array([0, 255, 1])],
  ])('leaves %s that is where a note was moved to', async (_name, there) => {
    const { disk, undo } = await applied((each) => moveOf(each, 'A.md', 'x/Z.md'));
    const bytes = typeof there === 'string' ? bytesOf(there) : there;
    disk.notes.set('x/Z.md', bytes);
    const refused = {
      ok: false,
      failure: { kind: 'refused', words: expect.stringContaining('“x/Z.md” is no longer') },
    };
    expect(await undo()).toMatchObject(refused);
    expect([disk.notes.get('x/Z.md'), disk.notes.has('A.md')]).toEqual([bytes, false]);
    expect(textAt(disk, 'B.md')).toBe('See [[Z]].\n');
  });

  it('leaves another note with the same properties that is where a note was moved to', async () => {
    const front = '---\ntags: [meeting]\nstatus: open\ndate: 2026-11-29\n---\n';
    const { disk, writer } = await start({ 'A.md': `${front}The plan.\n` });
    await apply(writer, changesetOf(moveOf(disk, 'A.md', 'x/Z.md')));
    const [operation] = writer.journal.operations();
    disk.notes.set('x/Z.md', bytesOf(`${front}Milk, eggs.\n`));
    expect(await undoOperation(writer, operation?.id ?? '')).toMatchObject({ ok: false });
    expect([...disk.notes.keys()]).toEqual(['x/Z.md']);
    disk.notes.set('x/Z.md', bytesOf('---\nstatus: done\n---\nThe plan, and more.\n'));
    expect(await undoOperation(writer, operation?.id ?? '')).toMatchObject({ ok: true });
    expect([...disk.notes.keys()]).toEqual(['A.md']);
  });

  it.each([
    ['little is left', 'three'],
    ['a part was rewritten', 'one\ntwo\nthree\nfour\nFUENF\n'],
    ['much was added', `Before all of it.\n${vault['A.md']}${'And after it.\n'.repeat(50)}`],
  ])('moves a note back of which %s', async (_name, text) => {
    const { disk, undo } = await applied((each) => moveOf(each, 'A.md', 'x/Z.md'));
    disk.notes.set('x/Z.md', bytesOf(text));
    expect((await undo()).ok).toBe(true);
    expect(textAt(disk, 'A.md')).toBe(text);
  });

  it('moves a note back that Docent rewrote since, and no other one that it wrote there', async () => {
    const bench = await applied((each) => moveOf(each, 'A.md', 'x/Z.md'));
    await apply(bench.writer, changesetOf(editOf(bench.disk, 'x/Z.md', 'Nothing of it.\n')));
    expect((await bench.undo()).ok).toBe(true);
    expect(textAt(bench.disk, 'A.md')).toBe('Nothing of it.\n');
    const other = await applied((each) => moveOf(each, 'A.md', 'x/Z.md'));
    other.disk.notes.set('x/Z.md', bytesOf('Shopping.\n'));
    await apply(other.writer, changesetOf(editOf(other.disk, 'x/Z.md', 'Shopping: milk.\n')));
    expect(await other.undo()).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(textAt(other.disk, 'x/Z.md')).toBe('Shopping: milk.\n');
  });

  it('takes nothing back that the user wrote while a move was on its way', async () => {
    const typed = { 'B.md': 'Above.\n\nSee [[A]].\n', 'A.md': `${vault['A.md']}six\n` };
    const { disk, undo } = await applied((each) => moveOf(each, 'A.md', 'x/Z.md'), typing('A.md', typed));
    expect([textAt(disk, 'B.md'), textAt(disk, 'x/Z.md')]).toEqual(['Above.\n\nSee [[Z]].\n', typed['A.md']]);
    expect(await undo()).toMatchObject({ ok: true, value: { retainedLinks: [] } });
    expect([textAt(disk, 'B.md'), textAt(disk, 'A.md')]).toEqual([typed['B.md'], typed['A.md']]);
  });

  it('keeps what the user writes while the move of a note is taken back', async () => {
    const move = (each: ReturnType<typeof diskOf>): FileChange => moveOf(each, 'A.md', 'x/Z.md');
    const typed = { 'B.md': 'Above.\n\nSee [[Z]].\n', 'x/Z.md': `${vault['A.md']}six\n` };
    const { disk, undo } = await applied(move, typing('x/Z.md', typed));
    expect(await undo()).toMatchObject({ ok: true, value: { retainedLinks: [] } });
    expect([textAt(disk, 'B.md'), textAt(disk, 'A.md')]).toEqual(['Above.\n\nSee [[A]].\n', typed['x/Z.md']]);
    const other = await applied(move, typing('x/Z.md', { 'B.md': 'See [[Z]], and more.\n' }));
    expect(await other.undo()).toMatchObject({ ok: true, value: { retainedLinks: ['B.md'] } });
    expect(textAt(other.disk, 'B.md')).toBe('See [[A]], and more.\n');
  });

  it('lets a link follow that the user has written since the move', async () => {
    const files = { 'n/A.md': 'one\n', 'B.md': 'See [[n/A]].\r\n\r\nEnd.\r\n' };
    const { disk, writer } = await start(files);
    const changeset = changesetOf(moveOf(disk, 'n/A.md', 'x/Z.md'));
    await apply(writer, changeset);
    disk.notes.set('B.md', bytesOf('And [[Z]].\r\nSee [[Z]].\r\n\r\nEnd, or [[Z]].\r\n'));
    await undoChangeset(writer, changeset.id);
    expect(textAt(disk, 'B.md')).toBe('And [[A]].\r\nSee [[n/A]].\r\n\r\nEnd, or [[A]].\r\n');
    disk.notes.set('B.md', bytesOf('And [[A]].\r\nSee [[n/A]].\r\n\r\nThen [[A]].\r\n'));
    const undo = writer.journal.operations().at(-1);
    expect((await undoOperation(writer, undo?.id ?? '')).ok).toBe(true);
    expect(textAt(disk, 'B.md')).toBe('And [[Z]].\r\nSee [[Z]].\r\n\r\nThen [[Z]].\r\n');
  });

  it('gives a link its own spelling back, in a note with a byte order mark too', async () => {
    const files = { 'n/A.md': 'one\n', 'B.md': '\ufeffSee [[n/A]].\n', 'C.md': 'And [[n/A|it]].\n' };
    const { disk, writer } = await start(files);
    const changeset = changesetOf(moveOf(disk, 'n/A.md', 'x/Z.md'));
    await apply(writer, changeset);
    expect([textAt(disk, 'B.md'), textAt(disk, 'C.md')]).toEqual(['\ufeffSee [[Z]].\n', 'And [[Z|it]].\n']);
    await undoChangeset(writer, changeset.id);
    expect([textAt(disk, 'B.md'), textAt(disk, 'C.md')]).toEqual([files['B.md'], files['C.md']]);
  });

  it('F6 takes a move back although a note that links there cannot be written, and leaves it as the app wrote it', async () => {
    const disk = diskOf({ 'n/A.md': 'one\n', 'B.md': 'See [[n/A]].\n' });
    await apply((await startOver(disk)).writer, changesetOf(moveOf(disk, 'n/A.md', 'x/Z.md')));
    const refuse: FaultPlan['refuse'] = (operation, path) => (operation === 'process' ? locked(path) : undefined);
    const { writer } = await startOver(disk, { refuse });
    const [operation] = writer.journal.operations();
    expect(await undoOperation(writer, operation?.id ?? '')).toMatchObject({ ok: true, value: { path: 'n/A.md' } });
    expect([textAt(disk, 'B.md'), textAt(disk, 'n/A.md')]).toEqual(['See [[A]].\n', 'one\n']);
    expect((await recover((await startOver(disk)).writer)).interrupted).toEqual([]);
  });

  it('moves a note over no other one, and back over none that took its place since', async () => {
    const { disk, writer, undo } = await applied((each) => moveOf(each, 'A.md', 'x/Z.md'));
    disk.notes.set('A.md', bytesOf('Another.\n'));
    expect(await undo()).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect([textAt(disk, 'A.md'), textAt(disk, 'x/Z.md')]).toEqual(['Another.\n', vault['A.md']]);
    const report = await apply(writer, changesetOf(moveOf(disk, 'C.md', 'A.md')));
    expect([report.failed.length, textAt(disk, 'C.md'), textAt(disk, 'A.md')]).toEqual([1, 'Old.\n', 'Another.\n']);
  });

  it('moves a file that is too large to keep a copy of, and deletes none', async () => {
    const large = new Uint8Array(20_000_001);
    const { disk, writer } = await start({ 'p.mp4': large });
    const base = { hash: sha256(large), text: null };
    const report = await apply(writer, changesetOf({ ...deleteOf(disk, 'p.mp4'), base }));
    expect(report.failed[0]?.failure.kind).toBe('too-large');
    const changeset = changesetOf({ ...moveOf(disk, 'p.mp4', 'x/p.mp4'), base });
    expect((await apply(writer, changeset)).failed).toEqual([]);
    expect(disk.blobs.size).toBe(0);
    await undoChangeset(writer, changeset.id);
    expect([...disk.notes.keys()]).toEqual(['p.mp4']);
  });

  it('says that the copy is gone when the journal no longer has it', async () => {
    const { disk, undo } = await applied((each) => deleteOf(each, 'C.md'));
    disk.blobs.clear();
    expect(await undo()).toMatchObject({ ok: false, failure: { words: expect.stringContaining('was deleted') } });
  });

  it('H9 never deletes for good: what is deleted goes to the trash', async () => {
    const { disk } = await applied((each) => deleteOf(each, 'C.md'));
    expect(disk.trash.get('C.md')).toEqual(bytesOf('Old.\n'));
  });
});
