/** How full the context window is, where a chat is compacted, and which tier a context window gets. */
import { type ModelDescription, tinyWindow } from '../ports/model';
import type { RequestTotals } from '../ports/request-plan';
import type { ContextStatusInfo, DeviceFacts } from '../prompt/world';
import type { PromptRebuilt } from '../session/entry';
import type { Tier } from '../settings/mode';
import type { Settings } from '../settings/settings';

// Status levels, by share of the tokens up to the next compaction (K36, R145).

export type StatusLevel = ContextStatusInfo['status'];

/** The share at which each level starts, highest first. */
const levels: readonly (readonly [number, StatusLevel])[] = [
  [0.9, 'critical'],
  [0.75, 'warning'],
  [0, 'ok'],
];

/**
 * Context windows up to this size report their status when the setting is 'auto' (R149), and clear all old parts at
 * once.
 */
export const smallWindow = 32 * 1024;

export function levelOf(used: number, room: number): StatusLevel {
  const share = room <= 0 ? 1 : used / room;
  return levels.find(([from]) => share >= from)?.[1] ?? 'ok';
}

/** Returns the status for the prompt, from the totals of the request before this one. */
export function contextStatusOf(
  totals: Pick<RequestTotals, 'all' | 'window' | 'reserve'>,
  settings: CompactionSettings & Pick<Settings, 'contextStatus' | 'saveStateFirst'>,
): ContextStatusInfo | null {
  const { contextStatus } = settings;
  if (contextStatus === 'never') return null;
  const { used, full, percent, level: status } = fullnessOf(totals, settings);
  // A large window is worth a word only once it fills.
  if (contextStatus === 'auto' && totals.window > smallWindow && status === 'ok') return null;
  return {
    usedTokens: used,
    maxTokens: full,
    percentUsed: percent,
    status,
    statusMessage: status === 'ok' ? '' : `${Math.max(0, full - used)} tokens are left.`,
    atLimit: limitOf(settings),
  };
}

/** Without automatic summaries, the oldest messages are left out of a request that is too large. */
function limitOf({
  compaction,
  saveStateFirst,
}: Pick<Settings, 'compaction' | 'saveStateFirst'>): NonNullable<ContextStatusInfo['atLimit']> {
  if (compaction === 'manual') return 'left-out';
  return saveStateFirst ? 'saved-and-summarized' : 'summarized';
}

/** How full the context window is: the one figure that the user and the model are given. */
export interface Fullness {
  readonly used: number;
  /** See `fullAt`. */
  readonly full: number;
  /** Whole percent. */
  readonly percent: number;
  readonly level: StatusLevel;
}

export function fullnessOf(
  { all, window, reserve }: Pick<RequestTotals, 'all' | 'window' | 'reserve'>,
  settings: CompactionSettings,
): Fullness {
  const full = fullAt({ window, reserve }, settings);
  return { used: all, full, percent: full <= 0 ? 100 : Math.round((all / full) * 100), level: levelOf(all, full) };
}

// The compaction point: a share of the tokens that a request can use, or a number of tokens (R239, K23).

export type CompactionSettings = Pick<Settings, 'compaction' | 'compactionShare' | 'compactionCap'>;

/** Context windows of at least this size are compacted earlier: a large history costs more than it helps. */
const largeWindow = 200_000;
const shares = { large: 0.5, small: 0.8 } as const;

/** Returns the tokens of the context window that a request can use. */
export function usableWindow({ window, reserve }: Pick<RequestTotals, 'window' | 'reserve'>): number {
  return Math.max(0, window - reserve);
}

/** Returns the size of a request, in tokens, at which older messages are summarized. */
export function compactionPoint(
  totals: Pick<RequestTotals, 'window' | 'reserve'>,
  { compactionShare, compactionCap }: Pick<CompactionSettings, 'compactionShare' | 'compactionCap'>,
): number {
  const usual = totals.window >= largeWindow ? shares.large : shares.small;
  const share = compactionShare === null ? usual : compactionShare / 100;
  return Math.floor(Math.min(share * usableWindow(totals), compactionCap ?? Infinity));
}

/**
 * Returns the size of a request, in tokens, at which older messages are summarized on their own; null if they are not:
 * if the user summarizes, and in a tiny window, which is cleared when a request does not fit.
 */
export function automaticPoint(
  totals: Pick<RequestTotals, 'window' | 'reserve'>,
  settings: CompactionSettings,
): number | null {
  const isOwn = settings.compaction === 'manual' || totals.window <= tinyWindow;
  return isOwn ? null : compactionPoint(totals, settings);
}

/** Returns what counts as full: the compaction point, or all usable tokens if there is none (K36). */
export function fullAt(totals: Pick<RequestTotals, 'window' | 'reserve'>, settings: CompactionSettings): number {
  const room = usableWindow(totals);
  return Math.min(room, automaticPoint(totals, settings) ?? room);
}

// The tier of a chat: the user's choice, else the pinned tier, else what model and device support (R105, K3).

/** The highest automatic tier by device: mobile devices have slower and more expensive connections. */
const ceilings: Readonly<Record<DeviceFacts['platform'], Tier>> = { desktop: 5, mobile: 4 };

export interface TierQuestion {
  readonly choice: Tier | 'auto';
  /** What the chat was pinned to when its prompt was last written; null for a new chat, and to choose again. */
  readonly pinned: Pick<PromptRebuilt, 'tier' | 'automatic' | 'model' | 'window'> | null;
  readonly model: Pick<ModelDescription, 'id' | 'contextWindow'>;
  /** See `pinnedWindow`. */
  readonly window: number | null;
  readonly platform: DeviceFacts['platform'];
}

/**
 * Returns the context window to which an automatic tier is pinned: the one that the server turned out to hold, else the
 * one that the user has set; null for the model's own.
 */
export function pinnedWindow(
  { contextWindow, assumedWindow }: Pick<ModelDescription, 'contextWindow' | 'assumedWindow'>,
  settings: Pick<Settings, 'contextWindow'>,
): number | null {
  return assumedWindow === undefined ? settings.contextWindow : contextWindow;
}

/**
 * An automatic tier stays until the user chooses another tier, model or context window, even if more becomes known
 * about the model (R096).
 */
export function selectTier({ choice, pinned, model, window, platform }: TierQuestion): Tier {
  if (choice !== 'auto') return choice;
  const holds = pinned !== null && pinned.automatic && pinned.model === model.id && pinned.window === window;
  return holds ? pinned.tier : effectiveTier(model, platform);
}

/** Returns the tier for the actual context window, limited by the device. */
export function effectiveTier(
  { contextWindow }: Pick<ModelDescription, 'contextWindow'>,
  platform: DeviceFacts['platform'],
): Tier {
  const actual = tierForWindow(contextWindow);
  return actual < ceilings[platform] ? actual : ceilings[platform];
}

// The tier of a context window: a size between two tiers gets the higher one (R088-R092, R261).

const kilo = 1024;

/** The largest context window of each tier, in tokens; tier 5 has everything above. */
const upTo: readonly (readonly [number, Tier])[] = [
  [4 * kilo, 1],
  [8 * kilo, 2],
  [16 * kilo, 3],
  [32 * kilo, 4],
];

/** @param window tokens of the context window */
export function tierForWindow(window: number): Tier {
  for (const [limit, tier] of upTo) if (window <= limit) return tier;
  return 5;
}
