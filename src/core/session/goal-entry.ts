/** Goals in the log: the shape of a goal, and the events that change one (R112). */
import * as z from 'zod/v4';
import { lazy } from '../base/lazy';

export interface Checkpoint {
  readonly id: string;
  readonly description: string;
  readonly status: 'pending' | 'in-progress' | 'completed';
  /** Milliseconds since the epoch. */
  readonly completedAt?: number;
  /** What blocks the checkpoint, if anything. */
  readonly blocker?: string;
}

export interface Decision {
  readonly id: string;
  readonly description: string;
  readonly rationale: string;
  /** A locked decision cannot change (R115). */
  readonly locked: boolean;
}

export interface Artifact {
  readonly type: 'note' | 'attachment' | 'canvas' | 'base';
  readonly path: string;
  readonly action: 'created' | 'modified' | 'deleted';
}

export interface Goal {
  readonly id: string;
  readonly description: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'active' | 'paused' | 'completed';
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly completedAt?: number;
  readonly checkpoints: readonly Checkpoint[];
  readonly decisions: readonly Decision[];
  readonly artifacts: readonly Artifact[];
  /** The next step (R262). */
  readonly next?: string;
}

export type GoalPriority = Goal['priority'];
export type CheckpointStatus = Checkpoint['status'];

/** Who made a change; the vault only updates paths when files are renamed. */
const goalOrigins = ['user', 'model-marker', 'model-tool', 'vault'] as const;
export type GoalOrigin = (typeof goalOrigins)[number];

/**
 * What can happen to the goals of a chat; each event is a separate entry, outside the history (R112). A created item
 * has the id of the event's entry; `goal`, `checkpoint`, and `decision` are such ids.
 */
export type GoalEvent =
  | { readonly type: 'created'; readonly description: string; readonly priority: GoalPriority }
  | { readonly type: 'paused'; readonly goal: string }
  | { readonly type: 'resumed'; readonly goal: string }
  | { readonly type: 'dismissed'; readonly goal: string }
  | { readonly type: 'pinned'; readonly goal: string; readonly pinned: boolean }
  | { readonly type: 'completed'; readonly goal: string; readonly summary: string }
  /** A new description of the goal itself, or of one of its checkpoints or decisions. */
  | {
      readonly type: 'edited';
      readonly goal: string;
      readonly target: string;
      readonly description?: string;
      readonly priority?: GoalPriority;
    }
  | {
      readonly type: 'checkpoint-created';
      readonly goal: string;
      readonly description: string;
      readonly status: CheckpointStatus;
      readonly blocker?: string;
      readonly metadata?: Readonly<Record<string, unknown>>;
      readonly summary?: string;
    }
  | {
      readonly type: 'checkpoint-updated';
      readonly goal: string;
      readonly checkpoint: string;
      readonly status: CheckpointStatus;
      readonly blocker?: string;
    }
  /** Updates an existing decision with the same description. */
  | {
      readonly type: 'decision-recorded';
      readonly goal: string;
      readonly description: string;
      readonly rationale: string;
      readonly locked: boolean;
    }
  | { readonly type: 'decision-locked'; readonly goal: string; readonly decision: string }
  | { readonly type: 'artifact-recorded'; readonly goal: string; readonly artifact: Artifact }
  /** Applies to all goals, and to everything in a renamed folder. */
  | { readonly type: 'artifact-renamed'; readonly from: string; readonly to: string }
  /** An empty description removes the next step. */
  | { readonly type: 'next-set'; readonly goal: string; readonly description: string }
  /** Reverses an earlier event, or restores it. */
  | { readonly type: 'undone' | 'redone'; readonly event: string };

const idFields = ['goal', 'target', 'checkpoint', 'decision', 'event'];

/** Returns the event with its ids renamed, as in a copy of the log. */
export function renameIds(event: GoalEvent, named: (id: string) => string): GoalEvent {
  const fields = Object.entries(event).map(([field, value]: [string, unknown]): [string, unknown] => [
    field,
    idFields.includes(field) && typeof value === 'string' ? named(value) : value,
  ]);
  return Object.fromEntries(fields) as GoalEvent;
}

export interface GoalEntryBody {
  readonly kind: 'goal';
  readonly event: GoalEvent;
  readonly origin: GoalOrigin;
  /** For a marker: the entry of the answer that contained it. */
  readonly answer?: string;
}

const shapes = lazy((): { readonly [Type in GoalEvent['type']]: z.ZodType } => {
  const text = z.string();
  const ofGoal = z.looseObject({ goal: text });
  const ofEvent = z.looseObject({ event: text });
  const status = z.enum(['pending', 'in-progress', 'completed']);
  const priority = z.enum(['high', 'medium', 'low']);
  return {
    created: z.looseObject({ description: text, priority }),
    paused: ofGoal,
    resumed: ofGoal,
    dismissed: ofGoal,
    pinned: ofGoal.extend({ pinned: z.boolean() }),
    completed: ofGoal.extend({ summary: text }),
    edited: ofGoal.extend({ target: text, description: text.optional(), priority: priority.optional() }),
    'checkpoint-created': ofGoal.extend({ description: text, status, blocker: text.optional() }),
    'checkpoint-updated': ofGoal.extend({ checkpoint: text, status, blocker: text.optional() }),
    'decision-recorded': ofGoal.extend({ description: text, rationale: text, locked: z.boolean() }),
    'decision-locked': ofGoal.extend({ decision: text }),
    'artifact-recorded': ofGoal.extend({
      artifact: z.looseObject({
        type: z.enum(['note', 'attachment', 'canvas', 'base']),
        path: text,
        action: z.enum(['created', 'modified', 'deleted']),
      }),
    }),
    'artifact-renamed': z.looseObject({ from: text, to: text }),
    'next-set': ofGoal.extend({ description: text }),
    undone: ofEvent,
    redone: ofEvent,
  };
});

/** Returns the shape of a stored goal entry; an event of another shape comes from a newer version. */
export const goalEntryShape = (): z.ZodType =>
  z.looseObject({
    event: z
      .looseObject({ type: z.string() })
      .refine(
        (event) =>
          Object.hasOwn(shapes(), event.type) && shapes()[event.type as GoalEvent['type']].safeParse(event).success,
      ),
    origin: z.enum(goalOrigins),
    answer: z.string().optional(),
  });
