/** A clock that is set far ahead makes nothing too old, unless it goes on like that for a day. */
import { journalBounds } from '../../../../../src/core/writing/apply/journal';
import { pruneJournal, steadyClock } from '../../../../../src/core/writing/apply/prune-journal';
import { undoOperation } from '../../../../../src/core/writing/apply/undo';
import { diskOf, textAt } from '../../../../support/fault-adapter';
import { fakeClock, memoryDevice } from '../../../../support/memory-ports';
import { apply, changesetOf, editOf, startOver } from '../../../../support/writing-bench';

const day = 86_400_000;
const year = 365 * day;

/** A clock that can be set, as it was looked at on each of the days before. */
function lookedAt(days: number) {
  const [clock, device] = [fakeClock(), memoryDevice()];
  for (let count = 0; count < days; count += 1) {
    steadyClock(clock, device).now();
    clock.advance(day);
  }
  return { clock, device, steady: () => steadyClock(clock, device).now() };
}

it('follows the clock from the first look on, over days and weeks without a look', () => {
  const { clock, steady } = lookedAt(0);
  for (const pause of [0, 1, day, journalBounds.days * day, 0]) {
    clock.advance(pause);
    expect(steady()).toBe(clock.now());
  }
});

it.each([
  ['ahead', 10 * year],
  ['ahead by little more than copies are kept', journalBounds.days * day + 1],
  ['back', -10 * year],
])('stays where it was when the clock is set %s, and follows it after a day', (_way, leap) => {
  const { clock, steady } = lookedAt(3);
  const before = steady();
  clock.advance(leap);
  for (const pause of [0, day / 2, day / 2 - 1]) {
    clock.advance(pause);
    expect(steady()).toBe(Math.min(before, clock.now()));
  }
  clock.advance(1);
  expect(steady()).toBe(clock.now());
});

it('is not led ahead by several leaps, there and back, and is right at once when the clock is', () => {
  const { clock, steady } = lookedAt(3);
  const before = steady();
  for (const leap of [10 * year, 5 * year, -5 * year, 40 * day]) {
    clock.advance(leap);
    expect(steady()).toBe(before);
  }
  clock.advance(-10 * year - 40 * day + 1);
  expect(steady()).toBe(before);
  clock.advance(day);
  expect(steady()).toBe(clock.now());
});

it.each(['', 'x', 'null', '{}', '{"since":"1","last":2,"before":3}', '[1e999]'])(
  'begins anew after what the storage cannot have: %j',
  (text) => {
    const { clock, device, steady } = lookedAt(3);
    device.set('journal-clock', text);
    expect(steady()).toBe(clock.now());
  },
);

it('keeps the undo history through one start with a clock ten years ahead', async () => {
  const disk = diskOf({ 'A.md': 'one\n' });
  const { clock, device } = lookedAt(3);
  const { writer } = await startOver(disk, {}, clock);
  await apply(writer, changesetOf(editOf(disk, 'A.md', 'two\n')));
  const tidy = async (leap: number): Promise<number> => {
    clock.advance(leap);
    const { writer: next, adapter } = await startOver(disk, {}, clock);
    const ports = { store: adapter.store, clock: steadyClock(clock, device) };
    expect((await pruneJournal(next.journal, ports)).ok).toBe(true);
    return next.journal.operations().length;
  };
  expect([await tidy(day), await tidy(10 * year), await tidy(-10 * year)]).toEqual([1, 1, 1]);
  const again = await startOver(disk, {}, clock);
  expect((await undoOperation(again.writer, again.writer.journal.operations()[0]?.id ?? '')).ok).toBe(true);
  expect(textAt(disk, 'A.md')).toBe('one\n');
  // Time that really goes by makes it too old as ever.
  expect([await tidy(journalBounds.days * day), await tidy(day), await tidy(day)].at(-1)).toBe(0);
});
