/** Several devices over one vault: each has a journal of its own, which the others read and never touch. */
import { journalBounds } from '../../../../../src/core/writing/apply/journal';
import { pruneJournal } from '../../../../../src/core/writing/apply/prune-journal';
import { recover, resolveInterruptedWrite, writtenChanges } from '../../../../../src/core/writing/apply/recover';
import { findRetired, retiredDays } from '../../../../../src/core/writing/apply/retired-devices';
import { undoOperation } from '../../../../../src/core/writing/apply/undo';
import { succeed } from '../../../../../src/core/ports/failure';
import { words } from '../../../../../src/text';
import { type Disk, diskOf, type FaultPlan, locked, textAt } from '../../../../support/fault-adapter';
import { fakeClock } from '../../../../support/memory-ports';
import {
  apply,
  changesetOf,
  createOf,
  deleteOf,
  editOf,
  moveOf,
  startOver,
  type WritingBench,
} from '../../../../support/writing-bench';

const day = 86_400_000;
const vault = { 'A.md': 'one\n', 'B.md': 'To [[A]].\n', 'Del.md': 'Waste.\n' };
const on = (disk: Disk, writer: string, clock = fakeClock(), plan: FaultPlan = {}): Promise<WritingBench> =>
  startOver(disk, { writer, ...plan }, clock);
const prune = ({ writer, adapter, clock }: WritingBench) =>
  pruneJournal(writer.journal, { store: adapter.store, clock });
const filesOf = (disk: Disk): string[] => [...disk.segments.keys(), ...disk.blobs.keys()];

/** What a sync service does to notes and journals that two disks have, as far as `sync` says. */
function copyTo(to: Disk, from: Disk, parts: { readonly journal: 'none' | 'records' | 'all' }): void {
  to.notes.clear();
  for (const [path, bytes] of from.notes) to.notes.set(path, bytes);
  if (parts.journal !== 'none') for (const [key, text] of from.segments) to.segments.set(key, text);
  if (parts.journal === 'all') for (const [key, bytes] of from.blobs) to.blobs.set(key, bytes);
}

it('a tidy-up removes nothing of another device, whatever its age and size, and reads again first', async () => {
  const disk = diskOf(vault);
  const clock = fakeClock();
  const second = await on(disk, 'w2', clock);
  const first = await on(disk, 'w1', clock);
  await apply(first.writer, changesetOf(editOf(disk, 'A.md', 'two\n')));
  const before = filesOf(disk);
  expect((await prune(second)).ok).toBe(true);
  expect(filesOf(disk)).toEqual(before);
  clock.advance(90 * day);
  expect((await prune(second)).ok).toBe(true);
  expect(filesOf(disk)).toEqual(before);
  const [operation] = first.writer.journal.operations();
  expect((await undoOperation(first.writer, operation?.id ?? '')).ok).toBe(true);
  expect(textAt(disk, 'A.md')).toBe('one\n');
  // Its own device removes it, with its copies.
  const again = await on(disk, 'w1', clock);
  clock.advance(90 * day);
  expect((await prune(again)).ok).toBe(true);
  expect([...disk.blobs.keys()]).toEqual([]);
  expect(again.writer.journal.operations()).toEqual([]);
});

it('recovers nothing that another device began, and applies nothing over it', async () => {
  const disk = diskOf(vault);
  const crashing = await on(disk, 'w1', fakeClock(), { crashAt: 5, variant: 'none' });
  const changeset = changesetOf(editOf(disk, 'A.md', 'two\n'));
  await expect(apply(crashing.writer, changeset)).rejects.toThrow();
  const other = await on(disk, 'w2');
  const before = new Map(disk.segments);
  expect(await recover(other.writer)).toEqual({ completed: [], void: [], interrupted: [] });
  expect(new Map(disk.segments)).toEqual(before);
  const { failed } = await apply(other.writer, changeset);
  expect(failed.map(({ failure }) => failure.words)).toEqual([words.writing.writingElsewhere('A.md')]);
  expect(textAt(disk, 'A.md')).toBe('one\n');
  expect((await recover((await on(disk, 'w1')).writer)).void).toHaveLength(1);
});

