/** GoalRequest: a change to the goal under way, in words rather than ids, as markers and the model's tool ask for it. */
import { oneLine } from '../markup/prose';
import { type Outcome, succeed } from '../ports/failure';
import type { Artifact, CheckpointStatus, GoalEvent, GoalPriority } from '../session/goal-entry';
import { artifactOf } from './artifact-of';
import { goalFailure } from './goal-failure';
import { activeGoalIn, type Goals, type StoredGoal } from './goal-state';
import { findByWords } from './same-words';

export type GoalRequest =
  | { readonly action: 'goal'; readonly description: string; readonly priority?: GoalPriority }
  | {
      readonly action: 'checkpoint';
      readonly description: string;
      readonly status: CheckpointStatus;
      /** What stands in the way. */
      readonly blocker?: string;
    }
  | {
      readonly action: 'decision';
      readonly description: string;
      readonly rationale?: string;
      readonly locked: boolean;
    }
  | { readonly action: 'artifact'; readonly path: string; readonly change: Artifact['action'] }
  | { readonly action: 'next'; readonly description: string }
  | { readonly action: 'complete'; readonly summary: string };

/** The narrow door through which a tool changes the goal. */
export interface GoalPort {
  /** The goals as they then stand. */
  request(request: GoalRequest): Promise<Outcome<Goals>>;
}

/** Characters of one text of a goal: all of them are in every request. */
const longestText = 300;

/** Text as a goal keeps it: on one line, and not too long. */
export function goalText(text: string): string {
  const line = oneLine(text);
  return line.length <= longestText ? line : `${line.slice(0, longestText - 1).trimEnd()}…`;
}

/** The event that a request amounts to. */
export function eventFor(goals: Goals, request: GoalRequest): Outcome<GoalEvent> {
  if (request.action === 'goal') {
    const { description, priority = 'medium' } = request;
    return succeed({ type: 'created', description: goalText(description), priority });
  }
  const goal = activeGoalIn(goals);
  return goal === null ? goalFailure('no-goal') : succeed(eventOf(goal, request));
}

function eventOf(goal: StoredGoal, request: Exclude<GoalRequest, { readonly action: 'goal' }>): GoalEvent {
  switch (request.action) {
    case 'checkpoint': {
      const description = goalText(request.description);
      const { status } = request;
      const known = findByWords(goal.checkpoints, description);
      const blocker = request.blocker === undefined ? {} : { blocker: goalText(request.blocker) };
      return known === undefined
        ? { type: 'checkpoint-created', goal: goal.id, description, status, ...blocker }
        : { type: 'checkpoint-updated', goal: goal.id, checkpoint: known.id, status, ...blocker };
    }
    case 'decision': {
      const written = goalText(request.description);
      const known = findByWords(goal.decisions, written);
      const description = known?.description ?? written;
      const rationale = request.rationale === undefined ? (known?.rationale ?? '') : goalText(request.rationale);
      return { type: 'decision-recorded', goal: goal.id, description, rationale, locked: request.locked };
    }
    case 'artifact':
      return { type: 'artifact-recorded', goal: goal.id, artifact: artifactOf(request.path, request.change) };
    case 'next':
      return { type: 'next-set', goal: goal.id, description: goalText(request.description) };
    case 'complete':
      return { type: 'completed', goal: goal.id, summary: goalText(request.summary) };
  }
}
