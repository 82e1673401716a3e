/** The day, when it is another one than the last turn was told (R182, K12). */
import type { Fact } from '../section';

export const dayChange: Fact<string | null> = {
  id: 'day-change',
  gather: ({ turn: { days }, device: { date } }) => (days === undefined || days.last === date ? null : date),
};
