/** GoalState: the goals of a chat as its log tells of them. */
import { foldText } from '../base/fold-text';
import type { Checkpoint, Decision, Goal, GoalEvent, GoalOrigin } from '../session/goal-entry';

export interface StoredCheckpoint extends Checkpoint {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly summary?: string;
}

export interface StoredDecision extends Decision {
  /** The event that locked it; taking that one back is the only way to unlock. */
  readonly lockedBy?: string;
}

export interface StoredGoal extends Goal {
  readonly checkpoints: readonly StoredCheckpoint[];
  readonly decisions: readonly StoredDecision[];
  /** Whether the user keeps it as it is: the model can neither replace nor end it. */
  readonly pinned: boolean;
  /** Whether the user has put it away. */
  readonly dismissed: boolean;
  /** How it ended. */
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
  /** The goal that the chat is about: the newest that was created or resumed. */
  readonly front: string | null;
}

export interface GoalState extends Goals {
  /** Everything that took effect, oldest first. */
  readonly records: readonly RecordedGoalEvent[];
  /** Ids of the events that were taken back. */
  readonly undone: ReadonlySet<string>;
  /** Index in the records from which they belong to the newest message of the user. */
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

/** The goal that is shown: under way, paused or completed, until it is dismissed or another one takes its place (K18). */
export function frontGoal(goals: Goals): StoredGoal | null {
  const goal = goals.front === null ? undefined : findGoal(goals, goals.front);
  return goal === undefined || goal.dismissed ? null : goal;
}

/** The goal that the model is told of: under way, or completed and not yet followed by another (K18). */
export function activeGoalIn(goals: Goals): StoredGoal | null {
  const goal = frontGoal(goals);
  return goal?.status === 'paused' ? null : goal;
}

/** How far a goal has come (R126). */
export interface GoalProgress {
  readonly completed: number;
  readonly total: number;
  /** Whole per cent; a goal without checkpoints is at 0 until it is completed. */
  readonly percentage: number;
}

export function goalProgressOf({ checkpoints, status }: Pick<Goal, 'checkpoints' | 'status'>): GoalProgress {
  const total = checkpoints.length;
  const completed = checkpoints.filter((checkpoint) => checkpoint.status === 'completed').length;
  const share = total === 0 ? Number(status === 'completed') : completed / total;
  return { completed, total, percentage: Math.floor(share * 100) };
}

/** Which words mean the same checkpoint, decision or goal: case, accents, spaces and a full stop do not matter. */
export function sameWords(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
}

/** The item of these words, or of these words without the number that lists show before it. */
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
