/** Notes that make careless readers slow: how long the judge of content takes for each hostile shape, at each size. */
import { newActiveContent } from '../../../src/core/writing/guard/active-content';
import { costOf } from '../../unit/cost-of';
import { hostileShapes, hostileText } from '../../unit/hostile-text';
import { choose, type RowFigures, Tally, type Tries } from './row';

/** Doubled from 16 KB to 1 MB; the last one is answered with “ask”. */
const sizes = Array.from({ length: 7 }, (_, power) => 16_384 * 2 ** power);
/** Milliseconds of processor time for each of them. */
const limit = 100;

let judged = 0;

const shapes = hostileShapes.map((id) => ({ id }));

/**
 * The judge takes at most 100 ms of processor time for any shape and size up to 1 MB, as on the machine that the limits
 * are written for. The control is the scan for tags and code blocks of a common design.
 */
export async function measureFreezing(tries: Tries): Promise<RowFigures> {
  const tally = new Tally();
  for (const { id } of choose(shapes, tries.cases)) {
    const slow = await findSlowSize(id, (text) => newActiveContent('N.md', '', text));
    tally.add(id, slow === null ? [] : [`takes too long for ${slow / 1024} KB`]);
    if (tries.alone !== true) tally.addControl((await findSlowSize(id, scanNaively, 65_536)) !== null);
  }
  return tally.figures;
}

/** Returns the first size that takes too long, so that nothing larger is tried. */
async function findSlowSize(shape: string, judge: (text: string) => unknown, end = Infinity): Promise<number | null> {
  for (const size of sizes.filter((each) => each <= end)) {
    // Each text differs, so that nothing is remembered.
    const next = (): string => `${hostileText(shape, size - 8)}${(judged += 1)}`;
    if ((await costOf(limit, () => judge(next()))) >= limit) return size;
  }
  return null;
}

function scanNaively(text: string): unknown {
  return [
    ...text.matchAll(/<[a-z][^>]*>/gi),
    ...text.matchAll(/!\[[^\]]*\]\([^)]*\)/g),
    ...text.matchAll(/^```(\w*)\n[^]*?^```$/gm),
    ...text.matchAll(/\[([^\]]+)\]:\s*(\S+)/g),
  ];
}
