/** Badges: what a reviewer should look at twice in a change, found by code and never by the model (rules 6.2). */
import { type ActiveItem, newActiveContent, newHosts } from './active-content';
import { type FileChange, pathOf, stepsOf, textAfter, textBefore } from './changeset';
import { hunksOf } from './diff-text';

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
export const largeRemoval = 0.3;

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
export function removedShare(before: string, after: string): number {
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
