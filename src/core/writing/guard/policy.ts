/** Policy: what a permission mode lets the agent do by itself, what the user is asked, and what is refused (6.1). */
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

/** What is never asked only once: each time is a decision of its own. */
const neverRemembered: readonly PermissionTier[] = ['W3', 'D', 'S'];

export interface Circumstances {
  /** Whether a third party's text is in the conversation. */
  readonly tainted: boolean;
  /** Whether there is a window in which the user can be asked. */
  readonly canAsk: boolean;
  /** Whether the user allowed this file or host for the conversation. */
  readonly granted: boolean;
}

/** Deny beats ask, and ask beats allow; what is not known is denied. */
export function decide(mode: unknown, tier: unknown, { tainted, canAsk, granted }: Circumstances): Decision {
  if (!isOneOf(permissionModes, mode) || !isOneOf(permissionTiers, tier)) return 'deny';
  const plain = table[mode][tier];
  if (plain === 'deny' || tier === 'R1') return plain;
  const settled = plain === 'ask' && granted && !neverRemembered.includes(tier) ? 'allow' : plain;
  const decision = tainted ? 'ask' : settled;
  return decision === 'ask' && !canAsk ? 'deny' : decision;
}

export interface PolicyPlaces {
  /** Folder of plans, with a trailing slash. */
  readonly plans: string;
  /** Files and folders, the latter with a trailing slash, whose text gives the agent instructions. */
  readonly instructions: readonly string[];
}

/** Files of a turn after which every change counts as W3. */
const manyFiles = 5;

/** A text of which less is left was rewritten as a whole. */
const rewrittenShare = 0.9;

export function tierOf(change: FileChange, { changes }: Changeset, places: PolicyPlaces): PermissionTier {
  const paths = [change.from, change.to].filter((path) => path !== null);
  if (paths.some((path) => places.instructions.some((place) => isPlace(place, path)))) return 'S';
  const steps = stepsOf(change);
  if (steps.includes('delete')) return 'D';
  if (steps.includes('move')) return 'W3';
  if (paths.every((path) => isPlace(places.plans, path) && /\.md$/i.test(path))) return 'P';
  if (changes.length > manyFiles) return 'W3';
  if (steps.includes('create')) return 'W1';
  return removedShare(textBefore(change), textAfter(change)) > rewrittenShare ? 'W3' : 'W2';
}

/** What happens to a change: the mode's decision, and a question in any case for what a reviewer must see. */
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

/** Whether leave to change this file again without asking means anything: for edits of what the user has seen (6.1). */
export function canBeGranted(change: FileChange, changeset: Changeset, places: PolicyPlaces): boolean {
  return change.from !== null && change.taint === null && tierOf(change, changeset, places) === 'W2';
}

/** Whether tools of this tier are shown to the model at all. */
export function isOffered(mode: unknown, tier: unknown): boolean {
  return decide(mode, tier, { tainted: false, canAsk: true, granted: false }) !== 'deny';
}

function isPlace(place: string, path: string): boolean {
  const [folded, own] = [place.toLowerCase(), path.toLowerCase()];
  return folded.endsWith('/') ? own.startsWith(folded) : own === folded || own.endsWith(`/${folded}`);
}

function isOneOf<T extends string>(list: readonly T[], value: unknown): value is T {
  return typeof value === 'string' && (list as readonly string[]).includes(value);
}

// Badges: what a reviewer should look at twice in a change, found by code and never by the model (rules 6.2).

export type Badge =
  | { readonly kind: 'active-content'; readonly items: readonly ActiveItem[] }
  | { readonly kind: 'remote-image'; readonly hosts: readonly string[] }
  | { readonly kind: 'new-host'; readonly hosts: readonly string[] }
  /** Share of the characters before that are gone, from 0 to 1. */
  | { readonly kind: 'large-removal'; readonly share: number }
  /** A note that the user neither named nor attached. */
  | { readonly kind: 'outside-mentioned' }
  /** A new address that carries text which was read. */
  | { readonly kind: 'carried-text'; readonly passages: readonly string[] }
  | { readonly kind: 'tainted'; readonly source: string };

/** Above this share of its characters a removal is large. */
const largeRemoval = 0.3;

/**
 * @param mentioned paths that the user named or attached; null when the request named none
 * @param carried what its new addresses would take out of the vault
 */
export function badgesOf(
  change: FileChange,
  mentioned: readonly string[] | null,
  carried: readonly string[] = [],
): Badge[] {
  const badges: Badge[] = [];
  const [before, after] = [textBefore(change), textAfter(change)];
  const found = change.to === null ? [] : newActiveContent(change.to, before, after);
  const images = found.filter(({ kind }) => kind === 'remote-image');
  const others = found.filter(({ kind }) => kind !== 'remote-image');
  if (others.length > 0) badges.push({ kind: 'active-content', items: others });
  if (images.length > 0) badges.push({ kind: 'remote-image', hosts: [...new Set(images.map(({ runner }) => runner))] });
  const hosts = change.to === null ? [] : newHosts(before, after);
  if (hosts.length > 0) badges.push({ kind: 'new-host', hosts });
  if (carried.length > 0) badges.push({ kind: 'carried-text', passages: carried });
  const share = stepsOf(change).includes('edit') ? removedShare(before, after) : 0;
  if (share > largeRemoval) badges.push({ kind: 'large-removal', share });
  const path = pathOf(change);
  if (mentioned !== null && change.from !== null && !mentioned.some((each) => isOrHolds(each, path))) {
    badges.push({ kind: 'outside-mentioned' });
  }
  if (change.taint !== null) badges.push({ kind: 'tainted', source: change.taint });
  return badges;
}

/** How much of the text before its changed lines no longer hold. */
function removedShare(before: string, after: string): number {
  if (before.length === 0) return 0;
  const removed = hunksOf(before, after).reduce((sum, hunk) => sum + Math.max(0, hunk.removed.length - kept(hunk)), 0);
  return removed / before.length;
}

/** Characters of the removed lines that the added ones begin and end with. */
function kept({ removed, added }: { readonly removed: string; readonly added: string }): number {
  const shorter = Math.min(removed.length, added.length);
  let head = 0;
  while (head < shorter && removed.charAt(head) === added.charAt(head)) head += 1;
  let tail = 0;
  const ends = (text: string): string => text.charAt(text.length - 1 - tail);
  while (tail < shorter - head && ends(removed) === ends(added)) tail += 1;
  return head + tail;
}

/** A mentioned folder ends in a slash. */
function isOrHolds(mentioned: string, path: string): boolean {
  return mentioned === path || (mentioned.endsWith('/') && path.startsWith(mentioned));
}
