/** Measures so that neither a slow machine nor its other processes decide a test. */

/** The limits are written for a machine that does the yardstick in this time: a convention, read off no machine. */
const yardstickMilliseconds = 6;

/** How often work over its limit is measured again. A pause, a collection of memory or a compiler only add time. */
const rounds = 8;

/** Milliseconds of processor time that are spent on a comparison over its limit: more rounds of what is short. */
const comparedMilliseconds = 1_000;

/**
 * Expects some round of the work to take less processor time than the limit, as on the machine of the limits.
 * @param limit - milliseconds
 */
export async function expectCostBelow(limit: number, run: () => unknown): Promise<void> {
  expect(await costOf(limit, run)).toBeLessThan(limit);
}

/**
 * Returns the processor time of the work at its best round, as on the machine of the limits if it is not below the limit
 * on this one.
 * @param limit - milliseconds; work below it is not measured again
 */
export async function costOf(limit: number, run: () => unknown): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < rounds && least >= limit; round++) {
    const cost = await processorTime(run);
    // What is below the limit here is so on any machine, and the yardstick takes longer than most such work.
    const slowness = cost < limit ? 1 : Math.max(1, (await processorTime(yardstick)) / yardstickMilliseconds);
    least = Math.min(least, cost / slowness);
  }
  return least;
}

/**
 * Expects one piece of work to take less than so many times the processor time of another.
 * Each is taken at its best round: work that really grows faster is over the limit in every one. A comparison over its
 * limit is done again with the small work as often in a row as the limit says: what fills the memory is also measured by
 * how large a heap is collected, which the large work alone would have to wait for each time.
 */
export async function expectGrowthBelow(limit: number, large: () => unknown, small: () => unknown): Promise<void> {
  let growth = Infinity;
  for (const times of [1, Math.floor(limit)]) {
    if (growth >= limit) growth = await growthOf(limit, large, async () => repeat(times, small), times);
  }
  expect(growth).toBeLessThan(limit);
}

async function growthOf(limit: number, large: () => unknown, smalls: () => unknown, times: number): Promise<number> {
  let [largeCost, smallCost, growth, spent] = [Infinity, Infinity, Infinity, 0];
  const goesOn = (round: number): boolean => round < rounds || spent < comparedMilliseconds;
  for (let round = 0; round < 2 || (growth >= limit && goesOn(round)); round++) {
    const smallTime = await processorTime(smalls);
    smallCost = Math.min(smallCost, smallTime / times);
    growth = largeCost / Math.max(smallCost, 1);
    // The large work could only take less time than before.
    if (growth < limit) break;
    const largeTime = await processorTime(large);
    spent += smallTime + largeTime;
    largeCost = Math.min(largeCost, largeTime);
    growth = largeCost / Math.max(smallCost, 1);
  }
  return growth;
}

async function repeat(times: number, work: () => unknown): Promise<void> {
  for (let time = 0; time < times; time++) await work();
}

/**
 * Expects some attempt to take no longer than the limit: a busy machine only adds time, and adds it to some attempts.
 * @param limit - milliseconds
 * @param attempt - returns how long it took, in milliseconds; each call starts from the beginning
 */
export async function expectSoon(limit: number, attempt: (round: number) => Promise<number>): Promise<void> {
  let least = Infinity;
  for (let round = 0; round < rounds && least >= limit; round++) least = Math.min(least, await attempt(round));
  expect(least).toBeLessThan(limit);
}

/**
 * Returns how many times as long as on the machine of the limits work takes now by the clock, and at least 1: for
 * figures of another process, which can't be measured again at their best round.
 */
export function slownessByTheClock(): number {
  const times = Array.from({ length: rounds + 1 }, () => {
    const start = performance.now();
    yardstick();
    return performance.now() - start;
  });
  const median = times.sort((a, b) => a - b)[rounds / 2] ?? 0;
  return Math.max(1, median / yardstickMilliseconds);
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
