/** Judges an event, writes it to the chat's log, and tells how the goals stand then. */
import { type Outcome, succeed } from '../ports/failure';
import type { SessionEntry } from '../session/entry';
import type { GoalEntryBody, GoalEvent } from '../session/goal-entry';
import { judgeGoalEvent } from './fold-goals';
import { goalFailure } from './goal-failure';
import type { GoalState } from './goal-state';

/** Where goal events stand: in order, the appended ones included. */
export interface GoalLog {
  readonly entries: readonly SessionEntry[];
}

/** Writes an entry to that log; on disk when the outcome is ok. */
export type AppendGoalEvent = (body: GoalEntryBody) => Promise<Outcome<unknown>>;

/** Makes the event from the goals as they stand when its turn comes; null when there is nothing to do. */
export type MakeEvent = (state: GoalState) => Outcome<GoalEvent | null>;

/** What is so already is no failure, and leaves no entry. */
export async function recordGoalEvent(
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

/** What a change was about, as it then stands; that it is missing cannot be. */
export function outcomeOf<Item>(
  changed: Outcome<GoalState>,
  find: (state: GoalState) => Item | null | undefined,
): Outcome<Item> {
  if (!changed.ok) return changed;
  const item = find(changed.value);
  if (item === null || item === undefined) throw new Error('A goal event was stored without effect.');
  return succeed(item);
}