it.each(['empty', 'half', 'nul'] as const)(
  'reports a write of another device that left %s, and settles it',
  async (variant) => {
    const disk = diskOf(vault);
    const crashing = await on(disk, 'w1', fakeClock(), { crashAt: 5, variant });
    await expect(apply(crashing.writer, changesetOf(editOf(disk, 'A.md', 'two\nthree\n')))).rejects.toThrow();
    // As when this is the same device, which has lost its id.
    const { writer } = await on(disk, 'w2');
    const [write] = (await recover(writer)).interrupted;
    expect(write?.path).toBe('A.md');
    if (write === undefined) return;
    expect((await resolveInterruptedWrite(writer, write, 'before')).ok).toBe(true);
    expect(textAt(disk, 'A.md')).toBe('one\n');
    expect((await recover((await on(disk, 'w2')).writer)).interrupted).toEqual([]);
    // Its own device deletes it later, and leaves alone what another device has recorded of it.
    const clock = fakeClock();
    clock.advance((journalBounds.days + 1) * day);
    const recorded = [...disk.segments].filter(([key]) => key.startsWith('w2/'));
    const first = await on(disk, 'w1', clock);
    expect(first.writer.journal.operations().some((each) => each.writer === 'w1')).toBe(true);
    expect((await prune(first)).ok).toBe(true);
    expect([...disk.segments].filter(([key]) => key.startsWith('w2/'))).toEqual(recorded);
    for (const device of ['w1', 'w2']) {
      const { journal } = (await on(disk, device, clock)).writer;
      expect(journal.operations().every((each) => each.writer === 'w2')).toBe(true);
    }
  },
);

describe('an undo of what another device wrote', () => {
  async function writtenOnFirst(journal: 'none' | 'records' | 'all') {
    const [disk, copy] = [diskOf(vault), diskOf(vault)];
    const clock = fakeClock();
    const first = await on(disk, 'w1', clock);
    await apply(first.writer, changesetOf(editOf(disk, 'A.md', 'two\n')));
    const id = first.writer.journal.operations()[0]?.id ?? '';
    const second = await on(copy, 'w2', clock);
    copyTo(copy, disk, { journal });
    expect((await second.writer.journal.refresh()).ok).toBe(true);
    return { second, copy, clock, id };
  }

  it('works once its copies are here, and is itself undone', async () => {
    const { second, copy, id } = await writtenOnFirst('all');
    const undone = await undoOperation(second.writer, id);
    expect([undone.ok, textAt(copy, 'A.md')]).toEqual([true, 'one\n']);
    const redone = await undoOperation(second.writer, (undone.ok && undone.value.operation) || '');
    expect([redone.ok, textAt(copy, 'A.md')]).toEqual([true, 'two\n']);
  });

  it.each([
    ['none', words.writing.undoElsewhere],
    ['records', words.writing.copyElsewhere('A.md', null)],
  ] as const)('says what is missing if %s of the journal are here', async (journal, said) => {
    const { second, id } = await writtenOnFirst(journal);
    expect(await undoOperation(second.writer, id)).toMatchObject({ ok: false, failure: { words: said } });
  });

  it('says that copies are deleted after 30 days', async () => {
    const { second, clock, id } = await writtenOnFirst('records');
    clock.advance((journalBounds.days + 1) * day);
    const outcome = await undoOperation(second.writer, id);
    expect(outcome).toMatchObject({ ok: false, failure: { words: words.writing.copyExpired('A.md') } });
  });

  it('tells that from a change of this device that is no longer in its journal', async () => {
    const disk = diskOf(vault);
    const clock = fakeClock();
    const first = await on(disk, 'w1', clock);
    await apply(first.writer, changesetOf(editOf(disk, 'A.md', 'two\n')));
    const id = first.writer.journal.operations()[0]?.id ?? '';
    clock.advance((journalBounds.days + 1) * day);
    await prune(first);
    const outcome = await undoOperation(first.writer, id);
    expect(outcome).toMatchObject({ ok: false, failure: { words: words.writing.undoExpired } });
    const { store } = first.adapter;
    const unread = { writer: 'w1', name: 'x', text: 'EIO\n', isUnread: true as const };
    Object.assign(store, { segments: () => Promise.resolve({ ok: true, value: [unread] }) });
    await first.writer.journal.refresh();
    const partly = await undoOperation(first.writer, id);
    expect(partly).toMatchObject({ ok: false, failure: { words: words.writing.journalUnread } });
  });
});

