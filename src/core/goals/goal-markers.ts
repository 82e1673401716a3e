/** What the answers of a turn say of the goal: reading their markers, and what a turn leaves behind (R121, K17). */
import { authoredLines } from '../markdown/opaque-text';
import { type Outcome, succeed } from '../ports/failure';
import { textOf } from '../ports/message';
import type { SessionEntry } from '../session/entry';
import type { CheckpointStatus } from '../session/goal-entry';
import { completionByModel, type GoalBook } from './goal-manager';
import type { GoalRequest } from './goal-request';

// Goal markers: lines such as `[NEXT] Ring the yard` in which an answer says how the goal moves (R121, K17).

/** A longer line is prose. */
const maxLineLength = 2_000;

const markerLine = /^\[(GOAL|CHECKPOINT|DECISION|ARTIFACT|NEXT)\][ \t]+(\S.*)$/;
const statusAtEnd = /\s[-–—]\s+(COMPLETED|IN[- ]PROGRESS|PENDING|BLOCKED)(?::\s*(\S.*))?$/;
const lockAtEnd = /\s[-–—]\s+LOCKED$/;
const changedPath = /^(Created|Modified|Deleted):?\s+(\S.*)$/;

/**
 * The changes that a text asks for by markers, in order: only those that the author of the text says at the start of a
 * line; never those in code, quotes or callouts.
 */
export function readGoalMarkers(text: string): GoalRequest[] {
  if (!text.includes('[')) return [];
  return authoredLines(text).flatMap((line) => {
    const match = line.length > maxLineLength ? null : markerLine.exec(line.trimEnd());
    const request = match === null ? null : requestOf(match[1] ?? '', (match[2] ?? '').trim());
    return request === null ? [] : [request];
  });
}

function requestOf(marker: string, text: string): GoalRequest | null {
  switch (marker) {
    case 'GOAL':
      return { action: 'goal', description: text };
    case 'CHECKPOINT':
      return checkpointOf(text);
    case 'DECISION': {
      const bare = withoutStop(text);
      const locked = lockAtEnd.test(bare);
      return { action: 'decision', description: locked ? bare.replace(lockAtEnd, '').trim() : text, locked };
    }
    case 'ARTIFACT': {
      const [, verb, path] = changedPath.exec(withoutStop(text)) ?? [];
      if (verb === undefined || path === undefined) return null;
      return { action: 'artifact', path, change: verb.toLowerCase() as 'created' | 'modified' | 'deleted' };
    }
    default:
      return { action: 'next', description: text };
  }
}

function checkpointOf(text: string): GoalRequest {
  const match = statusAtEnd.exec(withoutStop(text));
  if (match === null) return { action: 'checkpoint', description: text, status: 'pending' };
  const description = text.slice(0, match.index).trim();
  const [, word = '', why] = match;
  // What is blocked is open, with the reason beside it.
  if (word === 'BLOCKED')
    return { action: 'checkpoint', description, status: 'pending', blocker: why ?? 'no reason given' };
  return { action: 'checkpoint', description, status: statuses[word.replace(' ', '-')] ?? 'pending' };
}

const statuses: Readonly<Record<string, CheckpointStatus>> = {
  COMPLETED: 'completed',
  'IN-PROGRESS': 'in-progress',
  PENDING: 'pending',
};

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}

// What a turn leaves for the goal: the markers of its answers, each once, and the completion of what is done (R117, R121).

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
