/**
 * Review: the changes of a turn as shown to the user, and the actions on them. Plain data, so that a view needs no
 * vault, no YAML, and no journal.
 */
import * as z from 'zod/v4';
import { lazy } from '../../base/lazy';
import type { Digest, UnsavedTexts } from '../../ports/device';
import type { Failure, Outcome } from '../../ports/failure';
import {
  acceptAll,
  type ChangeDecision,
  type FileChange,
  hunksOfChange,
  type Step,
  stepsOf,
  textBefore,
} from '../changeset/changeset';
import type { HunkView, IntegrityProblem, PropertyChange } from '../changeset/describe-changeset';
import { type Hunk, hunksOf } from '../changeset/diff';
import type { Badge } from '../guard/policy';

/**
 * `waiting` for the user, `applying` right now, or settled: `applied` at least in part, `rejected` as a whole, or
 * `undone`.
 */
export type ReviewState = 'waiting' | 'applying' | 'applied' | 'rejected' | 'undone';

export interface ReviewedChange {
  /** The proposed change while it waits; the applied one afterwards. */
  readonly change: FileChange;
  /** The steps in the order in which they are applied. */
  readonly steps: readonly Step[];
  readonly hunks: readonly HunkView[];
  /** Properties that differ; null if either side cannot be parsed. */
  readonly properties: readonly PropertyChange[] | null;
  readonly badges: readonly Badge[];
  /** Whether the user allowed further edits of this note in this chat; null if they cannot be allowed. */
  readonly granted?: boolean | null;
  /** What applying it with the other accepted changes would break. */
  readonly problems: readonly IntegrityProblem[];
  /** Files that link to a moved file, which Obsidian updates; empty for any other change. */
  readonly linkedFrom: readonly string[];
  /** Bases and canvases that name a moved file and that Obsidian does not update. */
  readonly namedIn: readonly string[];
  /** The user's decision so far; everything is accepted by default. */
  readonly decision: ChangeDecision;
  /** `waiting` and `applying` follow the review; a change that failed to apply stays `waiting`. */
  readonly state: ReviewState;
  /** Why it could not be applied or undone; null if nothing failed. */
  readonly failure: Failure | null;
  /** Whether its note is no longer where it was; such a change cannot be applied. */
  readonly missing: boolean;
  /** Whether it was merged with edits made on disk after the proposal. */
  readonly merged: boolean;
  /** Whether something else, such as another plugin, changed the text during the save. */
  readonly altered: boolean;
  /** Whether it was done already, as after an apply on another device. */
  readonly isFound?: boolean;
  /** Whether this device or another one recorded how to undo it; absent while it waits. */
  readonly isUndoable?: boolean;
  /** Files whose links Obsidian updated with it. */
  readonly rewritten: readonly string[];
}

export interface Review {
  /** The id of the changeset. */
  readonly id: string;
  readonly state: ReviewState;
  readonly changes: readonly ReviewedChange[];
  /** False if the user turned off Obsidian's automatic link updates; a move then breaks the links to the file. */
  readonly linksFollowMoves: boolean;
  /** Whether the policy applied it without review, such as a plan, or in Auto-edit. */
  readonly unasked: boolean;
  /** The user's reason for a rejection; empty for none. */
  readonly reason: string;
}

/** The part of a change that a decision covers: one hunk by index, the move, or everything. */
export type DecisionPart = { readonly hunk: number } | 'move' | 'all';

/**
 * The user's actions on reviews. Each resolves after its effect is on disk and shown, or with the reason that it
 * failed. `decide` and `editText` work only on a waiting review; nothing is applied while an answer is being written.
 */