describe('a review that another device has applied', () => {
  const steps = (disk: Disk) => [
    editOf(disk, 'A.md', 'two\n'),
    createOf('New.md', 'Fresh.\n'),
    deleteOf(disk, 'Del.md'),
    moveOf(disk, 'B.md', 'C.md'),
  ];

  it.each(['none', 'records', 'all'] as const)(
    'is settled as found when %s of its journal are here',
    async (journal) => {
      const [disk, copy] = [diskOf(vault), diskOf(vault)];
      const changeset = changesetOf(...steps(disk));
      const first = await on(disk, 'w1');
      expect((await apply(first.writer, changeset)).failed).toEqual([]);
      const second = await on(copy, 'w2');
      copyTo(copy, disk, { journal });
      await second.writer.journal.refresh();
      const before = new Map(copy.notes);
      const report = await apply(second.writer, changeset);
      expect(report.failed).toEqual([]);
      expect(report.applied.map(({ found, merged }) => [found, merged])).toEqual(steps(disk).map(() => [true, false]));
      expect(copy.notes).toEqual(before);
      // What the other device recorded can be undone from here once its copies are here.
      const operations = report.applied.flatMap((each) => each.operations);
      expect(operations).toHaveLength(journal === 'none' ? 0 : 4);
      const writer = { writer: () => Promise.resolve(succeed(second.writer)) };
      const { written } = await writtenChanges(writer, changeset);
      expect(written).toHaveLength(journal === 'none' ? 0 : 4);
    },
  );

  it('still fails where another note is in the place, or anything else went wrong', async () => {
    const disk = diskOf({ ...vault, 'New.md': 'Other.\n' });
    const changeset = changesetOf(...steps(disk));
    disk.notes.delete('Del.md');
    const { failed } = await apply((await on(disk, 'w2')).writer, changeset);
    expect(failed.map(({ failure }) => failure.kind)).toEqual(['refused', 'not-found']);
  });
});

describe('the first layout of the journal', () => {
  /** A journal as the first build wrote it: for all devices, without a device in the names of operations. */
  async function firstLayout(clock = fakeClock(), plan: FaultPlan = {}) {
    const disk = diskOf(vault);
    const bench = await on(disk, 'w1', clock, plan);
    const applied = await apply(bench.writer, changesetOf(editOf(disk, 'A.md', 'two\n'))).catch(() => null);
    for (const part of [disk.segments, disk.blobs] as Map<string, unknown>[]) {
      for (const [key, value] of [...part]) {
        part.delete(key);
        part.set(`/${key}`, value);
      }
    }
    return { disk, id: applied?.applied[0]?.operations[0] ?? '' };
  }

  it('is read, undone from, and removed once all of it is too old', async () => {
    const clock = fakeClock();
    const { disk, id } = await firstLayout(clock);
    const before = filesOf(disk);
    const bench = await on(disk, 'w2', clock);
    await prune(bench);
    expect(filesOf(disk)).toEqual(before);
    expect((await undoOperation(bench.writer, id)).ok).toBe(true);
    expect(textAt(disk, 'A.md')).toBe('one\n');
    clock.advance((journalBounds.days + 1) * day);
    const later = await on(disk, 'w2', clock);
    expect((await prune(later)).ok).toBe(true);
    expect(filesOf(disk).filter((key) => key.startsWith('/'))).toEqual([]);
  });

  it('is recovered, as nobody else would', async () => {
    const { disk } = await firstLayout(fakeClock(), { crashAt: 5, variant: 'full' });
    const { writer } = await on(disk, 'w2');
    expect((await recover(writer)).completed).toHaveLength(1);
    const again = await on(disk, 'w2');
    expect(again.writer.journal.operations().map(({ state }) => state)).toEqual(['committed']);
  });
});

it('a tidy-up that fails or crashes at any step misleads about nothing, and the next one ends it', async () => {
  const clockStart = 1_700_000_000_000;
  const ways = [...Array(14).keys()].flatMap((at) => ['crash', 'refuse'].map((how) => [at + 1, how] as const));
  for (const [at, how] of ways) {
    const disk = diskOf(vault);
    const clock = fakeClock(clockStart);
    const opening = await on(disk, 'w1', clock, { crashAt: 5, variant: 'full' });
    await expect(apply(opening.writer, changesetOf(editOf(disk, 'A.md', 'old\n')))).rejects.toThrow();
    // The end of the old write is in the segment of the next start, which also has a young one.
    const next = await on(disk, 'w1', clock);
    expect((await recover(next.writer)).completed).toHaveLength(1);
    clock.advance((journalBounds.days + 1) * day);
    await apply(next.writer, changesetOf(editOf(disk, 'A.md', 'young\n')));
    let writes = 0;
    const isWrite = (name: string): boolean => ['append', 'removeSegment', 'removeBlob'].includes(name);
    const failing = await on(disk, 'w1', clock, {
      ...(how === 'crash' && { crashAt: at, variant: 'half' as const }),
      ...(how === 'refuse' && {
        refuse: (name: string, path: string) => (isWrite(name) && (writes += 1) === at ? locked(path) : undefined),
      }),
    });
    const outcome = await prune(failing).catch(() => null);
    if (how === 'refuse' && writes >= at) expect(outcome?.ok).toBe(false);
    const after = await on(disk, 'w1', clock);
    expect((await recover(after.writer)).interrupted).toEqual([]);
    const young = after.writer.journal.operations().at(-1);
    expect(young?.call.time).toBeGreaterThan(clockStart + day);
    expect((await prune(after)).ok).toBe(true);
    const last = await on(disk, 'w1', clock);
    expect(last.writer.journal.operations().map(({ id }) => id)).toEqual([young?.id]);
    expect((await undoOperation(last.writer, young?.id ?? '')).ok).toBe(true);
    expect(textAt(disk, 'A.md')).toBe('old\n');
  }
});

