/** Policy: what each permission mode allows, asks the user about, and denies (6.1). */
import { foldPlace, isAtPlace } from '../../base/fold';
import { rememberOf } from '../../base/lazy';
import { type PermissionMode, permissionModes } from '../../settings/mode';
import { type Changeset, type FileChange, pathOf, stepsOf, textAfter, textBefore } from '../changeset/changeset';
import { hunksOf } from '../changeset/diff';
import { type ActiveItem, newActiveContent, newHosts } from './active-content';

/**
 * R1 reading, R2 what the user marked private, P a plan, W1 a new note, W2 an edit, W3 a move, a whole rewrite or many
 * files, D a deletion, N the network, S what gives the agent instructions.
 */
export const permissionTiers = ['R1', 'R2', 'P', 'W1', 'W2', 'W3', 'D', 'N', 'S'] as const;
export type PermissionTier = (typeof permissionTiers)[number];

export type Decision = 'allow' | 'ask' | 'deny';

const table: Readonly<Record<PermissionMode, Readonly<Record<PermissionTier, Decision>>>> = {
  plan: { R1: 'allow', R2: 'ask', P: 'allow', W1: 'deny', W2: 'deny', W3: 'deny', D: 'deny', N: 'ask', S: 'deny' },
  'read-only': {
    R1: 'allow',
    R2: 'ask',
    P: 'deny',
    W1: 'deny',
    W2: 'deny',
    W3: 'deny',
    D: 'deny',
    N: 'ask',
    S: 'deny',
  },
  review: { R1: 'allow', R2: 'ask', P: 'ask', W1: 'ask', W2: 'ask', W3: 'ask', D: 'ask', N: 'ask', S: 'ask' },
  'auto-edit': {
    R1: 'allow',
    R2: 'ask',
    P: 'allow',
    W1: 'allow',
    W2: 'allow',
    W3: 'ask',
    D: 'ask',
    N: 'ask',
    S: 'ask',
  },
};

/** Tiers whose approval is never remembered; each time needs its own decision. */
const neverRemembered: readonly PermissionTier[] = ['W3', 'D', 'S'];

export interface Circumstances {
  /** Whether the chat contains untrusted text. */
  readonly tainted: boolean;
  /** Whether the user can be asked for approval. */
  readonly canAsk: boolean;
  /** Whether the user allowed this file or host for the chat. */
  readonly granted: boolean;
  /** Whether the write reaches a place that the user did not name in the chat, so that Auto-edit asks. */
  readonly outside: boolean;
}

/** Returns the decision of a mode for a tier: deny beats ask, ask beats allow, and unknown values are denied. */
export function decide(mode: unknown, tier: unknown, { tainted, canAsk, granted, outside }: Circumstances): Decision {
  if (!isOneOf(permissionModes, mode) || !isOneOf(permissionTiers, tier)) return 'deny';
  const listed = table[mode][tier];
  if (listed === 'deny' || tier === 'R1') return listed;
  const plain = mode === 'auto-edit' && outside ? 'ask' : listed;
  const settled = plain === 'ask' && granted && !neverRemembered.includes(tier) ? 'allow' : plain;
  const decision = tainted ? 'ask' : settled;
  return decision === 'ask' && !canAsk ? 'deny' : decision;
}

export interface PolicyPlaces {
  /** The folder of plans, with a trailing slash. */
  readonly plans: string;
  /** Files and folders whose text gives the agent instructions; folders have a trailing slash. */
  readonly instructions: readonly string[];
}

/** Files in a turn beyond which every change counts as W3. */
const manyFiles = 5;

/** Removed share of a text above which the edit counts as a whole rewrite. */
const rewrittenShare = 0.9;

/** Removed share of a text above which a removal is large. */
const largeRemoval = 0.3;

export function tierOf(change: FileChange, { changes }: Changeset, places: PolicyPlaces): PermissionTier {
  const paths = [change.from, change.to].filter((path) => path !== null);
  if (paths.some((path) => directsAgent(places, path))) return 'S';
  const steps = stepsOf(change);
  if (steps.includes('delete')) return 'D';
  if (steps.includes('move')) return 'W3';
  if (paths.every((path) => isPlace(places.plans, path) && /\.md$/i.test(path))) return 'P';
  if (changes.length > manyFiles) return 'W3';
  if (steps.includes('create')) return 'W1';
  return removedShare(textBefore(change), textAfter(change)) > rewrittenShare ? 'W3' : 'W2';
}

/** Returns the decision for a change: the mode's, except that problems a reviewer must see always ask. */
export function decideChange(
  mode: unknown,
  change: FileChange,
  changeset: Changeset,
  places: PolicyPlaces,
  circumstances: Circumstances,
): Decision {
  const tainted = circumstances.tainted || change.taint !== null;
  const decision = decide(mode, tierOf(change, changeset, places), { ...circumstances, tainted });
  if (decision !== 'allow' || !hasProblem(change)) return decision;
  return circumstances.canAsk ? 'ask' : 'deny';
}

function hasProblem(change: FileChange): boolean {
  if (change.to === null) return true;
  const [before, after] = [textBefore(change), textAfter(change)];
  return newActiveContent(change.to, before, after).length > 0 || removedShare(before, after) > largeRemoval;
}