export interface ReviewActs {
  /** Accepts or rejects a part of a change; the reason is sent to the model with the rejected part. */
  decide(changeId: string, part: DecisionPart, accept: boolean, reason?: string): void;
  /**
   * Allows edits of this note without review until the chat is closed, or revokes that. Held in memory only. Moves,
   * deletions, and whole rewrites still need review, and so does every edit while the chat contains untrusted text.
   */
  grant(changeId: string, granted: boolean): void;
  /**
   * Replaces the proposed text with the user's own.
   * @param over the proposed text that was edited; fails if it is another one by now
   */
  editText(changeId: string, text: string, over?: string): Promise<Outcome<void>>;
  /** Makes the change of a note that is no longer there a new note with the proposed text. */
  createAgain(changeId: string): Promise<Outcome<void>>;
  /** Applies the accepted parts and rejects the rest. */
  apply(): Promise<Outcome<void>>;
  /** Rejects one change, while the others wait on, or all of them. */
  rejectAll(reason: string, changeId?: string): Promise<Outcome<void>>;
  /** Undoes one applied change of a review, or all of them; reviews can be undone in any order. */
  undo(reviewId: string, changeId?: string): Promise<Outcome<void>>;
  /** Applies undone changes again. */
  redo(reviewId: string, changeId?: string): Promise<Outcome<void>>;
}

// Decisions on the parts of a change.

export function decidePart(
  change: FileChange,
  before: ChangeDecision,
  part: DecisionPart,
  accept: boolean,
  reason: string | undefined = before.reason,
): ChangeDecision {
  const withReason = reason === undefined ? {} : { reason };
  if (part === 'all') return { hunks: accept ? 'all' : 'none', move: accept, ...withReason };
  if (part === 'move') return { ...before, move: accept, ...withReason };
  // A new file or a deletion is decided as a whole.
  if (!stepsOf(change).includes('edit')) return { hunks: accept ? 'all' : 'none', move: before.move, ...withReason };
  const all = hunksOfChange(change).map(({ index }) => index);
  const now = before.hunks === 'all' ? all : before.hunks === 'none' ? [] : before.hunks;
  const next = all.filter((index) => (index === part.hunk ? accept : now.includes(index)));
  return { hunks: chosen(next, all.length), move: before.move, ...withReason };
}

function chosen(indexes: readonly number[], count: number): ChangeDecision['hunks'] {
  return indexes.length === count ? 'all' : indexes.length === 0 ? 'none' : indexes;
}

/**
 * Returns the decision after the user edited the text: rejected hunks stay rejected, and the user's own are accepted.
 */
function carryDecision(
  before: FileChange | undefined,
  after: FileChange | undefined,
  decision: ChangeDecision = acceptAll,
): ChangeDecision {
  if (before === undefined || after === undefined) return acceptAll;
  const { hunks } = decision;
  if (hunks === 'all' || !stepsOf(after).includes('edit')) return { ...decision, hunks: 'all' };
  const isRejected = ({ index }: Hunk): boolean => hunks === 'none' || !hunks.includes(index);
  const rejected = new Set(hunksOfChange(before).filter(isRejected).map(keyOf));
  const all = hunksOfChange(after);
  const accepted = all.filter((hunk) => !rejected.has(keyOf(hunk))).map(({ index }) => index);
  return { ...decision, hunks: chosen(accepted, all.length) };
}

/** Identifies a hunk across texts: the same replacement at the same offsets. */
function keyOf({ start, end, added }: Hunk): string {
  return JSON.stringify([start, end, added]);
}

/**
 * Decisions: what the user decided on each waiting change, also after the agent has changed it further, and of notes
 * until the chat is closed.
 */
export class Decisions {
  /** Notes that may be edited without review; held in memory only, so that no file on disk can grant it (H11). */
  readonly granted = new Set<string>();
  /** Each with the change whose hunks its numbers mean. */
  private readonly held = new Map<string, { readonly change: FileChange; readonly decision: ChangeDecision }>();
  private recalling: Promise<boolean> | null = null;

  /** @param memory where they are stored; without it, they hold until the chat is closed */
  constructor(private readonly memory?: DecisionMemory) {}

