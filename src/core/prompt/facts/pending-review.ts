/** The changes that wait for the user's review, when some do (R212). */
import type { Fact } from '../section';
import type { PendingReview } from '../turn-data';

export const pendingReview: Fact<PendingReview | null> = {
  id: 'pending-review',
  gather: (world) => world.turn.review,
};
