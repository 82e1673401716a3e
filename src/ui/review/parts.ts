/** Parts: what of a change can be accepted or rejected by itself, and how far a review has come. */
import type { DecisionPart, Review, ReviewedChange } from '../../core/writing/review/review';

export interface ReviewPart {
  readonly part: DecisionPart;
  readonly isAccepted: boolean;
}

/** In the order in which they are shown; a new note and a deletion are one part. */
export function partsOf({ steps, hunks, decision }: ReviewedChange): ReviewPart[] {
  const parts: ReviewPart[] = [];
  if (steps.includes('move')) parts.push({ part: 'move', isAccepted: decision.move });
  if (steps.includes('edit') && hunks.length > 0) {
    parts.push(...hunks.map(({ index }) => ({ part: { hunk: index }, isAccepted: isHunkAccepted(index, decision) })));
  } else if (parts.length === 0 || steps.includes('edit')) {
    parts.push({ part: 'all', isAccepted: decision.hunks === 'all' });
  }
  return parts;
}

export function isHunkAccepted(index: number, { hunks }: ReviewedChange['decision']): boolean {
  return hunks === 'all' || (hunks !== 'none' && hunks.includes(index));
}

/** Whether the user is still to decide, or it is being applied just now. */
export function isWaiting({ state }: Review): boolean {
  return state === 'waiting' || state === 'applying';
}

export interface PartCount {
  readonly all: number;
  readonly accepted: number;
}

export function countParts(changes: readonly ReviewedChange[]): PartCount {
  const parts = changes.flatMap(partsOf);
  return { all: parts.length, accepted: parts.filter(({ isAccepted }) => isAccepted).length };
}

/** Changes made with a third party's text in view, of which something is accepted. */
export function taintedChanges({ changes }: Review): ReviewedChange[] {
  return changes.filter(
    (change) => change.change.taint !== null && partsOf(change).some(({ isAccepted }) => isAccepted),
  );
}
