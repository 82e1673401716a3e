/** What a turn leaves for the goal: the markers of its answers, each once, and the completion of what is done (R117, R121). */
import { type Outcome, succeed } from '../ports/failure';
import { textOf } from '../ports/message';
import type { SessionEntry } from '../session/entry';
import { completionByModel } from './completion-of';
import type { GoalBook } from './goal-book';
import { readGoalMarkers } from './read-goal-markers';

/** A change that a rule forbids is left out: a marker cannot be answered. Only what the log refuses is a failure. */
export async function closeTurn(goals: GoalBook, entries: readonly SessionEntry[]): Promise<Outcome<unknown>> {
  const newest = entries.map(({ kind }) => kind === 'user').lastIndexOf(true);
  const turn = entries.slice(newest + 1);
  const done = new Set(turn.map((entry) => (entry.kind === 'goal' ? entry.answer : undefined)));
  for (const entry of turn) {
    if (entry.kind !== 'assistant' || done.has(entry.id)) continue;
    const changed = await requestMarkers(goals, wholeLines(entry), entry.id);
    if (!changed.ok) return changed;
  }
  return goals.enqueue((state) => succeed(completionByModel(state)), { origin: lastOrigin(goals) });
}

/** Asks for what the markers of a text say; also for those of a summary that stands for compacted messages (R127). */
export async function requestMarkers(goals: GoalBook, text: string, answer: string): Promise<Outcome<unknown>> {
  for (const request of readGoalMarkers(text)) {
    const changed = await goals.request(request, { origin: 'model-marker', answer });
    if (!changed.ok && changed.failure.kind === 'storage') return changed;
  }
  return succeed(undefined);
}

/** The model's own words: no thoughts, no results; of an answer that was cut off, no line that may have been cut. */
function wholeLines({ parts, end }: SessionEntry & { readonly kind: 'assistant' }): string {
  const text = textOf(parts);
  const isWhole = end === 'complete' || end === 'tool-calls';
  return isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1);
}

function lastOrigin({ state }: GoalBook): 'model-marker' | 'model-tool' {
  return state.records.at(-1)?.origin === 'model-tool' ? 'model-tool' : 'model-marker';
}
