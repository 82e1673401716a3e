/** GoalRequest: a change to the goal under way, in words rather than ids, as markers and the model's tool ask for it. */
import { words } from '../../text';
import { oneLine } from '../markup/prose';
import { type Outcome, succeed } from '../ports/failure';
import type { Artifact, CheckpointStatus, GoalEvent, GoalPriority } from '../session/goal-entry';
import { goalFailure } from './goal-rules';
import { activeGoalIn, findByWords, type GoalState, type Goals, isAutomatic, type StoredGoal } from './goal-state';

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
const maxTextLength = 300;

/** Text as a goal keeps it: on one line, and not too long. */
export function goalText(text: string): string {
  const line = oneLine(text);
  return line.length <= maxTextLength ? line : `${line.slice(0, maxTextLength - 1).trimEnd()}…`;
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

// What a goal keeps of a file that was made, changed or deleted on the way to it (R116, R125).

/** Characters of a path. */
const maxPathLength = 400;

/** The path of a file as someone wrote it, in brackets or ticks or without; empty for what is no path in a vault. */
function pathIn(written: string): string {
  const bare = written
    .trim()
    .replace(/^`(.*)`$/, '$1')
    .replace(/^!?\[\[([^\]|#]+)(?:[#|][^\]]*)?\]\]$/, '$1')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
    .trim();
  const isPath = bare.length <= maxPathLength && !/\p{Cc}|:\/\/|^[A-Za-z]:/u.test(bare);
  return isPath && !bare.split('/').some((part) => part === '..' || part === '.' || part === '') ? bare : '';
}

/** The artifact of a change to a note or file; its path is empty when what was written is no path. */
export function artifactOf(written: string, action: Artifact['action']): Artifact {
  const path = pathIn(written);
  return { type: typeOf(path), path, action };
}

function typeOf(path: string): Artifact['type'] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? 'md';
  if (ending === 'md') return 'note';
  return ending === 'canvas' || ending === 'base' ? ending : 'attachment';
}

// Records files that were made, changed or deleted as artifacts of the goal under way (R125).

export interface ChangedFile {
  readonly path: string;
  readonly action: 'created' | 'modified' | 'deleted';
}

/** What the goal cannot take up is left out, and all of it without a goal. Only what the log refuses is a failure. */
export async function recordFiles(goals: GoalPort, files: readonly ChangedFile[]): Promise<Outcome<unknown>> {
  for (const { path, action } of files) {
    const recorded = await goals.request({ action: 'artifact', path, change: action });
    if (!recorded.ok && recorded.failure.kind === 'storage') return recorded;
  }
  return succeed(undefined);
}

// Artifacts follow their files: the events that a chat needs when files or folders got new paths (R116).

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** Nothing for renames that touch no artifact, so that most chats write nothing. */
export function eventsOfRenames({ list }: Goals, renames: readonly Rename[]): GoalEvent[] {
  const paths = list.flatMap(({ artifacts }) => artifacts.map(({ path }) => path));
  const pathsAt = (from: string): string[] => paths.filter((path) => path === from || path.startsWith(`${from}/`));
  return renames.flatMap(({ from, to }) => {
    const known = pathsAt(from);
    if (known.length === 0) return [];
    paths.push(...known.map((path) => to + path.slice(from.length)));
    return { type: 'artifact-renamed', from, to };
  });
}

// What the model changed by itself, in words, so that a person can look at it and take it back (K18).

export interface GoalChange {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly text: string;
  readonly undone: boolean;
  /** Whether it came with the answer to the user's newest message. */
  readonly recent: boolean;
}

/** Newest first. */
export function automaticChanges(state: GoalState): GoalChange[] {
  return state.records
    .map(({ id, time, origin, event }, index) => ({
      automatic: isAutomatic(origin),
      change: {
        id,
        time,
        text: describe(event, state),
        undone: state.undone.has(id),
        recent: index >= state.recentFrom,
      },
    }))
    .filter(({ automatic }) => automatic)
    .map(({ change }) => change)
    .reverse();
}

function describe(event: GoalEvent, state: GoalState): string {
  const say = words.goals.changes;
  /** Words of what an event is about; those that it had when it was made, since it may be gone by now. */
  const named = (id: string): string => {
    const made = state.records.find((each) => each.id === id)?.event;
    return made !== undefined && 'description' in made ? (made.description ?? '') : '';
  };
  switch (event.type) {
    case 'created':
      return say.created(event.description);
    case 'paused':
    case 'resumed':
    case 'dismissed':
    case 'completed':
      return say[event.type](named(event.goal));
    case 'pinned':
      return event.pinned ? say.pinned(named(event.goal)) : say.unpinned(named(event.goal));
    case 'edited':
      return say.edited(event.description ?? named(event.target));
    case 'checkpoint-created':
    case 'checkpoint-updated': {
      const text = event.type === 'checkpoint-created' ? event.description : named(event.checkpoint);
      if (event.blocker !== undefined) return say.blocked(text, event.blocker);
      const isNew = event.type === 'checkpoint-created' && event.status === 'pending';
      return isNew ? say.checkpointCreated(text) : say.checkpointUpdated[event.status](text);
    }
    case 'decision-recorded':
      return event.locked ? say.decisionLocked(event.description) : say.decisionRecorded(event.description);
    case 'decision-locked':
      return say.decisionLocked(named(event.decision));
    case 'artifact-recorded':
      return say.artifactRecorded(say.artifact[event.artifact.action], event.artifact.path);
    case 'artifact-renamed':
      return say.artifactRenamed(event.from, event.to);
    case 'next-set':
      return event.description === '' ? say.noNext : say.next(event.description);
    case 'undone':
    case 'redone':
      return say[event.type];
  }
}
