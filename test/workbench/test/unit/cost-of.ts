/** Measures the cost of work so that neither a slow machine nor its other work decides a test. */

/** The limits assume a machine that needs this time for the yardstick. It is a convention, not a measurement. */
const yardstickMilliseconds = 6;

/** Returns the processor time in milliseconds, scaled down on a machine that is slower than the limits assume. */
export async function costOf(run: () => unknown): Promise<number> {
  const slowness = Math.max(1, (await processorTime(yardstick)) / yardstickMilliseconds);
  return (await processorTime(run)) / slowness;
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
