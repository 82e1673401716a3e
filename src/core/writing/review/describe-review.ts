/** Builds the reviews of a chat: the pending one with all its findings, and those already settled. */
import { rememberOf } from '../../base/lazy';
import type { Vault, Yaml } from '../../ports/vault';
import type { SessionEntry } from '../../session/entry';
import type { FoldedChanges, SettledChange, SettledChanges } from '../changeset/change-log';
import {
  acceptAll,
  type ChangeDecision,
  type Changeset,
  type FileChange,
  pathOf,
  rejectAll,
  reviewChangeset,
  stepsOf,
} from '../changeset/changeset';
import {
  checkIntegrity,
  type HunkView,
  type IntegrityProblem,
  type PropertyChange,
  propertyChanges,
  viewHunks,
} from '../changeset/describe-changeset';
import { findLeakedText } from '../guard/egress';
import { badgesOf, canBeGranted, type PolicyPlaces } from '../guard/policy';
import { isMissing } from '../stage/follow-notes';
import { StagedVault, type StagedVaultPorts } from '../stage/staged-vault';
import type { Review, ReviewedChange, ReviewState } from './review';

export interface ReviewPlace {
  /** The vault without the waiting changes. */
  readonly under: Vault;
  readonly staging: StagedVaultPorts;
  /** Paths that the user mentioned or attached; null if there are none. */
  readonly mentioned: readonly string[] | null;
  /** The ends of a change that Auto-edit asks about because the user did not name them; none in other modes. */
  readonly outside: (change: FileChange) => readonly string[];
  readonly places: PolicyPlaces;
  /** The log of the chat. */
  readonly entries: readonly SessionEntry[];
  /** Returns the files that name the note of a move and do not follow it. */
  readonly namedIn: (change: FileChange) => readonly string[];
  /** Whether the user allowed edits of this note without review. */
  readonly granted: (path: string) => boolean;
}

export interface WaitingChanges {
  readonly changeset: Changeset;
  readonly decisions: { on(change: FileChange): ChangeDecision };
  readonly failures: FoldedChanges['failures'];
  readonly state: 'waiting' | 'applying';
}

export function reviewOfWaiting(
  { changeset, decisions, failures, state }: WaitingChanges,
  { under, staging, mentioned, outside, places, granted, entries, namedIn }: ReviewPlace,
): Review {
  const decisionOn = (change: FileChange): ChangeDecision => decisions.on(change);
  const { accepted } = reviewChangeset(changeset, decisionOn);
  const after = new StagedVault(under, staging);
  after.restore(accepted);
  const problems = checkIntegrity(accepted, under, after, staging.yaml);
  return {
    id: changeset.id,
    state,
    linksFollowMoves: staging.linksFollowMoves(),
    unasked: false,
    reason: '',
    changes: changeset.changes.map((change) => ({
      ...looksOf(change, staging.yaml),
      badges: badgesOf(change, mentioned, findLeakedText(change, entries), outside(change)),
      problems: problems.filter((problem) => isOf(problem, change)),
      linkedFrom: stepsOf(change).includes('move') ? under.backlinks(change.from ?? '') : [],
      namedIn: namedIn(change),
      decision: decisionOn(change),
      granted: canBeGranted(change, changeset, places) ? granted(change.from ?? '') : null,
      state,
      failure: failures.get(change.id) ?? null,
      missing: isMissing(change, under),
      merged: false,
      altered: false,
      rewritten: [],
    })),
  };
}

export function reviewOfSettled(settled: SettledChanges, { staging }: ReviewPlace): Review {
  const applied = settled.applied.map((each) => appliedChange(each, staging.yaml));
  const rejected = settled.rejected.map((change): ReviewedChange => ({
    ...looksOf(change, staging.yaml),
    ...noFindings,
    decision: rejectAll,
    state: 'rejected',
    failure: null,
    missing: false,
    merged: false,
    altered: false,
    rewritten: [],
  }));
  return {
    id: settled.id,
    state: stateOf(applied),
    changes: [...applied, ...rejected],
    linksFollowMoves: true,
    unasked: settled.by === 'policy',
    reason: settled.reason,
  };
}

