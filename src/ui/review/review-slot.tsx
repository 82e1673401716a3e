/** ReviewSlot: the place in the transcript where the changes of an answer stand, in the form that they have now. */
import { useComputed } from '@preact/signals';
import type { PaneModel } from '../state/chat-state';
import { ReviewCard } from './review-card';

export function ReviewSlot({ id, model }: { readonly id: string; readonly model: PaneModel }) {
  // What is settled and what waits on of the same changes are two reviews.
  const reviews = useComputed(() => model.review.reviews.value.filter((review) => review.id === id));
  const openNote = (path: string): void => model.ports.openNote(path, false);
  return (
    <>
      {reviews.value.map((review, index) => (
        <ReviewCard key={index} review={review} model={model.review} openNote={openNote} />
      ))}
    </>
  );
}
