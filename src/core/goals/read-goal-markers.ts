/** Goal markers: lines such as `[NEXT] Ring the yard` in which an answer says how the goal moves (R121, K17). */
import { ownLines } from '../markdown/opaque-text';
import type { CheckpointStatus } from '../session/goal-entry';
import type { GoalRequest } from './goal-request';

/** A longer line is prose. */
const longestLine = 2_000;

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
  return ownLines(text).flatMap((line) => {
    const match = line.length > longestLine ? null : markerLine.exec(line.trimEnd());
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
