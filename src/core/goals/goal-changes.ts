/** What the model changed by itself, in words, so that a person can look at it and take it back (K18). */
import { words } from '../../text';
import type { GoalEvent } from '../session/goal-entry';
import { type GoalState, isAutomatic } from './goal-state';

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
