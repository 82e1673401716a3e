/** What happened lately, from the ring log, the newest first. */
import { words } from '../../../text';
import { type Check, fine } from '../check';

const say = words.diagnostics.events;

/** Events shown; the copied diagnostics hold them all. */
const maxShown = 20;

export const eventsCheck: Check = {
  id: 'events',
  label: say.label,
  run: ({ events }) => {
    const newest = events().slice(-maxShown).reverse();
    if (newest.length === 0) return Promise.resolve([fine(say.none)]);
    return Promise.resolve(
      newest.map(({ time, area, words: told }) => ({ level: 'note' as const, words: `${area}: ${told}`, time })),
    );
  },
};
