/** Decisions on a change, part by part. */
import { acceptAll, type ChangeDecision, type FileChange, hunksOfChange, stepsOf } from './changeset';
import type { Hunk } from './diff-text';
import type { DecisionPart } from './review';

export function decidePart(
  change: FileChange,
  before: ChangeDecision,
  part: DecisionPart,
  accept: boolean,
  reason: string | undefined = before.reason,
): ChangeDecision {
  const kept = reason === undefined ? {} : { reason };
  if (part === 'all') return { hunks: accept ? 'all' : 'none', move: accept, ...kept };
  if (part === 'move') return { ...before, move: accept, ...kept };
  // A new file and a deletion are taken as a whole.
  if (!stepsOf(change).includes('edit')) return { hunks: accept ? 'all' : 'none', move: before.move, ...kept };
  const all = hunksOfChange(change).map(({ index }) => index);
  const now = before.hunks === 'all' ? all : before.hunks === 'none' ? [] : before.hunks;
  const next = all.filter((index) => (index === part.hunk ? accept : now.includes(index)));
  const hunks = next.length === all.length ? 'all' : next.length === 0 ? 'none' : next;
  return { hunks, move: before.move, ...kept };
}

/** The decision on a change whose text the user edited: what they rejected stays rejected, what they wrote is accepted. */
export function carryDecision(
  before: FileChange | undefined,
  after: FileChange | undefined,
  decision: ChangeDecision = acceptAll,
): ChangeDecision {
  if (before === undefined || after === undefined) return acceptAll;
  const { hunks } = decision;
  if (hunks === 'all' || !stepsOf(after).includes('edit')) return { ...decision, hunks: 'all' };
  const isRejected = ({ index }: Hunk): boolean => hunks === 'none' || !hunks.includes(index);
  const rejected = new Set(hunksOfChange(before).filter(isRejected).map(keyOf));
  const all = hunksOfChange(after);
  const accepted = all.filter((hunk) => !rejected.has(keyOf(hunk))).map(({ index }) => index);
  return { ...decision, hunks: accepted.length === all.length ? 'all' : accepted.length === 0 ? 'none' : accepted };
}

/** A hunk of another text is the same when it puts the same in the same place. */
function keyOf({ start, end, added }: Hunk): string {
  return JSON.stringify([start, end, added]);
}
