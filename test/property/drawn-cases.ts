/** How many of its cases a test tries: all of them in `npm run test:long`, and in `npm test` a part, another one each day. */
import { seed } from './hostile-text';

export const isLong = process.env['DOCENT_LONG'] === 'yes';

const day = Number(process.env['DOCENT_DAY'] ?? Math.floor(Date.now() / 86_400_000));

/** Returns the items of a list whose turn is today if they take turns by so many days; all of them in a long run. */
export const drawnOf = <Item>(items: readonly Item[], days: number): Item[] =>
  items.filter((_, index) => isLong || index % days === day % days);

/** Returns the parameters for so many random cases: a fifth of them on each of five days, by a seed of its own. */
export const drawn = (cases: number): { numRuns: number; seed: number } =>
  isLong ? { numRuns: cases, seed } : { numRuns: cases / 5, seed: seed + 1 + (day % 5) };

/** Returns the parameters for so many random cases, others in each run: a fifth of them, or all in a long run. */
export const fresh = (cases: number): { numRuns: number } => ({ numRuns: isLong ? cases : cases / 5 });
