/**
 * Goal requests: changes to the active goal in words and not in ids, as markers, tools, and file changes express them;
 * and the model's own changes in words for the user.
 */
import { words } from '../../text';
import { startOf } from '../base/cut';
import { oneLine } from '../markup/prose';
import { type Outcome, succeed } from '../ports/failure';
import type { Artifact, CheckpointStatus, GoalEvent, GoalPriority } from '../session/goal-entry';
import {
  activeGoalIn,
  findByWords,
  type GoalState,
  type Goals,
  goalFailure,
  isAutomatic,
  type StoredGoal,
} from './goal-state';

export type GoalRequest =
  | { readonly action: 'goal'; readonly description: string; readonly priority?: GoalPriority }
  | {
      readonly action: 'checkpoint';
      readonly description: string;
      readonly status: CheckpointStatus;
      /** What blocks the checkpoint. */
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

/** The interface through which a tool changes the goal. */
export interface GoalPort {
  /** Resolves to the resulting goals. */
  request(request: GoalRequest): Promise<Outcome<Goals>>;
}

/** Maximum characters of one text in a goal: all texts are part of every request. */
const maxTextLength = 300;

/** Returns the text as goals store it: on one line, shortened to the maximum length. */
export function goalText(text: string): string {
  const line = oneLine(text);
  return line.length <= maxTextLength ? line : `${startOf(line, maxTextLength - 1).trimEnd()}…`;
}

/** Returns the event for a request. */
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

/** Maximum characters of a path. */
const maxPathLength = 400;

/** Returns the path of a file as someone wrote it, without brackets or backticks; empty if it is not a vault path. */
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

/** Returns the artifact for a change to a note or file (R116, R125). Its path is empty if the text is not a path. */
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

export interface ChangedFile {
  readonly path: string;
  readonly action: 'created' | 'modified' | 'deleted';
}

/**
 * Records created, changed, or deleted files as artifacts of the active goal (R125). Skips files that the goal rejects,
 * and all files if there is no goal; fails only if the log cannot be written.
 */
export async function recordFiles(goals: GoalPort, files: readonly ChangedFile[]): Promise<Outcome<unknown>> {
  for (const { path, action } of files) {
    const recorded = await goals.request({ action: 'artifact', path, change: action });
    if (!recorded.ok && recorded.failure.kind === 'storage') return recorded;
  }
  return succeed(undefined);
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the events that update artifact paths after files or folders were renamed (R116). Skips renames that touch no
 * artifact, so that most chats write nothing.
 */
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

/** A change that the model made automatically, in words, so that the user can check and undo it (K18). */
export interface GoalChange {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly text: string;
  readonly undone: boolean;
  /** Whether it belongs to the answer to the user's newest message. */
  readonly recent: boolean;
}

/** Returns the model's automatic changes, newest first. */
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
  /** The words of an item when it was created, since the item may be deleted by now. */
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
