/**
 * GoalManager: the goals of one chat, with a method for each change. A change is on disk before it takes effect
 * (R122-R126).
 */
import { type Outcome, succeed } from '../ports/failure';
import type { SessionEntry } from '../session/entry';
import type { Artifact, CheckpointStatus, Goal, GoalEntryBody, GoalEvent, GoalPriority } from '../session/goal-entry';
import { foldGoals, judgeGoalEvent } from './fold-goals';
import { artifactOf, eventFor, type GoalPort, type GoalRequest, goalText } from './goal-request';
import {
  activeGoalIn,
  findByWords,
  findGoal,
  frontGoal,
  type GoalProgress,
  type GoalState,
  goalFailure,
  goalProgressOf,
  isAutomatic,
  type StoredGoal,
} from './goal-state';

type Source = Pick<GoalEntryBody, 'origin' | 'answer'>;

/** A log that contains goal events in order, including the appended ones. */
interface GoalLog {
  readonly entries: readonly SessionEntry[];
}

/** Appends an entry to that log; the entry is on disk if the outcome is ok. */
type AppendGoalEvent = (body: GoalEntryBody) => Promise<Outcome<unknown>>;

/** Creates the event from the goals at its turn in the queue; null if there is nothing to do. */
type MakeEvent = (state: GoalState) => Outcome<GoalEvent | null>;

/** GoalBook: the goals in the log, and a queue that checks and writes changes one at a time. */
export class GoalBook implements GoalPort {
  private tail: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly log: GoalLog,
    private readonly append: AppendGoalEvent,
  ) {}

  get state(): GoalState {
    return foldGoals(this.log.entries);
  }

  act(event: GoalEvent, source: Source = { origin: 'user' }): Promise<Outcome<GoalState>> {
    return this.enqueue(() => succeed(event), source);
  }

  request(request: GoalRequest, source: Source = { origin: 'model-tool' }): Promise<Outcome<GoalState>> {
    return this.enqueue((state) => eventFor(state, request), source);
  }

  /** Creates each event only after the earlier ones are written, so that it fits the resulting goals. */
  enqueue(make: MakeEvent, source: Source): Promise<Outcome<GoalState>> {
    const record = (): Promise<Outcome<GoalState>> => recordGoalEvent(this.append, this, make, source);
    const next = this.tail.then(record, record);
    this.tail = next;
    return next;
  }
}

/**
 * Checks an event, writes it to the chat's log, and returns the resulting goals. An event that changes nothing succeeds
 * and leaves no entry.
 */
async function recordGoalEvent(
  append: AppendGoalEvent,
  goals: { readonly state: GoalState },
  make: MakeEvent,
  source: Pick<GoalEntryBody, 'origin' | 'answer'>,
): Promise<Outcome<GoalState>> {
  const made = make(goals.state);
  if (!made.ok) return made;
  const event = made.value;
  const problem = event === null ? 'unchanged' : judgeGoalEvent(goals.state, { event, origin: source.origin });
  if (event === null || problem === 'unchanged') return succeed(goals.state);
  if (problem !== null) return goalFailure(problem);
  const stored = await append({ kind: 'goal', event, ...source });
  return stored.ok ? succeed(goals.state) : stored;
}

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

/**
 * Returns the changed item from the resulting goals.
 * @throws if it is missing, which is impossible after a stored event
 */
function outcomeOf<Item>(
  changed: Outcome<GoalState>,
  find: (state: GoalState) => Item | null | undefined,
): Outcome<Item> {
  if (!changed.ok) return changed;
  const item = find(changed.value);
  if (item === null || item === undefined) throw new Error('A goal event was stored without effect.');
  return succeed(item);
}

/**
 * Returns the event that completes the goal: all checkpoints are completed and no next step is named (R117). Null if
 * work is left.
 */
function completionOf(state: GoalState): GoalEvent | null {
  const goal = activeGoalIn(state);
  if (goal === null || goal.checkpoints.length === 0 || goal.next !== undefined) return null;
  if (goal.checkpoints.some(({ status }) => status !== 'completed')) return null;
  return { type: 'completed', goal: goal.id, summary: '' };
}

/**
 * Returns the completion if the model changed checkpoints since the user's newest message; a goal that the user
 * reopened stays open.
 */
export function completionByModel(state: GoalState): GoalEvent | null {
  const worked = state.records
    .slice(state.recentFrom)
    .some(
      ({ id, origin, event }) => isAutomatic(origin) && event.type.startsWith('checkpoint-') && !state.undone.has(id),
    );
  return worked ? completionOf(state) : null;
}
