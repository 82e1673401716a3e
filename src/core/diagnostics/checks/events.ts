/** Lists recent events from the ring log, newest first. */
import { words } from '../../../text';
import { type Check, fine } from '../check';

const say = words.diagnostics.events;

/** Maximum events shown; the copied diagnostics contain all of them. */
const maxShown = 20;

export const eventsCheck: Check = {
  id: 'events',
  label: say.label,
  run: ({ events }) => {
    const newest = events().slice(-maxShown).reverse();
    if (newest.length === 0) return Promise.resolve([fine(say.none)]);
    return Promise.resolve(
      newest.map(({ time, area, words: message }) => ({ level: 'note' as const, words: `${area}: ${message}`, time })),
    );
  },
};