describe('a device that is no longer used', () => {
  const retired = ({ writer, adapter, clock }: WritingBench, isToRemove = false) =>
    findRetired(writer.journal, { store: adapter.store, clock }, isToRemove);
  const none = succeed({ devices: 0, bytes: 0 });

  async function leave(): Promise<{ disk: Disk; mine: WritingBench; clock: ReturnType<typeof fakeClock> }> {
    const disk = diskOf(vault);
    const clock = fakeClock();
    const theirs = await on(disk, 'w2', clock);
    await apply(theirs.writer, changesetOf(editOf(disk, 'A.md', 'two\n')));
    return { disk, mine: await on(disk, 'w1', clock), clock };
  }

  it('is found after half a year, and its journal is removed only if that is asked for', async () => {
    const { disk, mine, clock } = await leave();
    clock.advance(retiredDays * day);
    expect(await retired(mine, true)).toEqual(none);
    clock.advance(day);
    await apply(mine.writer, changesetOf(editOf(disk, 'B.md', 'Mine.\n')));
    const before = filesOf(disk);
    expect(await retired(mine)).toEqual(succeed({ devices: 1, bytes: 8 }));
    expect(filesOf(disk)).toEqual(before);
    expect((await retired(mine, true)).ok).toBe(true);
    expect(filesOf(disk).filter((name) => name.startsWith('w2/'))).toEqual([]);
    expect(await retired(mine)).toEqual(none);
    const [left] = mine.writer.journal.operations();
    expect(mine.writer.journal.operations()).toHaveLength(1);
    expect((await undoOperation(mine.writer, left?.id ?? '')).ok).toBe(true);
    expect([textAt(disk, 'A.md'), textAt(disk, 'B.md')]).toEqual(['two\n', 'To [[A]].\n']);
  });

  it('keeps a write whose end is unknown, and lines of a newer version', async () => {
    const cut = diskOf(vault);
    const clock = fakeClock();
    await expect(
      on(cut, 'w2', clock, { crashAt: 5, variant: 'none' }).then(({ writer }) =>
        apply(writer, changesetOf(editOf(cut, 'A.md', 'two\n'))),
      ),
    ).rejects.toThrow();
    clock.advance(2 * retiredDays * day);
    expect(await retired(await on(cut, 'w1', clock), true)).toEqual(none);
    const { disk, mine, clock: later } = await leave();
    const [key = ''] = [...disk.segments.keys()].filter((name) => name.startsWith('w2/'));
    disk.segments.set(key, `${disk.segments.get(key) ?? ''}{"of":"a newer version"}\n`);
    later.advance(2 * retiredDays * day);
    expect(await retired(mine, true)).toEqual(none);
  });

  it('is still found if a removal was cut off, and leads to no half of a write', async () => {
    const { disk, clock } = await leave();
    clock.advance(2 * retiredDays * day);
    const refuse: FaultPlan['refuse'] = (operation) =>
      operation === 'removeBlob' ? { kind: 'storage', words: 'EIO', remedy: '' } : undefined;
    const mine = await on(disk, 'w1', clock, { refuse });
    expect((await retired(mine, true)).ok).toBe(false);
    const again = await on(disk, 'w1', clock);
    expect(again.writer.journal.operations()).toEqual([]);
    expect(await retired(again, true)).toEqual(succeed({ devices: 1, bytes: 8 }));
    expect([...disk.blobs.keys()]).toEqual([]);
  });
});

it.each([Number.MAX_SAFE_INTEGER, 1e20, Number.MAX_VALUE])(
  'keeps its own writes in order under a record of another device from the time %d',
  async (time) => {
    const disk = diskOf(vault);
    const other = await on(disk, 'w2', fakeClock(time));
    await apply(other.writer, changesetOf(createOf('Theirs.md', 'x\n')));
    const first = await on(disk, 'w1');
    for (const text of ['two\n', 'three\n']) await apply(first.writer, changesetOf(editOf(disk, 'A.md', text)));
    await apply(first.writer, changesetOf(moveOf(disk, 'A.md', 'Z.md')));
    const { writer } = await on(disk, 'w1');
    const own = writer.journal.operations().filter((operation) => operation.writer === 'w1');
    expect(own.map(({ call }) => call.step)).toEqual(['edit', 'edit', 'move']);
    expect(new Set(own.map(({ call }) => call.time)).size).toBe(3);
    for (const { id } of [...own].reverse()) expect(await undoOperation(writer, id)).toMatchObject({ ok: true });
    expect(textAt(disk, 'A.md')).toBe('one\n');
  },
);
