/** GoalState: the goals of a chat, as folded from its log, and the one set of rules for what events may make of them. */
import { words } from '../../text';
import { foldText } from '../base/fold';
import { type FailureKind, fail, type Outcome } from '../ports/failure';
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
  wanted: string,
): Item | undefined {
  const bare = wanted.replace(/^\d{1,3}[.)]\s+/, '');
  return (
    items.find(({ description }) => sameWords(description, wanted)) ??
    items.find(({ description }) => sameWords(description, bare))
  );
}

// The rules for goal events, used when they are requested, stored, and merged, and the failures for forbidden ones.

export type GoalProblem =
  | 'no-goal'
  | 'no-item'
  | 'no-event'
  | 'locked'
  | 'pinned'
  | 'completed'
  | 'full'
  | 'empty'
  | 'bad-path'
  /** Already the case; needs no message. */
  | 'unchanged';

/** Maximum items of one kind per goal: all of them are part of every request. */
export const maxItems = 40;

type JudgedEvent = Pick<RecordedGoalEvent, 'event' | 'origin'>;

/**
 * Returns why an event cannot take effect; null if it can. Undone and redone events are checked where events are
 * replayed.
 */
export function findProblem(goals: Goals, { event, origin }: JudgedEvent): GoalProblem | null {
  switch (event.type) {
    case 'created': {
      const front = frontGoal(goals);
      if (event.description === '') return 'empty';
      if (front === null) return null;
      const isSame = sameWords(front.description, event.description);
      if (isSame && (front.status === 'active' || isAutomatic(origin))) return 'unchanged';
      return front.pinned && isAutomatic(origin) ? 'pinned' : null;
    }
    case 'artifact-renamed':
      return event.from === event.to ? 'unchanged' : null;
    case 'undone':
    case 'redone':
      return null;
    default: {
      const goal = findGoal(goals, event.goal);
      return goal === undefined ? 'no-goal' : problemOf(goal, event, origin);
    }
  }
}

function problemOf(
  goal: StoredGoal,
  event: Extract<JudgedEvent['event'], { readonly goal: string }>,
  origin: JudgedEvent['origin'],
): GoalProblem | null {
  const isProtected = goal.pinned && isAutomatic(origin);
  switch (event.type) {
    case 'paused':
      return goal.status !== 'active' ? 'unchanged' : isProtected ? 'pinned' : null;
    case 'resumed':
      return goal.status === 'active' && !goal.dismissed ? 'unchanged' : null;
    case 'dismissed':
      return goal.dismissed ? 'unchanged' : isProtected ? 'pinned' : null;
    case 'pinned':
      return goal.pinned === event.pinned ? 'unchanged' : isAutomatic(origin) ? 'pinned' : null;
    case 'completed':
      return goal.status === 'completed' ? 'unchanged' : isProtected ? 'pinned' : null;
    case 'edited':
      return problemOfEdit(goal, event, isProtected);
    default:
      return goal.status === 'completed' ? 'completed' : problemOfItem(goal, event);
  }
}

function problemOfEdit(
  goal: StoredGoal,
  { target, description, priority }: Extract<JudgedEvent['event'], { readonly type: 'edited' }>,
  isProtected: boolean,
): GoalProblem | null {
  if (description === '') return 'empty';
  const item = target === goal.id ? goal : [...goal.checkpoints, ...goal.decisions].find((each) => each.id === target);
  if (item === undefined) return 'no-item';
  if ('locked' in item && item.locked) return 'locked';
  if (item === goal && isProtected) return 'pinned';
  const isSame = (description ?? item.description) === item.description;
  return isSame && (item !== goal || (priority ?? goal.priority) === goal.priority) ? 'unchanged' : null;
}

type ItemEvent = Extract<
  JudgedEvent['event'],
  {
    readonly type:
      | 'checkpoint-created'
      | 'checkpoint-updated'
      | 'decision-recorded'
      | 'decision-locked'
      | 'artifact-recorded'
      | 'next-set';
  }
>;

function problemOfItem(goal: StoredGoal, event: ItemEvent): GoalProblem | null {
  switch (event.type) {
    case 'checkpoint-created':
      return problemOfNewCheckpoint(goal, event.description);
    case 'checkpoint-updated': {
      const found = goal.checkpoints.find(({ id }) => id === event.checkpoint);
      if (found === undefined) return 'no-item';
      return found.status === event.status && found.blocker === event.blocker ? 'unchanged' : null;
    }
    case 'decision-recorded':
      return problemOfDecision(goal, event);
    case 'decision-locked': {
      const found = goal.decisions.find(({ id }) => id === event.decision);
      return found === undefined ? 'no-item' : found.locked ? 'unchanged' : null;
    }
    case 'artifact-recorded':
      return problemOfArtifact(goal, event.artifact);
    case 'next-set':
      return (goal.next ?? '') === event.description ? 'unchanged' : null;
  }
}

function problemOfNewCheckpoint({ checkpoints }: StoredGoal, asked: string): GoalProblem | null {
  if (asked === '') return 'empty';
  if (checkpoints.some(({ description }) => sameWords(description, asked))) return 'unchanged';
  return checkpoints.length >= maxItems ? 'full' : null;
}

function problemOfDecision(
  { decisions }: StoredGoal,
  event: Extract<ItemEvent, { readonly type: 'decision-recorded' }>,
): GoalProblem | null {
  if (event.description === '') return 'empty';
  const found = decisions.find(({ description }) => sameWords(description, event.description));
  if (found === undefined) return decisions.length >= maxItems ? 'full' : null;
  if (found.locked) return found.rationale === event.rationale ? 'unchanged' : 'locked';
  return found.rationale === event.rationale && !event.locked ? 'unchanged' : null;
}

function problemOfArtifact(
  { artifacts }: StoredGoal,
  { path, action }: Extract<ItemEvent, { readonly type: 'artifact-recorded' }>['artifact'],
): GoalProblem | null {
  if (path === '') return 'bad-path';
  const found = artifacts.find((each) => each.path === path);
  if (found === undefined) return artifacts.length >= maxItems ? 'full' : null;
  return found.action === action || (found.action === 'created' && action === 'modified') ? 'unchanged' : null;
}

const kinds: Readonly<Record<Exclude<GoalProblem, 'unchanged'>, FailureKind>> = {
  'no-goal': 'not-found',
  'no-item': 'not-found',
  'no-event': 'not-found',
  locked: 'refused',
  pinned: 'refused',
  completed: 'refused',
  full: 'limit',
  empty: 'invalid-input',
  'bad-path': 'invalid-input',
};

/** Returns the failure that explains why a goal cannot be changed that way. */
export function goalFailure(problem: Exclude<GoalProblem, 'unchanged'>): Outcome<never> {
  const { problem: text, remedy } = words.goals.problems[problem];
  return fail({ kind: kinds[problem], words: text, remedy });
}
