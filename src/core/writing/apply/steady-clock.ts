/**
 * Steady clock: the time by which the journal judges what is too old. One start with a clock that is set far ahead would
 * otherwise delete the whole undo history.
 */
import * as z from 'zod/v4';
import { lazy } from '../../base/lazy';
import type { Clock, DeviceStorage } from '../../ports/device';

const day = 86_400_000;

/** Milliseconds between two looks after which the clock may have been set; as long as copies are stored. */
const maxPause = 30 * day;

const key = 'journal-clock';

/** Looks at a clock that never lie far apart. */
const run = lazy(() =>
  z.object({
    since: z.number(),
    last: z.number(),
    /** The time by which age was judged before. */
    before: z.number(),
  }),
);
type Run = z.infer<ReturnType<typeof run>>;

/**
 * Returns a clock that follows a given one, except that after a leap, either way, it stays at the time before until the
 * given one went on for a day. A clock that is wrong is noticed and set right before that.
 */
export function steadyClock(clock: Pick<Clock, 'now'>, device: DeviceStorage): Pick<Clock, 'now'> {
  return {
    now: () => {
      const now = clock.now();
      // The first look has nothing to compare with.
      const known = readRun(device.get(key)) ?? { since: now - day, last: now, before: now };
      const isLeap = now < known.last - day || now > known.last + maxPause;
      const next = isLeap ? { since: now, last: now, before: judged(known) } : { ...known, last: now };
      device.set(key, JSON.stringify(next));
      return judged(next);
    },
  };
}

function judged({ since, last, before }: Run): number {
  return last - since >= day ? last : Math.min(last, before);
}

function readRun(text: string | null): Run | null {
  try {
    return run().parse(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
}
