/** How full the window is, where a chat is compacted, and which tier a window gets. */
import type { ModelDescription } from '../ports/model';
import type { RequestTotals } from '../ports/request-plan';
import type { ContextStatusInfo, DeviceFacts } from '../prompt/world';
import type { PromptRebuilt } from '../session/entry';
import type { Tier } from '../settings/mode';
import type { Settings } from '../settings/settings';

// How full the window is, by one table on shares of the room up to the next relief (K36, R145).

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

// Where a chat is compacted: at a share of the room that a request can use, or at a number of tokens (R239, K23).

export type CompactionSettings = Pick<Settings, 'compaction' | 'compactionShare' | 'compactionCap'>;

/** Windows from this size on are compacted earlier: a large history costs more than it helps. */
const largeWindow = 200_000;
const shares = { large: 0.5, small: 0.8 } as const;

/** Tokens of the window that a request can use. */
export function usableWindow({ window, reserve }: Pick<RequestTotals, 'window' | 'reserve'>): number {
  return Math.max(0, window - reserve);
}

/** Tokens of a request from which on older messages are summarised. */
export function compactionPoint(
  totals: Pick<RequestTotals, 'window' | 'reserve'>,
  { compactionShare, compactionCap }: Pick<CompactionSettings, 'compactionShare' | 'compactionCap'>,
): number {
  const usual = totals.window >= largeWindow ? shares.large : shares.small;
  const share = compactionShare === null ? usual : compactionShare / 100;
  return Math.floor(Math.min(share * usableWindow(totals), compactionCap ?? Infinity));
}

/** What counts as full: the point of compaction, or all that can be used where nothing is summarised by itself (K36). */
export function fullAt(totals: Pick<RequestTotals, 'window' | 'reserve'>, settings: CompactionSettings): number {
  const room = usableWindow(totals);
  return settings.compaction === 'manual' ? room : Math.min(room, compactionPoint(totals, settings));
}

// Which tier a chat gets: the user's choice, else the one it is pinned to, else what model and device can bear (R105, K3).

/** The highest tier that is chosen by itself, by the device: a phone has less patience and a dearer line. */
const ceilings: Readonly<Record<DeviceFacts['platform'], Tier>> = { desktop: 5, mobile: 4 };

export interface TierQuestion {
  readonly choice: Tier | 'auto';
  /** What the chat was pinned to when its prompt was last written; null for a new chat, and to pin it anew. */
  readonly pinned: Pick<PromptRebuilt, 'tier' | 'automatic' | 'model' | 'window'> | null;
  readonly model: Pick<ModelDescription, 'id' | 'contextWindow'>;
  /** The window that the user has set; null for what is known of the model. */
  readonly window: number | null;
  readonly platform: DeviceFacts['platform'];
}

/**
 * A tier that was chosen by itself stays as long as the user chooses no other, keeps the model and leaves its window
 * alone, whatever becomes known of the model meanwhile (R096).
 */
export function selectTier({ choice, pinned, model, window, platform }: TierQuestion): Tier {
  if (choice !== 'auto') return choice;
  const holds = pinned !== null && pinned.automatic && pinned.model === model.id && pinned.window === window;
  return holds ? pinned.tier : effectiveTier(model, platform);
}

/** The tier of the window that is really there, under the ceiling of the device. */
export function effectiveTier(
  { contextWindow }: Pick<ModelDescription, 'contextWindow'>,
  platform: DeviceFacts['platform'],
): Tier {
  const actual = tierForWindow(contextWindow);
  return actual < ceilings[platform] ? actual : ceilings[platform];
}

// Which tier a context window deserves: a size between two tiers takes the larger one (R088-R092, R261).

const kilo = 1024;

/** Largest window of each tier, in tokens; tier 5 takes everything above. */
const upTo: readonly (readonly [number, Tier])[] = [
  [4 * kilo, 1],
  [8 * kilo, 2],
  [16 * kilo, 3],
  [32 * kilo, 4],
];

/** @param window tokens the model can hold */
export function tierForWindow(window: number): Tier {
  for (const [limit, tier] of upTo) if (window <= limit) return tier;
  return 5;
}
