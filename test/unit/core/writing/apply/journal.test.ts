import { journalBounds } from '../../../../../src/core/writing/apply/journal';
import { pruneJournal, usageOf } from '../../../../../src/core/writing/apply/prune-journal';
import { recover } from '../../../../../src/core/writing/apply/recover';
import { undoOperation } from '../../../../../src/core/writing/apply/undo';
import { bytesOf, type Disk, diskOf, locked, textAt } from '../../../../support/fault-adapter';
import { fakeClock } from '../../../../support/memory-ports';
import { apply, changesetOf, createOf, editOf, moveOf, startOver } from '../../../../support/writing-bench';

const day = 86_400_000;
const vault = { 'A.md': 'one\n', 'B.md': 'To [[A]].\n' };

async function write(disk: Disk, clock = fakeClock(), text = 'two\n') {
  const bench = await startOver(disk, {}, clock);
  await apply(bench.writer, changesetOf(editOf(disk, 'A.md', text)));
  return bench;
}

describe('the journal', () => {
  it('gives the same operations after a restart, and undoes what an earlier session wrote', async () => {
    const disk = diskOf(vault);
    const first = await write(disk);
    await apply(first.writer, changesetOf(moveOf(disk, 'A.md', 'Z.md')));
    const second = await startOver(disk);
    expect(second.writer.journal.operations()).toEqual(first.writer.journal.operations());
    const [edit, move] = second.writer.journal.operations();
    expect((await undoOperation(second.writer, move?.id ?? '')).ok).toBe(true);
    expect((await undoOperation(second.writer, edit?.id ?? '')).ok).toBe(true);
    expect(textAt(disk, 'A.md')).toBe('one\n');
    const third = await startOver(disk);
    expect(third.writer.journal.isUndone(edit?.id ?? '')).toBe(true);
  });

  it('F8 keeps, counts and passes over lines that are torn, flipped or made up', async () => {
    const disk = diskOf(vault);
    await write(disk);
    const [[name = '', text = ''] = []] = [...disk.segments];
    for (let at = 0; at < text.length - 1; at += 1) {
      const flipped = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
      disk.segments.set(name, flipped);
      const { writer } = await startOver(disk);
      for (const operation of writer.journal.operations()) expect(operation.call.path).toBe('A.md');
      expect(writer.journal.damaged).toBeGreaterThan(0);
    }
    disk.segments.set(name, `${text}{"v":1,"kind":"call","op":"x"}\nnonsense\n`);
    const { writer } = await startOver(disk);
    expect(writer.journal.damaged).toBe(2);
    expect(writer.journal.operations()).toHaveLength(1);
  });

  it('begins a new line behind one that failed half-way in the same session', async () => {
    const disk = diskOf(vault);
    let appends = 0;
    const bench = await startOver(disk, {
      refuse: (operation, path) => {
        if (operation !== 'append' || (appends += 1) !== 1) return undefined;
        disk.segments.set(path, '{"torn":');
        return locked(path);
      },
    });
    await apply(bench.writer, changesetOf(editOf(disk, 'A.md', 'x\n')));
    await apply(bench.writer, changesetOf(editOf(disk, 'A.md', 'two\n')));
    const again = await startOver(disk);
    expect(again.writer.journal.damaged).toBe(1);
    expect(again.writer.journal.operations().map(({ state }) => state)).toEqual(['committed']);
  });

  it('writes back what a sync service took away: a file, or its end from any byte on', async () => {
    const texts: string[] = [];
    for (let cut = -1; cut < 0 || cut < (texts[0] ?? '').length; cut += 1) {
      const disk = diskOf(vault);
      const { writer } = await write(disk);
      const [[name = '', text = ''] = []] = [...disk.segments];
      texts.push(text);
      if (cut < 0) disk.segments.delete(name);
      else disk.segments.set(name, text.slice(0, cut));
      expect(await writer.journal.refresh()).toEqual({ ok: true, value: undefined });
      const again = await startOver(disk);
      expect(again.writer.journal.operations()).toEqual(writer.journal.operations());
      expect((await undoOperation(again.writer, again.writer.journal.operations()[0]?.id ?? '')).ok).toBe(true);
      expect(textAt(disk, 'A.md')).toBe('one\n');
    }
  });

  it('writes nothing back that it has deleted, and writes back later what the disk refuses now', async () => {
    const disk = diskOf(vault);
    const clock = fakeClock();
    let isFull = false;
    const bench = await startOver(
      disk,
      { refuse: (operation, path) => (isFull && operation === 'append' ? locked(path) : undefined) },
      clock,
    );
    await apply(bench.writer, changesetOf(editOf(disk, 'A.md', 'two\n')));
    const [[name = '', text = ''] = []] = [...disk.segments];
    isFull = true;
    disk.segments.set(name, '');
    await bench.writer.journal.refresh();
    await bench.writer.journal.refresh();
    expect([disk.segments.get(name), bench.writer.journal.unrecordedEnds]).toEqual(['', 1]);
    isFull = false;
    await bench.writer.journal.refresh();
    expect(disk.segments.get(name)?.split('\n').filter(Boolean).sort()).toEqual(
      text.split('\n').filter(Boolean).sort(),
    );
    await bench.writer.journal.delete(bench.writer.journal.operations().map(({ id }) => id));
    disk.segments.set(name, '');
    await bench.writer.journal.refresh();
    expect([bench.writer.journal.operations(), disk.segments.get(name)]).toEqual([[], '']);
  });

  it('says how full it is and where its bounds are', async () => {
    const disk = diskOf(vault);
    const { writer, adapter, clock } = await write(disk);
    const usage = await usageOf(writer.journal, adapter.store);
    expect(usage).toMatchObject({
      value: { operations: 1, bytes: 8, oldest: clock.now(), limitDays: 30, limitBytes: 200_000_000 },
    });
  });

  it('drops what is older than its bound, records before copies, and nothing else', async () => {
    const disk = diskOf(vault);
    const clock = fakeClock();
    await write(disk, clock, 'old\n');
    clock.advance((journalBounds.days + 1) * day);
    const { writer, adapter } = await write(disk, clock, 'young\n');
    const [old] = writer.journal.operations();
    const pruned = await pruneJournal(writer.journal, { store: adapter.store, clock });
    expect(pruned).toMatchObject({ value: { operations: 1 } });
    expect([...disk.blobs.values()].map((bytes) => new TextDecoder().decode(bytes)).sort()).toEqual([
      'old\n',
      'young\n',
    ]);
    expect(await undoOperation(writer, old?.id ?? '')).toMatchObject({ ok: false });
    const again = await startOver(disk, {}, clock);
    expect(again.writer.journal.operations()).toHaveLength(1);
    expect((await undoOperation(again.writer, again.writer.journal.operations()[0]?.id ?? '')).ok).toBe(true);
    expect(textAt(disk, 'A.md')).toBe('old\n');
  });

  it('drops the oldest copies when they pass the bound of size, newest kept', async () => {
    const disk = diskOf({ 'A.md': 'start\n' });
    const clock = fakeClock();
    const { writer, adapter } = await startOver(disk, {}, clock);
    for (const text of ['a\n', 'b\n', 'c\n']) {
      clock.advance(1_000);
      await apply(writer, changesetOf(editOf(disk, 'A.md', text)));
    }
    const { blobs } = adapter.store;
    Object.assign(adapter.store, {
      blobs: async () => {
        const real = await blobs();
        return real.ok ? { ok: true, value: real.value.map((blob) => ({ ...blob, size: 70_000_000 })) } : real;
      },
    });
    await pruneJournal(writer.journal, { store: adapter.store, clock });
    expect(writer.journal.operations().map(({ call }) => call.time)).toEqual([clock.now()]);
    expect(disk.blobs.size).toBe(2);
  });

  it('drops a write only once it is older than 30 days', async () => {
    const disk = diskOf(vault);
    const clock = fakeClock();
    const { writer, adapter } = await write(disk, clock);
    clock.advance(journalBounds.days * day);
    const prune = () => pruneJournal(writer.journal, { store: adapter.store, clock });
    expect(await prune()).toMatchObject({ value: { operations: 1 } });
    clock.advance(1);
    expect(await prune()).toMatchObject({ value: { operations: 0, oldest: null } });
  });

  it('drops a copy that no write needs once it is older than a day', async () => {
    const disk = diskOf(vault);
    const { writer, adapter, clock } = await write(disk);
    await writer.journal.keep(bytesOf('nobody needs it'));
    const count = disk.blobs.size;
    const { blobs } = adapter.store;
    const pruneAt = async (age: number) => {
      Object.assign(adapter.store, {
        blobs: async () => {
          const real = await blobs();
          const modified = clock.now() - age;
          return real.ok ? { ok: true, value: real.value.map((blob) => ({ ...blob, modified })) } : real;
        },
      });
      await pruneJournal(writer.journal, { store: adapter.store, clock });
      return disk.blobs.size;
    };
    expect(await pruneAt(day)).toBe(count);
    expect(await pruneAt(day + 1)).toBe(count - 1);
  });

  it('keeps copies that fit the bound of size exactly, and counts one that several writes share once', async () => {
    const disk = diskOf({ 'A.md': 'start\n' });
    const clock = fakeClock();
    const { writer, adapter } = await startOver(disk, {}, clock);
    for (const text of ['a\n', 'start\n', 'a\n']) {
      clock.advance(1_000);
      await apply(writer, changesetOf(editOf(disk, 'A.md', text)));
    }
    const { blobs } = adapter.store;
    const pruneWith = async (size: number) => {
      Object.assign(adapter.store, {
        blobs: async () => {
          const real = await blobs();
          return real.ok ? { ok: true, value: real.value.map((blob) => ({ ...blob, size })) } : real;
        },
      });
      await pruneJournal(writer.journal, { store: adapter.store, clock });
      return writer.journal.operations().length;
    };
    expect(disk.blobs.size).toBe(2);
    expect(await pruneWith(journalBounds.bytes / 2)).toBe(3);
    expect(await pruneWith(journalBounds.bytes / 2 + 1)).toBe(0);
  });

  it('passes on why it cannot be read or written', async () => {
    const disk = diskOf(vault);
    const { writer, adapter, clock } = await write(disk);
    const broken = locked('journal');
    for (const name of ['segments', 'blobs'] as const) {
      const real = adapter.store[name];
      Object.assign(adapter.store, { [name]: () => Promise.resolve({ ok: false, failure: broken }) });
      const pruned = await pruneJournal(writer.journal, { store: adapter.store, clock });
      expect(pruned).toEqual({ ok: false, failure: broken });
      Object.assign(adapter.store, { [name]: real });
    }
    expect(await pruneJournal(writer.journal, { store: adapter.store, clock })).toMatchObject({ ok: true });
    expect(await writer.journal.bytes('unknown')).toMatchObject({ ok: false, failure: { kind: 'not-found' } });
  });

  it('never drops a write whose end is unknown, however old it is', async () => {
    const disk = diskOf(vault);
    const clock = fakeClock();
    const crashing = await startOver(disk, { crashAt: 5, variant: 'half' }, clock);
    await expect(apply(crashing.writer, changesetOf(editOf(disk, 'A.md', 'two\nthree\n')))).rejects.toThrow();
    expect(textAt(disk, 'A.md')).toBe('two\nt');
    clock.advance(90 * day);
    const { writer, adapter } = await startOver(disk, {}, clock);
    const recovery = await recover(writer);
    expect(recovery.interrupted).toHaveLength(1);
    await pruneJournal(writer.journal, { store: adapter.store, clock });
    expect(await writer.journal.bytes(recovery.interrupted[0]?.before ?? '')).toEqual({
      ok: true,
      value: bytesOf('one\n'),
    });
  });

  it('F12 keeps the order of writes when the clock goes back', async () => {
    const disk = diskOf(vault);
    await write(disk, fakeClock(2_000_000_000_000), 'first\n');
    const { writer } = await write(disk, fakeClock(1_000_000_000_000), 'second\n');
    await apply(writer, changesetOf(createOf('N.md', 'x')));
    expect(writer.journal.operations().map(({ call }) => call.path)).toEqual(['A.md', 'A.md', 'N.md']);
  });
});
