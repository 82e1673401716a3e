/**
 * Review: what a person sees of the changes of a turn, and what they can do about them. Plain data, so that a view
 * needs nothing else: no vault, no YAML, no journal.
 */
import type { Failure, Outcome } from '../../ports/failure';
import {
  acceptAll,
  type ChangeDecision,
  type FileChange,
  hunksOfChange,
  type Step,
  stepsOf,
} from '../changeset/changeset';
import type { HunkView, IntegrityProblem, PropertyChange } from '../changeset/describe-changeset';
import type { Hunk } from '../changeset/diff';
import type { Badge } from '../guard/policy';

/**
 * `waiting` for the user, `applying` just now, and three ends: at least a part is on disk, nothing of it is, or what was
 * is taken back.
 */
export type ReviewState = 'waiting' | 'applying' | 'applied' | 'rejected' | 'undone';

export interface ReviewedChange {
  /** As it was proposed while it waits; as it was applied afterwards. */
  readonly change: FileChange;
  /** What it does, in order. */
  readonly steps: readonly Step[];
  readonly hunks: readonly HunkView[];
  /** Properties that differ; null when they cannot be read on one side. */
  readonly properties: readonly PropertyChange[] | null;
  readonly badges: readonly Badge[];
  /** Whether the user allowed further edits of this note in this chat; null where none can be allowed. */
  readonly granted?: boolean | null;
  /** What applying it, with all else that is accepted, would break. */
  readonly problems: readonly IntegrityProblem[];
  /** Files with links to a file that moves, which the app rewrites along with it; empty for any other change. */
  readonly linkedFrom: readonly string[];
  /** What the user has decided so far; all of it is accepted until they say otherwise. */
  readonly decision: ChangeDecision;
  /** `waiting` and `applying` follow the review; a change that failed to apply waits on. */
  readonly state: ReviewState;
  /** Why it could not be applied or undone. */
  readonly failure: Failure | null;
  /** Whether it was joined with what had been changed on disk meanwhile. */
  readonly merged: boolean;
  /** Whether something else, such as a plugin, changed the text as it was saved. */
  readonly altered: boolean;
  /** Files whose links the app rewrote along with it. */
  readonly rewritten: readonly string[];
}

export interface Review {
  /** The changeset's. */
  readonly id: string;
  readonly state: ReviewState;
  readonly changes: readonly ReviewedChange[];
  /** False when the user keeps the app from rewriting links: then a move breaks those that lead to it. */
  readonly linksFollowMoves: boolean;
  /** Whether the policy applied it without asking, as a plan or in Auto-edit. */
  readonly unasked: boolean;
  /** What the user gave as the reason of a rejection; empty for none. */
  readonly reason: string;
}

/** What a decision is about: a hunk by its index, the move alone, or all of a change. */
export type DecisionPart = { readonly hunk: number } | 'move' | 'all';

/**
 * What a person can do. Each verb resolves when what it did is on disk and shown; a failure says why it was not done.
 * Only `decide` and `editText` are for a review that waits, and nothing is applied while an answer is under way.
 */
export interface ReviewActs {
  /** Accepts or rejects a part of a change; the reason is told to the model with what was rejected. */
  decide(changeId: string, part: DecisionPart, accept: boolean, reason?: string): void;
  /**
   * Lets edits of this note go to disk without asking for as long as this chat is open, or asks again. It is kept in
   * memory alone, and lifts no other question: not what moves, deletes or rewrites, and nothing while text from others
   * is in view.
   */
  grant(changeId: string, granted: boolean): void;
  /** Puts the user's own text in place of the proposed one. */
  editText(changeId: string, text: string): Promise<Outcome<void>>;
  /** Applies what is accepted and rejects the rest. */
  apply(): Promise<Outcome<void>>;
  rejectAll(reason: string): Promise<Outcome<void>>;
  /** Takes back what was applied: one change of a review, or all of it; in any order. */
  undo(reviewId: string, changeId?: string): Promise<Outcome<void>>;
  /** Applies again what was taken back. */
  redo(reviewId: string, changeId?: string): Promise<Outcome<void>>;
}

// Decisions on a change, part by part.

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
