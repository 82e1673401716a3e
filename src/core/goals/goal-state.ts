/** GoalState: the goals of a chat, as folded from its log. */
import { foldText } from '../base/fold';
import type { Checkpoint, Decision, Goal, GoalEvent, GoalOrigin } from '../session/goal-entry';

export interface StoredCheckpoint extends Checkpoint {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly summary?: string;
}

export interface StoredDecision extends Decision {
  /** The event that locked it; undoing that event is the only way to unlock. */
  readonly lockedBy?: string;
}

export interface StoredGoal extends Goal {
  readonly checkpoints: readonly StoredCheckpoint[];
  readonly decisions: readonly StoredDecision[];
  /** Whether the user locked the goal: the model can neither replace nor end it. */
  readonly pinned: boolean;
  /** Whether the user dismissed it. */
  readonly dismissed: boolean;
  /** How the goal ended. */
  readonly summary?: string;
}

export interface RecordedGoalEvent {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly origin: GoalOrigin;
  readonly event: GoalEvent;
}

export interface Goals {
  /** Oldest first. */
  readonly list: readonly StoredGoal[];
  /** The goal that the chat is about: the newest one that was created or resumed. */
  readonly front: string | null;
}

export interface GoalState extends Goals {
  /** Every event that took effect, oldest first. */
  readonly records: readonly RecordedGoalEvent[];
  /** Ids of the events that were undone. */
  readonly undone: ReadonlySet<string>;
  /** Index of the first record since the user's newest message. */
  readonly recentFrom: number;
}

export const noGoals: Goals = { list: [], front: null };
export const noGoalState: GoalState = { ...noGoals, records: [], undone: new Set(), recentFrom: 0 };

export function isAutomatic(origin: GoalOrigin): boolean {
  return origin === 'model-marker' || origin === 'model-tool';
}

export function findGoal({ list }: Goals, id: string): StoredGoal | undefined {
  return list.find((goal) => goal.id === id);
}

/** Returns the goal to show: active, paused, or completed, until it is dismissed or replaced (K18). */
export function frontGoal(goals: Goals): StoredGoal | null {
  const goal = goals.front === null ? undefined : findGoal(goals, goals.front);
  return goal === undefined || goal.dismissed ? null : goal;
}

/** Returns the goal to send to the model: active, or completed and not yet replaced (K18). */
export function activeGoalIn(goals: Goals): StoredGoal | null {
  const goal = frontGoal(goals);
  return goal?.status === 'paused' ? null : goal;
}

/** How much of a goal is completed (R126). */
export interface GoalProgress {
  readonly completed: number;
  readonly total: number;
  /** Whole percent; a goal without checkpoints is at 0 until it is completed. */
  readonly percentage: number;
}

export function goalProgressOf({ checkpoints, status }: Pick<Goal, 'checkpoints' | 'status'>): GoalProgress {
  const total = checkpoints.length;
  const completed = checkpoints.filter((checkpoint) => checkpoint.status === 'completed').length;
  const share = total === 0 ? Number(status === 'completed') : completed / total;
  return { completed, total, percentage: Math.floor(share * 100) };
}

/** Whether two texts name the same checkpoint, decision, or goal: ignores case, accents, spaces, and a final period. */
export function sameWords(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
}

/** Returns the item with these words, or with these words minus the number that lists show before it. */
export function findByWords<Item extends { readonly description: string }>(
  items: readonly Item[],
  words: string,
): Item | undefined {
  const bare = words.replace(/^\d{1,3}[.)]\s+/, '');
  return (
    items.find(({ description }) => sameWords(description, words)) ??
    items.find(({ description }) => sameWords(description, bare))
  );
}
