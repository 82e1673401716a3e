/** Measures the cost of work so that neither a slow machine nor its other work decides a test. */

/** The limits assume a machine that needs this time for the yardstick. It is a convention, not a measurement. */
const yardstickMilliseconds = 6;

/** How often work over its limit is measured again. A pause or a collection of memory only adds time. */
const rounds = 4;

/** Expects some round of the work to take less processor time than the limit in milliseconds, as on that machine. */
export async function expectCostBelow(limit: number, run: () => unknown): Promise<void> {
  let least = Infinity;
  for (let round = 0; round < rounds && least >= limit; round++) {
    const slowness = Math.max(1, (await processorTime(yardstick)) / yardstickMilliseconds);
    least = Math.min(least, (await processorTime(run)) / slowness);
  }
  expect(least).toBeLessThan(limit);
}

async function processorTime(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Does the kinds of work that the measured code does: strings, patterns, maps, a sort. */
function yardstick(): void {
  const words = Array.from({ length: 12_000 }, (_, index) => `word ${(index * 7919) % 12_007}`);
  const places = new Map(words.map((word, index) => [word, index]));
  const found = [...words.join('\n').matchAll(/\d+$/gm)].map(([digits]) => places.get(`word ${digits}`) ?? 0);
  if (words.sort().length + found.length !== 24_000) throw new Error('The yardstick did other work than it should.');
}
