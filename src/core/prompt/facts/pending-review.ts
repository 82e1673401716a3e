/** The changes that wait for the user's review, when some do (R212). */
import type { PendingReview } from '../../session/entry';
import type { Fact } from '../section';

export const pendingReview: Fact<PendingReview | null> = {
  id: 'pending-review',
  gather: (world) => world.turn.review,
};
