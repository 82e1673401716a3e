/**
 * The one set of rules for goal events, used when they are requested, stored, and merged, and the failures for
 * forbidden ones.
 */
import { words } from '../../text';
import { type FailureKind, fail, type Outcome } from '../ports/failure';
import {
  findGoal,
  frontGoal,
  type Goals,
  isAutomatic,
  type RecordedGoalEvent,
  type StoredGoal,
  sameWords,
} from './goal-state';

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
