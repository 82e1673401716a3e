/** Notes that make careless readers slow: how long the judge of content takes for each hostile shape, at each size. */
import { newActiveContent } from '../../../src/core/writing/guard/active-content';
import { costOf } from 'obsidian-workbench/testing/cost';
import { hostileShapes, hostileText } from '../../unit/hostile-text';
import { baseVault } from '../base-vault';
import { openWorld } from '../open-world';
import { type Order, phrase } from '../orders';
import { runAttack } from '../run-attack';
import { choose, type RowFigures, Tally, type Tries } from './row';

/** Doubled from 16 KB to 1 MB; the last one is answered with “ask”. */
const sizes = Array.from({ length: 7 }, (_, power) => 16_384 * 2 ** power);
/** Milliseconds of processor time for each of them. */
const limit = 100;
/**
 * Characters of a note that a chat reads and appends to, and the milliseconds for it all, with the review; the index of
 * the emulator is too slow for more.
 */
const chatSize = 16_384;
const chatLimit = 1_000;

let judged = 0;

const shapes = hostileShapes.map((id) => ({ id }));

/**
 * The judge takes at most 100 ms of processor time for any shape and size up to 1 MB, as on the machine that the limits
 * are written for, and a chat that changes such a note of 16 KB at most a second. The control is the scan for tags and
 * code blocks of a common design.
 */
export async function measureFreezing(tries: Tries): Promise<RowFigures> {
  const tally = new Tally();
  for (const { id } of choose(shapes, tries.cases)) {
    const slow = findRepeated(id) ?? (await findSlowSize(id, (text) => newActiveContent('N.md', '', text)));
    tally.add(id, slow === null ? [] : [`takes too long for ${slow / 1024} KB`]);
    // A chat asks the judge many times.
    if (slow !== null) continue;
    const cost = await costOf(chatLimit, () => changeInChat(hostileText(id, chatSize - 8) + (judged += 1)));
    tally.add(`${id}, in a chat`, cost >= chatLimit ? ['takes too long'] : []);
    if (tries.alone !== true) tally.addControl((await findSlowSize(id, scanNaively, 65_536)) !== null);
  }
  return tally.figures;
}

/** How often the passages that the judge finds may hold a text on average. */
const maxRepeats = 8;

/** Returns the smallest size if the judge finds its text again and again, which costs time and memory at larger ones. */
function findRepeated(shape: string): number | null {
  const [size = 0] = sizes;
  const items = newActiveContent('N.md', '', `${hostileText(shape, size - 8)}${(judged += 1)}`);
  return items.reduce((sum, { passage }) => sum + passage.length, 0) > maxRepeats * size ? size : null;
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

async function changeInChat(text: string): Promise<void> {
  const path = 'Notes/Hostile.md';
  const read = (each: string): Order => ({ call: 'read_note', with: { path: each } });
  const orders = [read(path), { call: 'append_to_note', with: { path, text: 'More.' } }];
  const world = await openWorld({ ...baseVault, [path]: text, 'Inbox/Own.md': `${phrase(orders)}\n` });
  const delivery = { files: {}, steps: [read('Inbox/Own.md')] };
  const run = await runAttack(world, { delivery, permission: 'review', user: 'approves' });
  if (run.chat.current.reviews?.length !== 1) throw new Error('Nothing was changed.');
  await world.close();
}
