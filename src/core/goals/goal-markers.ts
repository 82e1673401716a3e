/** Goal markers in the answers of a turn: parsing them, and applying them when the turn ends (R121, K17). */
import { authoredLines } from '../markdown/opaque-text';
import { textOfAnswer } from '../markup/escapes';
import { type Outcome, succeed } from '../ports/failure';
import { isUserEntry, type SessionEntry } from '../session/entry';
import { findLastIndex } from '../session/running-fold';
import type { CheckpointStatus } from '../session/goal-entry';
import { completionByModel, type GoalBook } from './goal-manager';
import type { GoalRequest } from './goal-request';

/** Maximum characters of a marker; a longer line is prose. */
const maxLineLength = 2_000;

const markerLine = /^\[(GOAL|CHECKPOINT|DECISION|ARTIFACT|NEXT)\][ \t]+(\S.*)$/;
const statusAtEnd = /\s[-–—]\s+(COMPLETED|IN[- ]PROGRESS|PENDING|BLOCKED)(?::\s*(\S.*))?$/;
const lockAtEnd = /\s[-–—]\s+LOCKED$/;
const changedPath = /^(Created|Modified|Deleted):?\s+(\S.*)$/;

/**
 * Returns the changes that a text requests by markers, in order, such as `[NEXT] Ring the yard`. Reads only lines that
 * start with a marker in the author's own text, never code, quotes, or callouts (R121, K17).
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
  // A blocked checkpoint is pending and has a reason.
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

/**
 * Applies the markers of a turn's answers, each answer once, and completes the goal if everything is done (R117, R121).
 * Skips changes that a rule forbids, since a marker cannot be answered; fails only if the log cannot be written.
 */
export async function closeTurn(goals: GoalBook, entries: readonly SessionEntry[]): Promise<Outcome<unknown>> {
  const turn = entries.slice(findLastIndex(entries, isUserEntry) + 1);
  const done = new Set(turn.map((entry) => (entry.kind === 'goal' ? entry.answer : undefined)));
  for (const entry of turn) {
    if (entry.kind !== 'assistant' || done.has(entry.id)) continue;
    const changed = await requestMarkers(goals, wholeLines(entry), entry.id);
    if (!changed.ok) return changed;
  }
  return goals.enqueue((state) => succeed(completionByModel(state)), { origin: lastOrigin(goals) });
}

/** Requests the changes that the markers of a text name. Also used for a summary that replaces messages (R127). */
export async function requestMarkers(goals: GoalBook, text: string, answer: string): Promise<Outcome<unknown>> {
  for (const request of readGoalMarkers(text)) {
    const changed = await goals.request(request, { origin: 'model-marker', answer });
    if (!changed.ok && changed.failure.kind === 'storage') return changed;
  }
  return succeed(undefined);
}

/**
 * Returns the model's own words, without reasoning and results. Omits the last line of an interrupted answer, which may
 * be incomplete.
 */
function wholeLines(entry: SessionEntry & { readonly kind: 'assistant' }): string {
  const text = textOfAnswer(entry);
  const { end } = entry;
  const isWhole = end === 'complete' || end === 'tool-calls';
  return isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1);
}

function lastOrigin({ state }: GoalBook): 'model-marker' | 'model-tool' {
  return state.records.at(-1)?.origin === 'model-tool' ? 'model-tool' : 'model-marker';
}
