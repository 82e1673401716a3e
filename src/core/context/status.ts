/** How full the window is, by one table on shares of the room up to the next relief (K36, R145). */
import type { RequestTotals } from '../ports/request-plan';
import type { ContextStatusInfo } from '../prompt/world';
import type { Settings } from '../settings/settings';
import { type CompactionSettings, fullAt } from './compaction-point';

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
  settings: CompactionSettings & Pick<Settings, 'contextStatus'>,
): ContextStatusInfo | null {
  const { contextStatus } = settings;
  if (contextStatus === 'never' || (contextStatus === 'auto' && totals.window > smallWindow)) return null;
  const full = fullAt(totals, settings);
  const status = levelOf(totals.all, full);
  return {
    usedTokens: totals.all,
    maxTokens: full,
    percentUsed: full <= 0 ? 100 : Math.round((totals.all / full) * 100),
    status,
    statusMessage: status === 'ok' ? '' : `${Math.max(0, full - totals.all)} tokens are left.`,
  };
}
