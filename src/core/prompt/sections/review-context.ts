/**
 * The changes under review: what they are, the request that led to them, and a reverse diff for each note (R212, R213).
 */
import { element } from '../../markup/markup';
import { counted } from '../../markup/prose';
import type { PendingReview } from '../../session/entry';
import { type Fact, section } from '../section';

/** The changes that wait for the user's review, if there are any (R212). */
export const pendingReview: Fact<PendingReview | null> = {
  id: 'pending-review',
  gather: (world) => world.turn.review,
};

export const reviewContextSection = section({
  id: 'review-context',
  tag: 'review_context',
  zone: 'turn',
  buildOrder: 110,
  priority: 68,
  trim: 'tail',
  needs: { review: pendingReview },
  when: ({ review }) => review !== null,
  full: ({ review }) => {
    if (review === null) return [];
    const diffs = review.reverseDiffs.flatMap(({ path, diff }) => ['\n', element('note', { path }, diff)]);
    return [
      summarise(review),
      review.log.length === 0 ? '' : `\n\nEdits, oldest first:\n${review.log.map((line) => `- ${line}`).join('\n')}`,
      ...(diffs.length === 0
        ? []
        : ['\n\nEach diff turns a proposed note back into the note in the vault:\n', ...diffs]),
    ];
  },
  brief: ({ review }) => (review === null ? [] : [summarise(review)]),
});

function summarise({ notes, addedLines, removedLines, request }: PendingReview): string {
  return (
    `The user is reviewing proposed changes to ${counted(notes, 'note')}: ` +
    `${counted(addedLines, 'line')} added, ${counted(removedLines, 'line')} removed. ` +
    'The vault is unchanged until the user accepts them.' +
    (request === '' ? '' : `\nThe request that led to them: ${request}`)
  );
}
