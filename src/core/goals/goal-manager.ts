/** GoalManager: the goals of one chat, with a verb for each change; a change is on disk before it holds (R122-R126). */
import { type Outcome, succeed } from '../ports/failure';
import { type GoalProgress, goalProgressOf } from '../prompt/goal-progress';
import type { Artifact, CheckpointStatus, Goal, GoalPriority } from '../session/goal-entry';
import { artifactOf } from './artifact-of';
import { completionOf } from './completion-of';
import { GoalBook } from './goal-book';
import { goalFailure } from './goal-failure';
import { goalText } from './goal-request';
import { activeGoalIn, findGoal, frontGoal, type StoredGoal } from './goal-state';
import { outcomeOf } from './record-goal-event';
import { findByWords } from './same-words';

export class GoalManager extends GoalBook {
  readonly getActiveGoal = (): Goal | null => activeGoalIn(this.state);
  readonly getGoalHistory = (): readonly StoredGoal[] => this.state.list;
  readonly getGoalProgress = (id: string): Outcome<GoalProgress> => {
    const goal = findGoal(this.state, id);
    return goal === undefined ? goalFailure('no-goal') : succeed(goalProgressOf(goal));
  };

  readonly createGoal = async (description: string, priority: GoalPriority = 'medium') =>
    outcomeOf(await this.act({ type: 'created', description: goalText(description), priority }), frontGoal);
  readonly pauseGoal = (goal: string) => this.act({ type: 'paused', goal });
  readonly resumeGoal = (goal: string) => this.act({ type: 'resumed', goal });
  readonly completeGoal = (goal: string, summary: string) =>
    this.act({ type: 'completed', goal, summary: goalText(summary) });
  readonly pin = (goal: string, pinned = true) => this.act({ type: 'pinned', goal, pinned });
  readonly dismiss = (goal: string) => this.act({ type: 'dismissed', goal });
  /** @param target the goal itself, or one of its checkpoints or decisions */
  readonly edit = (goal: string, target: string, description: string, priority?: GoalPriority) =>
    this.act({ type: 'edited', goal, target, description: goalText(description), ...(priority && { priority }) });

  readonly createCheckpoint = async (
    goal: string,
    text: string,
    metadata?: Readonly<Record<string, unknown>>,
    summary?: string,
  ) => {
    const checkpoint = { description: goalText(text), status: 'pending', metadata, summary } as const;
    const done = await this.act({ type: 'checkpoint-created', goal, ...checkpoint });
    return outcomeOf(done, (state) => findByWords(findGoal(state, goal)?.checkpoints ?? [], checkpoint.description));
  };
  readonly updateCheckpoint = async (goal: string, checkpoint: string, status: CheckpointStatus) => {
    const done = await this.act({ type: 'checkpoint-updated', goal, checkpoint, status });
    return done.ok ? this.enqueue((state) => succeed(completionOf(state)), { origin: 'user' }) : done;
  };
  readonly recordDecision = async (goal: string, text: string, rationale: string) => {
    const decision = { description: goalText(text), rationale: goalText(rationale), locked: false };
    const done = await this.act({ type: 'decision-recorded', goal, ...decision });
    return outcomeOf(done, (state) => findByWords(findGoal(state, goal)?.decisions ?? [], decision.description));
  };
  readonly lockDecision = (goal: string, decision: string) => this.act({ type: 'decision-locked', goal, decision });
  readonly recordArtifact = (goal: string, type: Artifact['type'], path: string, action: Artifact['action']) =>
    this.act({ type: 'artifact-recorded', goal, artifact: { ...artifactOf(path, action), type } });
  readonly setNext = (goal: string, text: string) => this.act({ type: 'next-set', goal, description: goalText(text) });
  readonly undo = (event: string) => this.act({ type: 'undone', event });
  readonly redo = (event: string) => this.act({ type: 'redone', event });
}