  /** Reads once what was decided on these changes before a restart; resolves to whether there is any of it. */
  recall(waiting: readonly FileChange[]): Promise<boolean> {
    this.recalling ??= this.read(waiting);
    return this.recalling;
  }

  private async read(waiting: readonly FileChange[]): Promise<boolean> {
    const { memory, held } = this;
    if (memory === undefined || waiting.length === 0) return false;
    const stored = await memory.read();
    for (const change of waiting) {
      const known = stored[change.id];
      const decision = known === undefined ? null : decisionOn(change, known, memory.digest);
      // What the user has decided in the meantime is newer.
      if (decision !== null && !held.has(change.id)) held.set(change.id, { change, decision });
    }
    return held.size > 0;
  }

  on(change: FileChange): ChangeDecision {
    const held = this.held.get(change.id);
    if (held === undefined) return acceptAll;
    if (held.change !== change) this.set(change, keepRejections(held.change, change, held.decision));
    return this.held.get(change.id)?.decision ?? acceptAll;
  }

  set(change: FileChange, decision: ChangeDecision): void {
    this.held.set(change.id, { change, decision });
    this.store();
  }

  private store(): void {
    const { memory } = this;
    if (memory === undefined) return;
    const stored = [...this.held].map(
      ([id, { change, decision }]) => [id, storedDecision(change, decision, memory.digest)] as const,
    );
    memory.write(Object.fromEntries(stored));
  }

  /** Keeps the decision on a change that the user edited; one of which nothing is left has none. */
  edited(before: FileChange | undefined, after: FileChange | undefined): void {
    if (after !== undefined) this.set(after, carryDecision(before, after, before && this.on(before)));
    else if (before !== undefined) this.forget(before.id);
  }

  forget(changeId: string): void {
    if (this.held.delete(changeId)) this.store();
  }
}

/**
 * Returns the decision after the agent changed its proposal: what is now at the place of a rejected hunk stays rejected,
 * since it may contain the same text, and all else that is new is accepted.
 */
function keepRejections(before: FileChange, after: FileChange, decision: ChangeDecision): ChangeDecision {
  const [old, now] = [stepsOf(before), stepsOf(after)];
  const move = decision.move || !old.includes('move');
  if (!now.includes('edit')) {
    const isSame = old.includes('delete') === now.includes('delete');
    return { ...decision, hunks: isSame ? decision.hunks : 'all', move };
  }
  const { hunks } = decision;
  if (hunks === 'all') return { ...decision, move };
  const isRejected = ({ index }: Hunk): boolean => hunks === 'none' || !hunks.includes(index);
  const places = placesAfter(hunksOfChange(before).filter(isRejected), textBefore(before), textBefore(after));
  const all = hunksOfChange(after);
  const accepted = all
    .filter(({ start, end }) => !places.some((place) => start <= place.end && place.start <= end))
    .map(({ index }) => index);
  return { ...decision, hunks: chosen(accepted, all.length), move };
}

/** Returns where places in a text are after the text was changed; what changed at a place belongs to it. */
function placesAfter(
  places: readonly Pick<Hunk, 'start' | 'end'>[],
  before: string,
  after: string,
): readonly Pick<Hunk, 'start' | 'end'>[] {
  const changed = hunksOf(before, after);
  return places.map((place) => {
    let { start, end } = place;
    for (const hunk of changed) {
      const grown = hunk.added.length - (hunk.end - hunk.start);
      if (hunk.end < place.start) start += grown;
      else if (hunk.start < place.start) start -= place.start - hunk.start;
      if (hunk.start <= place.end) end += grown + Math.max(0, hunk.end - place.end);
    }
    return { start, end };
  });
}

// What the user decided on waiting changes, as it is stored on the device: a review that is half decided outlasts a
// restart, which a phone makes at any time.

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
type StoredDecisions = z.infer<ReturnType<typeof shape>>;

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

function storedDecision(
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
function decisionOn(
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
