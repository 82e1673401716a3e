/**
 * What the user decided on waiting changes, as it is stored on the device: a review that is half decided outlasts a
 * restart, which a phone makes at any time.
 */
import * as z from 'zod/v4';
import { lazy } from '../../base/lazy';
import type { Digest, UnsavedTexts } from '../../ports/device';
import { type ChangeDecision, type FileChange, hunksOfChange, stepsOf } from '../changeset/changeset';
import type { Hunk } from '../changeset/diff';

const shape = lazy(() =>
  z.record(
    z.string(),
    z.object({
      /** A fingerprint of the change on which it was decided. */
      of: z.string(),
      /** Where the rejected hunks are in the text before; a later version may number hunks in another way. */
      rejected: z.union([z.literal('all'), z.array(z.object({ start: z.number(), end: z.number() }))]),
      move: z.boolean(),
      reason: z.string().optional(),
    }),
  ),
);

/** By the id of the change. */
export type StoredDecisions = z.infer<ReturnType<typeof shape>>;

/** Where the decisions of a chat are stored. */
export interface DecisionMemory {
  readonly digest: Digest;
  read(): Promise<StoredDecisions>;
  write(decisions: StoredDecisions): void;
}

export function rememberDecisions(chat: string, unsaved: UnsavedTexts, digest: Digest): DecisionMemory {
  const key = `decisions-${chat}`;
  return {
    digest,
    read: async () => {
      try {
        return shape().parse(JSON.parse((await unsaved.read(key)) ?? '{}'));
      } catch {
        // All is accepted by default, as before anything was decided.
        return {};
      }
    },
    // What cannot be stored holds until the app is closed.
    write: (decisions) => {
      const isEmpty = Object.keys(decisions).length === 0;
      void unsaved.write(key, isEmpty ? null : JSON.stringify(decisions)).catch(() => undefined);
    },
  };
}

export function storedDecision(
  change: FileChange,
  { hunks, move, reason }: ChangeDecision,
  digest: Digest,
): StoredDecisions[string] {
  const isRejected = ({ index }: Hunk): boolean => hunks !== 'all' && hunks !== 'none' && !hunks.includes(index);
  const places = hunks === 'all' ? [] : hunksOfChange(change).filter(isRejected);
  return {
    of: printOf(change, digest),
    rejected: hunks === 'none' ? 'all' : places.map(({ start, end }) => ({ start, end })),
    move,
    ...(reason !== undefined && { reason }),
  };
}

/** Returns what was decided on a change; null if it was decided on another one. */
export function decisionOn(
  change: FileChange,
  { of, rejected, move, reason }: StoredDecisions[string],
  digest: Digest,
): ChangeDecision | null {
  if (of !== printOf(change, digest)) return null;
  const more = { move, ...(reason !== undefined && { reason }) };
  if (rejected === 'all' || rejected.length === 0) return { hunks: rejected === 'all' ? 'none' : 'all', ...more };
  const isAt = ({ start, end }: Hunk): boolean => rejected.some((place) => place.start === start && place.end === end);
  const all = hunksOfChange(change);
  const out = all.filter(isAt);
  if (out.length !== rejected.length) return null;
  const hunks = all.filter((hunk) => !out.includes(hunk)).map(({ index }) => index);
  return { hunks: hunks.length === 0 ? 'none' : hunks, ...more };
}

/** The same for a note that was renamed since. */
function printOf(change: FileChange, digest: Digest): string {
  return digest(JSON.stringify([change.base?.hash, change.text, stepsOf(change)])).slice(0, 16);
}