const noFindings: Pick<ReviewedChange, 'badges' | 'problems' | 'linkedFrom' | 'namedIn'> = {
  badges: [],
  problems: [],
  linkedFrom: [],
  namedIn: [],
};

function appliedChange(settled: SettledChange, yaml: Yaml): ReviewedChange {
  const { change, tips, failure, merged, altered, rewritten, found = false } = settled;
  const isUndone = tips.length > 0 && tips.every(({ undone }) => undone);
  return {
    ...looksOf(change, yaml),
    ...noFindings,
    decision: acceptAll,
    state: isUndone ? 'undone' : 'applied',
    failure,
    missing: false,
    merged,
    altered,
    rewritten,
    isFound: found,
    isUndoable: tips.length > 0,
  };
}

function stateOf(applied: readonly ReviewedChange[]): ReviewState {
  if (applied.length === 0) return 'rejected';
  return applied.every(({ state }) => state === 'undone') ? 'undone' : 'applied';
}

interface Looks {
  readonly change: FileChange;
  readonly steps: ReviewedChange['steps'];
  readonly hunks: readonly HunkView[];
  readonly properties: readonly PropertyChange[] | null;
}

/** Returns the displayed data of a change. */
const looksOf = rememberOf((change: FileChange, yaml: Yaml): Looks => {
  return { change, steps: stepsOf(change), hunks: viewHunks(change), properties: propertyChanges(change, yaml) };
});

/** Whether a problem belongs to a change; a problem in another note belongs to the change that causes it. */
function isOf(problem: IntegrityProblem, change: FileChange): boolean {
  if (problem.path === change.to || problem.path === change.from) return true;
  return 'target' in problem && problem.kind !== 'lost-anchor' && change.from !== null && names(problem.target, change);
}

function names(target: string, change: FileChange): boolean {
  const plain = (path: string): string =>
    path
      .replace(/[#^|].*$/s, '')
      .replace(/\.md$/i, '')
      .toLowerCase();
  const [link, path] = [plain(target), plain(pathOf(change))];
  return path === link || path.endsWith(`/${link}`);
}

// Files other than notes that name a note by its path: Obsidian updates none of them when the note moves.

/** Bases and canvases that are read at most, and the size in bytes up to which one is read. */
const maxFiles = 200;
const maxSize = 1_000_000;

/**
 * Returns the bases and canvases that name the note of a move and do not follow it, sorted by path. A canvas whose
 * links Obsidian has indexed follows.
 */
export async function findMentions(change: FileChange, vault: Vault): Promise<readonly string[]> {
  const { from, to } = change;
  if (from === null || to === null || !stepsOf(change).includes('move')) return [];
  const following = vault.backlinks(from);
  const files = vault
    .files()
    .filter(({ path, size }) => /\.(?:base|canvas)$/i.test(path) && size <= maxSize && !following.includes(path));
  const named: string[] = [];
  const isNamed = mentionTest(from, to);
  for (const { path } of files.slice(0, maxFiles)) {
    const read = await vault.read(path);
    if (read.ok && isNamed(read.value.text)) named.push(path);
  }
  return named;
}

/** Returns a test for a text that names a note in quotes or in a link: by its path, or by its name if that changes. */
function mentionTest(from: string, to: string): (text: string) => boolean {
  const [path, name] = [withoutEnding(from), nameOf(from)];
  const isRenamed = name !== nameOf(to);
  const places = isRenamed ? [path, name] : [path];
  // The name alone still leads to a note that keeps it.
  const ending = isRenamed || path.includes('/') ? '(?:\\.md)?' : '\\.md';
  const mention = new RegExp(`["'[](?:${places.map(escape).join('|')})${ending}(?=["'\\]#|])`, 'i');
  return (text) => mention.test(text);
}

function withoutEnding(path: string): string {
  return path.replace(/\.md$/i, '');
}

function nameOf(path: string): string {
  return withoutEnding(path.slice(path.lastIndexOf('/') + 1));
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
