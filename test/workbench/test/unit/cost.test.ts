/** @jest-environment node */
/** The comparison of two costs: what grows too fast is over the limit however often the small work is done. */
import { expectGrowthBelow } from '../../src/testing/cost';

/** Holds the processor for so many units. */
function work(units: number): void {
  let sum = 0;
  for (let step = 0; step < units * 20_000; step++) sum = (sum + step * step) % 1_000_003;
  if (sum < 0) throw new Error('A remainder of positive numbers is positive.');
}

it('passes what takes four times as long, and fails what takes sixteen times', async () => {
  await expectGrowthBelow(
    9,
    () => work(16),
    () => work(4),
  );
  const square = expectGrowthBelow(
    9,
    () => work(64),
    () => work(4),
  );
  await expect(square).rejects.toThrow('toBeLessThan');
});

it('counts a cost that comes every so many units in the small work too', async () => {
  // As a collection of memory: the large work waits for one each time, the small work every fourth time.
  let since = 0;
  const withCollections = (units: number): void => {
    since += units;
    work(units + Math.floor(since / 32) * 160);
    since %= 32;
  };
  await expectGrowthBelow(
    9,
    () => withCollections(32),
    () => withCollections(8),
  );
  expect(since).toBeLessThan(32);
});
