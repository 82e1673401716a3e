/** Log entries about changes: staged, settled, and undone. */
import * as z from 'zod/v4';
import { lazy } from '../base/lazy';
import type { Failure } from '../ports/failure';

/** Changes that wait for the user, in their current form. `dropped` names changes that no longer apply. */
export interface StagedEntryBody {
  readonly kind: 'changes-staged';
  readonly changeset: string;
  readonly changes: ChangesetRecord['changes'];
  readonly dropped: readonly string[];
}

/** The result of one applied change. */
export interface AppliedRecord {
  readonly change: string;
  /** Journal operations, in order. */
  readonly operations: readonly string[];
  readonly merged: boolean;
  readonly altered: boolean;
  readonly rewritten: readonly string[];
  /** Whether nothing was written, because it was done already, as after an apply on another device. */
  readonly found?: boolean;
}

export interface SettledEntryBody {
  readonly kind: 'changes-settled';
  readonly changeset: string;
  /** `policy` if no approval was needed. */
  readonly by: 'user' | 'policy';
  /** Approval tokens by change: see approvalToken. */
  readonly approved: Readonly<Record<string, string>>;
  /** The changes as they were applied. */
  readonly applied: ChangesetRecord['changes'];
  readonly results: readonly AppliedRecord[];
  /** Changes that could not be applied and still wait, with the reason. */
  readonly failed: readonly { readonly change: string; readonly failure: Failure }[];
  readonly waiting: ChangesetRecord['changes'];
  /** Changes of which nothing was accepted; absent in older entries. */
  readonly rejected?: readonly string[];
  /** The user's reason for the rejected changes; empty for none. */
  readonly reason: string;
  /** What the next message reports to the model; empty for nothing. */
  readonly told: string;
}

export interface UndoneEntryBody {
  readonly kind: 'changes-undone';
  readonly changeset: string;
  readonly redo: boolean;
  /** Operations that were undone, each with the operation that reversed it. */
  readonly pairs: readonly { readonly operation: string; readonly by: string }[];
  readonly failed: readonly { readonly operation: string; readonly failure: Failure }[];
  readonly told: string;
}

/** From this entry on, the chat contains untrusted text. */
export interface TaintedEntryBody {
  readonly kind: 'tainted';
  /** The source of the text, in words. */
  readonly source: string;
}

export type ChangeEntryBody = StagedEntryBody | SettledEntryBody | UndoneEntryBody;

/** Returns the ids by which an outcome may name these changes: of their changeset, and of each. */
export function idsOfStaged({ changeset, changes }: StagedEntryBody): readonly string[] {
  return [changeset, ...changes.map(({ id }) => id)];
}

/**
 * Whether an outcome is one of changes with these ids: see `idsOfStaged`. Where several changesets waited as one, that one
 * alone says nothing of them; only older entries, and an undo, which is of one changeset, name no changes.
 */
export function isOutcomeOf(entry: SettledEntryBody | UndoneEntryBody, ids: ReadonlySet<string>): boolean {
  if (entry.kind === 'changes-undone' || entry.rejected === undefined) return ids.has(entry.changeset);
  const { applied, failed, rejected } = entry;
  return [...applied.map(({ id }) => id), ...failed.map(({ change }) => change), ...rejected].some((id) => ids.has(id));
}

/** Returns the minimum shape that an entry must have to be read at all. */
export function changeEntryShapes(): { readonly [Kind in ChangeEntryBody['kind']]: z.ZodType } {
  const text = z.string();
  const { changes } = changesetRecord().shape;
  const failure = z.looseObject({ kind: text, words: text, remedy: text });
  return {
    'changes-staged': z.looseObject({ changeset: text.min(1), changes, dropped: z.array(text) }),
    'changes-settled': z.looseObject({
      changeset: text.min(1),
      by: z.enum(['user', 'policy']),
      approved: z.record(text, text),
      applied: changes,
      results: z.array(
        z.looseObject({
          change: text,
          operations: z.array(text),
          merged: z.boolean(),
          altered: z.boolean(),
          rewritten: z.array(text),
          found: z.boolean().optional(),
        }),
      ),
      failed: z.array(z.looseObject({ change: text, failure })),
      waiting: changes,
      rejected: z.array(text).optional(),
      reason: text,
      told: text,
    }),
    'changes-undone': z.looseObject({
      changeset: text.min(1),
      redo: z.boolean(),
      pairs: z.array(z.looseObject({ operation: text, by: text })),
      failed: z.array(z.looseObject({ operation: text, failure })),
      told: text,
    }),
  };
}

const changeRecord = lazy(() =>
  z.object({
    id: z.string().min(1),
    from: z.string().nullable(),
    to: z.string().nullable(),
    base: z.object({ hash: z.string(), text: z.string().nullable(), modified: z.number().optional() }).nullable(),
    /** The edits that turn the base text into the new one; null if the text is unchanged. */
    edits: z.array(z.object({ start: z.int().min(0), end: z.int().min(0), text: z.string() })).nullable(),
    calls: z.array(z.object({ id: z.string(), tool: z.string(), arguments: z.string() })),
    taint: z.string().nullable(),
    movedFrom: z.string().optional(),
    changeset: z.string().optional(),
  }),
);

export const changesetRecord = lazy(() => z.object({ id: z.string().min(1), changes: z.array(changeRecord()) }));
export type ChangesetRecord = z.infer<ReturnType<typeof changesetRecord>>;
