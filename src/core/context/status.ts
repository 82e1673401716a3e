/** How full the window is, by one table on shares of the room that can be used (K36, R145). */
import type { ContextStatusInfo } from '../prompt/prompt-data';
import type { RequestTotals } from '../request/request-plan';

export type StatusLevel = ContextStatusInfo['status'];

/** Shares from which a level holds, highest first. */
const levels: readonly (readonly [number, StatusLevel])[] = [
  [0.9, 'critical'],
  [0.75, 'warning'],
  [0, 'ok'],
];

/** Windows up to this size are told their status when the setting is 'auto' (R149). */
const smallWindow = 32 * 1024;

export function levelOf(used: number, room: number): StatusLevel {
  const share = room <= 0 ? 1 : used / room;
  return levels.find(([from]) => share >= from)?.[1] ?? 'ok';
}

/** The record for the prompt, from the totals of the request before this one. */
export function contextStatusOf(
  totals: Pick<RequestTotals, 'all' | 'window' | 'reserve'>,
  setting: 'auto' | 'always' | 'never',
): ContextStatusInfo | null {
  if (setting === 'never' || (setting === 'auto' && totals.window > smallWindow)) return null;
  const room = totals.window - totals.reserve;
  return {
    usedTokens: totals.all,
    maxTokens: room,
    percentUsed: room <= 0 ? 100 : Math.round((totals.all / room) * 100),
    status: levelOf(totals.all, room),
    statusMessage: '',
  };
}
