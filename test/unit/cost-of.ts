/** Measures processor time so that neither a slow machine nor its other processes decide a test. */

/** The limits are written for a machine that does the yardstick in this time: a convention, read off no machine. */
const yardstickMilliseconds = 6;

/**
 * The processor time of the cheapest of some runs.
 * @returns milliseconds, scaled down on a machine that is slower than the one of the limits
 */
export async function costOf(run: () => unknown, runs = 2): Promise<number> {
  let least = Infinity;
  for (let index = 0; index < runs; index++) {
    const slowness = Math.max(1, (await processorTime(yardstick)) / yardstickMilliseconds);
    least = Math.min(least, (await processorTime(run)) / slowness);
  }
  return least;
}

/**
 * How many times as much processor time one piece of work takes as another.
 * Each is taken at its best, so that a pause of the machine decides nothing.
 */
export async function costRatio(large: () => unknown, small: () => unknown, runs = 2): Promise<number> {
  let [largeCost, smallCost] = [Infinity, Infinity];
  for (let index = 0; index < runs; index++) {
    smallCost = Math.min(smallCost, await processorTime(small));
    largeCost = Math.min(largeCost, await processorTime(large));
  }
  return largeCost / Math.max(smallCost, 1);
}

async function processorTime(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Work of the kinds that the measured code does: strings, patterns, maps, a sort. */
function yardstick(): void {
  const words = Array.from({ length: 12_000 }, (_, index) => `word ${(index * 7919) % 12_007}`);
  const places = new Map(words.map((word, index) => [word, index]));
  const found = [...words.join('\n').matchAll(/\d+$/gm)].map(([digits]) => places.get(`word ${digits}`) ?? 0);
  if (words.sort().length + found.length !== 24_000) throw new Error('The yardstick did other work than it should.');
}