/** Whether further edits of this file can be granted: only untainted W2 edits of files the user has seen (6.1). */
export function canBeGranted(change: FileChange, changeset: Changeset, places: PolicyPlaces): boolean {
  return change.from !== null && change.taint === null && tierOf(change, changeset, places) === 'W2';
}

/** Whether tools of this tier are declared to the model. */
export function isOffered(mode: unknown, tier: unknown): boolean {
  return decide(mode, tier, { tainted: false, canAsk: true, granted: false, outside: false }) !== 'deny';
}

/** Whether the text of a file at this path gives the agent instructions. */
export function directsAgent({ instructions }: PolicyPlaces, path: string): boolean {
  return instructions.some((place) => isPlace(place, path));
}

function isPlace(place: string, path: string): boolean {
  return isAtPlace(place, path) || (!place.endsWith('/') && foldPlace(path).endsWith(`/${foldPlace(place)}`));
}

function isOneOf<T extends string>(list: readonly T[], value: unknown): value is T {
  return typeof value === 'string' && (list as readonly string[]).includes(value);
}

// Badges: what a reviewer should check in a change, found by code and never by the model (rules 6.2).

export type Badge =
  | { readonly kind: 'active-content'; readonly items: readonly ActiveItem[] }
  | { readonly kind: 'remote-image'; readonly hosts: readonly string[] }
  | { readonly kind: 'new-host'; readonly hosts: readonly string[] }
  /** Share of the old text that is removed, from 0 to 1. */
  | { readonly kind: 'large-removal'; readonly share: number }
  /** A note that the user neither mentioned nor attached. */
  | { readonly kind: 'outside-mentioned' }
  /** Why Auto-edit did not apply it: the user named none of these places in the chat. */
  | { readonly kind: 'outside-scope'; readonly paths: readonly string[] }
  /** A new address that contains text the chat has read. */
  | { readonly kind: 'carried-text'; readonly passages: readonly string[] }
  | { readonly kind: 'tainted'; readonly source: string };

/**
 * Returns the badges of a change.
 * @param mentioned paths that the user mentioned or attached; null if there are none
 * @param carried passages that its new addresses would send out of the vault
 * @param outside its ends that Auto-edit asks about because the user did not name them
 */
export function badgesOf(
  change: FileChange,
  mentioned: readonly string[] | null,
  carried: readonly string[] = [],
  outside: readonly string[] = [],
): Badge[] {
  const badges: Badge[] = [];
  const { found, hosts, share } = contentOf(change);
  const images = found.filter(({ kind }) => kind === 'remote-image');
  const others = found.filter(({ kind }) => kind !== 'remote-image');
  if (others.length > 0) badges.push({ kind: 'active-content', items: others });
  if (images.length > 0) badges.push({ kind: 'remote-image', hosts: [...new Set(images.map(({ runner }) => runner))] });
  if (hosts.length > 0) badges.push({ kind: 'new-host', hosts });
  if (carried.length > 0) badges.push({ kind: 'carried-text', passages: carried });
  if (share > largeRemoval) badges.push({ kind: 'large-removal', share });
  badges.push(...placeBadges(change, mentioned, outside));
  if (change.taint !== null) badges.push({ kind: 'tainted', source: change.taint });
  return badges;
}

/** Returns what the texts of a change show by themselves; a review asks at every click. */
const contentOf = rememberOf((change: FileChange) => {
  const [before, after] = [textBefore(change), textAfter(change)];
  return {
    found: change.to === null ? [] : newActiveContent(change.to, before, after),
    hosts: change.to === null ? [] : newHosts(before, after),
    share: stepsOf(change).includes('edit') ? removedShare(before, after) : 0,
  };
});

/** At most one badge says that a change is in a place that the user did not name: the one that makes it wait. */
function placeBadges(change: FileChange, mentioned: readonly string[] | null, outside: readonly string[]): Badge[] {
  if (outside.length > 0) return [{ kind: 'outside-scope', paths: outside }];
  if (mentioned === null || change.from === null) return [];
  const path = pathOf(change);
  return mentioned.some((each) => isOrHolds(each, path)) ? [] : [{ kind: 'outside-mentioned' }];
}

/** Returns the share of the old text that its changed lines no longer contain. */
function removedShare(before: string, after: string): number {
  if (before.length === 0) return 0;
  const removed = hunksOf(before, after).reduce(
    (sum, hunk) => sum + Math.max(0, hunk.removed.length - sharedLength(hunk)),
    0,
  );
  return removed / before.length;
}

/** Returns how many characters of the removed lines the added lines share at their start and end. */
function sharedLength({ removed, added }: { readonly removed: string; readonly added: string }): number {
  const shorter = Math.min(removed.length, added.length);
  let head = 0;
  while (head < shorter && removed.charAt(head) === added.charAt(head)) head += 1;
  let tail = 0;
  const ends = (text: string): string => text.charAt(text.length - 1 - tail);
  while (tail < shorter - head && ends(removed) === ends(added)) tail += 1;
  return head + tail;
}

/** Whether a mention is this path, or a folder above it; folders end in a slash. */
function isOrHolds(mentioned: string, path: string): boolean {
  return mentioned === path || (mentioned.endsWith('/') && path.startsWith(mentioned));
}
