/** Tells a new day with the first message of it, since the day at the head of the chat stays as it was (R182, K12). */
import { dayChange } from '../facts';
import { section } from '../section';

export const dayNoticeSection = section({
  id: 'day-notice',
  tag: 'environment',
  zone: 'turn',
  flatOrder: 118,
  priority: 81,
  trim: 'never',
  needs: { day: dayChange },
  when: ({ day }) => day !== null,
  full: ({ day }) => [`Today is now ${day ?? ''}.`],
});
