/** ChatChanges: stages, reviews, applies, and undoes the changes of one chat; its state is folded from log entries. */
import { startWithEllipsis } from '../base/cut';
import { words } from '../../text';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { Vault } from '../ports/vault';
import { allEntries, type LogEntries } from '../session/branches';
import type { ChangeEntryBody } from '../session/change-entry';
import { type EntryBody, isUserEntry, type SessionEntry } from '../session/entry';
import { findLast, findLastIndex } from '../session/running-fold';
import { type PermissionMode, stricterMode } from '../settings/mode';
import {
  type AppliedFile,
  applyApproved,
  filesOf,
  fitsText,
  type Settling,
  settledEntry,
} from './apply/apply-changeset';
import { writtenChanges } from './apply/recover';
import { operationsDue, undoAll, undoneEntry } from './apply/undo';
import type { WritingPorts } from './apply/write-steps';
import { addChangeEntry, type FoldedChanges, foldChanges, withoutFailure } from './changeset/change-log';
import {
  approve,
  type ChangeDecision,
  type Changeset,
  type FileChange,
  packChangeset,
  pathOf,
  rejectAll,
  reviewChangeset,
  stepsOf,
  textAfter,
} from './changeset/changeset';
import { caseTwinOf, type ChangesetFigures, describeChangeset } from './changeset/describe-changeset';
import { findLeakedText, findNewAddresses } from './guard/egress';
import { decideChange } from './guard/policy';
import { endsOutside, foldScope, mentionedPaths, type WriteScope } from './guard/scope';
import { ChatTaint } from './guard/taint';
import { findMentions, reviewOfSettled, reviewOfWaiting } from './review/describe-review';
import { type DecisionPart, Decisions, decidePart, type Review, type ReviewActs } from './review/review';
import { findMovedNote, isMissing, type NoteMove } from './stage/follow-notes';
import { type NoteWrites, noteWritesOf } from './stage/note-writes';
import { type CallReference, recordReads } from './stage/staged-base';
import { StagedVault, type StagedVaultPorts } from './stage/staged-vault';

/** What ChatChanges needs from its chat. */
export interface ChangesChat {
  readonly log: LogEntries;
  /** The vault as on disk, without hidden notes. */
  readonly under: Vault;
  readonly ports: WritingPorts;
  record(body: EntryBody): Promise<Outcome<unknown>>;
  isRunning(): boolean;
  /** The permission mode that the user selected. */
  permission(): PermissionMode;
  /** The folder of the chosen workspace as it is on disk; null without one. */
  workspaceFolder(): string | null;
  /** Clears what was cached of notes that may have changed. */
  forget(paths: readonly string[]): void;
  /** Called with all reviews and the source of untrusted text whenever either changes. */
  show(shown: { readonly reviews: readonly Review[]; readonly taint: string | null }): void;
  /** Called with the files just written, in their state on disk. */
  applied(files: readonly AppliedFile[]): Promise<Outcome<unknown>>;
  /** What the user decided before the chat was opened again. */
  readonly decisions?: Decisions | undefined;
}

export class ChatChanges implements ReviewActs {
  /** The vault with the waiting changes included, so that the agent reads back what it wrote. */
  readonly staged: StagedVault;
  /** The same for tools that show notes: it records what they read, so that those notes may be edited. */
  readonly reading: Vault;
  /** The source of untrusted text in the chat, if any. */
  readonly taint: ChatTaint;
  private readonly staging: StagedVaultPorts;
  private folded: FoldedChanges;
  /** The changes as last written to the log, by change id. */
  private recorded: ReadonlyMap<string, FileChange> = new Map();
  readonly decisions: Decisions;
  /** The files that name the note of a waiting move and do not follow it. */
  private readonly named = new Map<string, readonly string[]>();
  private applying = false;
  /** Resolves when no changes are being applied. */
  private settled: Promise<unknown> = Promise.resolve();
  /** Changes of this turn that were applied without review. */
  private unasked: readonly FileChange[] = [];
  private modeAtStart: PermissionMode = 'auto-edit';
  private scope: { entries: unknown; length: number; folder: string | null; value: WriteScope } | null = null;
  /** Changes that waited for the user before this turn: no later message makes the policy apply them. */
  private waited: ReadonlySet<string> = new Set();

  constructor(private readonly chat: ChangesChat) {
    const { ports, under, log, decisions = new Decisions() } = chat;
    this.decisions = decisions;
    this.taint = new ChatTaint(
      allEntries(log),
      (body) => chat.record(body),
      () => this.show(),
    );
    this.staging = { ...ports.staging, taint: () => this.taint.source };
    this.staged = new StagedVault(under, this.staging);
    this.reading = recordReads(this.staged, this.staged.seen);
    this.folded = foldChanges(allEntries(log), ports.staging.digest);
    if (this.folded.pending === null) return;
    this.restore(this.folded.pending);
    void this.resume();
    void this.findMoved();
    void this.findNamed();
    void this.findFitting();
  }

  get reviews(): readonly Review[] {
    const changeset = this.staged.changeset();
    const { decisions, folded, chat } = this;
    const { under, ports, log } = chat;
    const entries = allEntries(log);
    const granted = (path: string): boolean => this.decisions.granted.has(path);
    const mentioned = mentionedPaths(log.entries);
    const namedIn = (change: FileChange): readonly string[] => this.named.get(moveKeyOf(change)) ?? [];
    const mayWait = chat.permission() === 'auto-edit';
    const outside = (change: FileChange): readonly string[] => (mayWait ? this.outside(change) : []);
    const fixed = { under, staging: this.staging, mentioned, places: ports.places(), entries };
    const place = { ...fixed, outside, granted, namedIn };
    const all = folded.settled.map((each) => reviewOfSettled(each, place));
    const settled = all.filter(({ changes }) => changes.length > 0);
    if (changeset === null) return settled;
    const state = this.applying ? 'applying' : 'waiting';
    return [...settled, reviewOfWaiting({ changeset, decisions, failures: folded.failures, state }, place)];
  }

  /** The waiting changes as described in the prompt (R212, R213); null if there are none. */
  get pendingReview(): (ChangesetFigures & { readonly request: string }) | null {
    const changeset = this.staged.changeset();
    return changeset === null
      ? null
      : { ...describeChangeset(changeset), request: lastRequest(allEntries(this.chat.log), changeset.id) };
  }

  /** Starts a turn; its writes follow the permission mode at its start, or a stricter one chosen since. */
  startTurn(): (call: CallReference) => NoteWrites {
    this.staged.startTurn();
    this.unasked = [];
    this.waited = new Set(this.staged.changeset()?.changes.map(({ id }) => id));
    const { ports } = this.chat;
    this.modeAtStart = this.chat.permission();
    return noteWritesOf(this.staged, {
      mode: () => this.mode,
      places: ports.places(),
      canAsk: ports.canAsk(),
      isTainted: () => this.taint.source !== null,
      appliesAtOnce: (change) => this.isAllowed(this.mode, change),
      settled: () => this.settled,
    });
  }

  private get mode(): PermissionMode {
    return stricterMode(this.modeAtStart, this.chat.permission());
  }

  /** Stores the changes staged so far, and applies those that need no approval. */
  async endStep(): Promise<Outcome<unknown>> {
    await this.settled;
    const stored = await this.recordStaged();
    if (!stored.ok) {
      await this.chat.record({ kind: 'failure', failure: stored.failure });
      return stored;
    }
    const changeset = this.staged.changeset();
    if (changeset === null) return succeed(undefined);
    const { mode } = this;
    const allowed = changeset.changes.filter((change) => this.isAllowed(mode, change));
    if (allowed.length === 0) return succeed(undefined);
    const waiting = changeset.changes.filter((change) => !allowed.includes(change));
    this.unasked = [...this.unasked, ...allowed];
    const accepted = { ...changeset, changes: allowed };
    return this.settle({ accepted, rejected: [], waiting, by: 'policy', reason: '' });
  }

  decide(changeId: string, part: DecisionPart, accept: boolean, reason?: string): void {
    const change = this.waitingChange(changeId);
    if (change === undefined || this.applying) return;
    this.decisions.set(change, decidePart(change, this.decisions.on(change), part, accept, reason));
    this.show();
  }

  grant(changeId: string, granted: boolean): void {
    const path = this.waitingChange(changeId)?.from ?? null;
    if (path === null) return;
    if (granted) this.decisions.granted.add(path);
    else this.decisions.granted.delete(path);
    this.show();
  }

  async editText(changeId: string, text: string, over?: string): Promise<Outcome<void>> {
    const busy = this.refuseWhileBusy();
    if (busy !== null) return fail(busy);
    const before = this.waitingChange(changeId);
    if (before !== undefined && over !== undefined && textAfter(before) !== over) return fail(editedOutdated());
    const revised = this.staged.revise(changeId, text);
    if (!revised.ok) return revised;
    this.decisions.edited(before, this.waitingChange(changeId));
    const recorded = await this.recordStaged();
    void this.findFitting();
    return done(recorded);
  }

  apply(): Promise<Outcome<void>> {
    return this.review((change) => this.decisions.on(change));
  }

  rejectAll(reason: string, changeId?: string): Promise<Outcome<void>> {
    return this.review(() => ({ ...rejectAll, reason }), changeId);
  }

  undo(reviewId: string, changeId?: string): Promise<Outcome<void>> {
    return this.flip(reviewId, changeId, false);
  }

  redo(reviewId: string, changeId?: string): Promise<Outcome<void>> {
    return this.flip(reviewId, changeId, true);
  }

  async createAgain(changeId: string): Promise<Outcome<void>> {
    const busy = this.refuseWhileBusy();
    if (busy !== null) return fail(busy);
    const made = this.staged.createAgain(changeId);
    if (!made.ok) return made;
    this.decisions.forget(changeId);
    return done(await this.recordStaged());
  }

  /** Handles paths that changed on disk or in Obsidian's index; waiting changes follow notes that were moved. */
  heard(paths: readonly string[], moves: readonly NoteMove[] = []): void {
    this.followGrants(paths, moves);
    // While changes are applied, the moves are their own.
    const followed = this.applying ? [] : moves.filter((move) => this.staged.follow(move));
    if (followed.length > 0) void this.recordStaged();
    this.staged.heard(paths);
    if (paths.some((path) => /\.(?:base|canvas)$/i.test(path))) this.named.clear();
    this.chat.forget(paths);
    // The links to moved files, and those that would break, may have changed.
    const waiting = this.staged.changeset();
    if (waiting === null) return;
    this.show();
    // Only what changed at its path may have been written, which the whole journal is read again for.
    const changed = new Set<string | null>(paths);
    if (waiting.changes.some(({ from, to }) => changed.has(from) || changed.has(to))) void this.resume();
    void this.findMoved();
    void this.findNamed();
    void this.findFitting();
  }

  /** What the user allowed for a note goes with it, and never to another one that takes its place. */
  private followGrants(paths: readonly string[], moves: readonly NoteMove[]): void {
    const { granted } = this.decisions;
    for (const { from, to } of moves) if (granted.delete(from)) granted.add(to);
    const isDeleted = (path: string): boolean => this.chat.under.file(path)?.path !== path;
    for (const path of paths) if (granted.has(path) && isDeleted(path)) granted.delete(path);
  }

  /** Finds the files that name the notes of waiting moves, once for each move. */
  private async findNamed(): Promise<void> {
    const moves = (this.staged.changeset()?.changes ?? []).filter((change) => stepsOf(change).includes('move'));
    const fresh = moves.filter((change) => !this.named.has(moveKeyOf(change)));
    for (const change of fresh) this.named.set(moveKeyOf(change), await findMentions(change, this.chat.under));
    if (fresh.length > 0) this.show();
  }

  /** Takes waiting changes along to notes that were moved outside of Obsidian, or while this chat was closed. */
  private async findMoved(): Promise<void> {
    const { under, ports } = this.chat;
    let hasFollowed = false;
    for (const change of this.staged.changeset()?.changes ?? []) {
      if (change.from === null) continue;
      // Another note may have taken its place.
      const renamed = ports.moves.find(change.from, this.stagedAt(change));
      const isUnknown = renamed === null && isMissing(change, under);
      const to = isUnknown ? await findMovedNote(change, under, ports.staging.digest) : renamed;
      if (to === null || this.applying || this.waitingChange(change.id) !== change) continue;
      hasFollowed = this.staged.follow({ from: pathOf(change), to }) || hasFollowed;
    }
    // What cannot be stored now is stored with the next change.
    if (hasFollowed) await this.recordStaged();
  }

  /** Forgets why changes were outdated whose notes were edited since so that they can be applied. */
  private async findFitting(): Promise<void> {
    const { under, ports } = this.chat;
    for (const change of this.staged.changeset()?.changes ?? []) {
      const failure = this.folded.failures.get(change.id);
      if (failure?.action !== 'ask-again' || change.from === null) continue;
      const read = await under.read(change.from);
      if (!read.ok || !fitsText(change, read.value.text, ports.staging)) continue;
      // Another attempt may have failed while the note was read.
      if (this.folded.failures.get(change.id) !== failure) continue;
      this.folded = withoutFailure(this.folded, change.id);
      this.show();
    }
  }

  /**
   * Returns when a change was last stored, in milliseconds since the epoch: what moved away from its path before that was
   * another note. Infinity for one that is not stored.
   */
  private stagedAt({ id }: FileChange): number {
    const isOfChange = (entry: SessionEntry): boolean =>
      entry.kind === 'changes-staged' && entry.changes.some((each) => each.id === id);
    return findLast(allEntries(this.chat.log), isOfChange)?.time ?? Infinity;
  }

  /** Settles changes that were written before Obsidian quit: they are on disk and can be undone. */
  private async resume(): Promise<void> {
    const waiting = this.staged.changeset();
    if (waiting === null) return;
    const { ports } = this.chat;
    const found = await ports.queue.run(() => writtenChanges(ports, waiting));
    const now = this.staged.changeset();
    if (now?.id !== waiting.id || this.refuseWhileBusy(now) !== null) return;
    // The user, or another such look, may have settled some of them while this waited in the queue.
    const unsettled = waiting.changes.filter((change) => this.waitingChange(change.id) === change);
    const isWaiting = ({ id }: FileChange): boolean => unsettled.some((change) => change.id === id);
    const [written, left] = [found.written.filter(isWaiting), found.left.filter(isWaiting)];
    if (written.length === 0) return;
    const others = now.changes.filter(({ id }) => !written.some((change) => change.id === id));
    const accepted = { ...now, changes: written };
    await this.settle({ accepted, rejected: [], waiting: [...left, ...others], by: 'user', reason: '' });
  }

  private async review(decide: (change: FileChange) => ChangeDecision, only?: string): Promise<Outcome<void>> {
    const changeset = this.staged.changeset();
    const busy = this.refuseWhileBusy(changeset);
    if (busy !== null || changeset === null) return fail(busy ?? nothingWaits());
    const waiting = changeset.changes.filter(({ id }) => only !== undefined && id !== only);
    const due = changeset.changes.filter((change) => !waiting.includes(change));
    const reviewed = reviewChangeset({ ...changeset, changes: due }, decide);
    const reason = reviewed.rejected.map((each) => each.reason).find((each) => each !== '') ?? '';
    return this.settle({ ...reviewed, waiting, by: 'user', reason });
  }

  private settle(settling: Settling): Promise<Outcome<void>> {
    this.applying = true;
    this.show();
    const settled = this.carryOut(settling).finally(() => {
      this.applying = false;
      this.show();
    });
    this.settled = settled.catch(() => undefined);
    return settled;
  }

  private async carryOut(settling: Settling): Promise<Outcome<void>> {
    const approved = approve(settling.accepted, this.chat.ports.staging.digest);
    const report = await applyApproved(this.chat.ports, settling.accepted, approved);
    if (!report.ok) return report;
    const [applied, failed] = [report.value.applied.map(({ change }) => change), report.value.failed];
    const entry = settledEntry(settling, approved, report.value);
    this.staged.settle(applied, [...failed.map(({ change }) => change), ...settling.waiting]);
    // What could not be applied waits with its accepted parts alone, which have new numbers.
    const decided = [...settling.accepted.changes, ...settling.rejected.map(({ change }) => change)];
    for (const { id } of decided) this.decisions.forget(id);
    this.fold(entry);
    const stored = await this.chat.record(entry);
    this.showFolded();
    const reported = await this.chat.applied(filesOf(applied));
    if (!stored.ok || !reported.ok) return done(stored.ok ? reported : stored);
    return firstFailure(failed);
  }

  private async flip(reviewId: string, changeId: string | undefined, redo: boolean): Promise<Outcome<void>> {
    const settled = () => this.folded.settled.find(({ id }) => id === reviewId);
    const due = (): readonly string[] => operationsDue(settled(), changeId, redo);
    if (due().length === 0) return fail(nothingToUndo());
    const results = await undoAll(this.chat.ports, due);
    if (!results.ok || results.value.length === 0) return done(results);
    this.staged.forgetApplied();
    const entry = undoneEntry(reviewId, redo, results.value);
    this.fold(entry);
    const stored = await this.chat.record(entry);
    this.showFolded();
    return stored.ok ? firstFailure(entry.failed) : done(stored);
  }

  private async recordStaged(): Promise<Outcome<unknown>> {
    const changeset = this.staged.changeset();
    const now = changeset?.changes ?? [];
    const fresh = now.filter((change) => this.recorded.get(change.id) !== change);
    const dropped = [...this.recorded.keys()].filter((id) => !now.some((change) => change.id === id));
    if (fresh.length + dropped.length === 0) return succeed(undefined);
    const id = changeset?.id ?? this.folded.pending?.id ?? '';
    const { changes } = packChangeset({ id, changes: fresh });
    const entry = { kind: 'changes-staged', changeset: id, changes, dropped } as const;
    // What is staged while the entry is being stored is not in it. What could not be stored is in the log all the same,
    // and waits for its next entry.
    this.fold(entry);
    const stored = await this.chat.record(entry);
    this.showFolded();
    return stored;
  }

  private fold(entry: ChangeEntryBody): void {
    this.folded = addChangeEntry(this.folded, entry, this.chat.ports.staging.digest);
    const now = this.staged.changeset()?.changes ?? [];
    this.recorded = new Map(now.map((change) => [change.id, change]));
  }

  private showFolded(): void {
    this.show();
    void this.findNamed();
  }

  private restore(pending: Changeset): void {
    this.staged.restore(pending);
    this.recorded = new Map(pending.changes.map((change) => [change.id, change]));
  }

  private isAllowed(mode: PermissionMode, change: FileChange): boolean {
    if (this.waited.has(change.id)) return false;
    const { ports } = this.chat;
    const { id = '', changes = [] } = this.staged.changeset() ?? {};
    const all = { id, changes: [...this.unasked, ...changes] };
    const granted = change.from !== null && this.decisions.granted.has(change.from);
    const outside = this.outside(change).length > 0;
    const circumstances = { tainted: this.taint.source !== null, canAsk: ports.canAsk(), granted, outside };
    const decision = decideChange(mode, change, all, ports.places(), circumstances);
    if (caseTwinOf(change, this.chat.under) !== null) return false;
    const entries = allEntries(this.chat.log);
    const sendsNothing = (): boolean =>
      findNewAddresses(change, entries).length === 0 && findLeakedText(change, entries).length === 0;
    return decision === 'allow' && sendsNothing();
  }

  /** Returns the ends of a change that the user did not name in this chat. */
  private outside(change: Pick<FileChange, 'from' | 'to'>): string[] {
    const { entries } = this.chat.log;
    const [{ length }, folder] = [entries, this.chat.workspaceFolder()];
    const known = this.scope;
    // A review asks for each change at every click, and the log of a branch only grows.
    if (known?.entries !== entries || known.length !== length || known.folder !== folder) {
      this.scope = { entries, length, folder, value: foldScope(entries, folder) };
    }
    return endsOutside(change, this.scope!.value);
  }

  private waitingChange(id: string): FileChange | undefined {
    return this.staged.changeset()?.changes.find((change) => change.id === id);
  }

  private refuseWhileBusy(changeset: Changeset | null = this.staged.changeset()): Failure | null {
    if (this.applying || this.chat.isRunning()) return busyNow();
    return changeset === null ? nothingWaits() : null;
  }

  private show(): void {
    this.chat.show({ reviews: this.reviews, taint: this.taint.source });
  }
}

// Failures that prevent changes from being applied or undone, and the outcome of several operations.

function busyNow(): Failure {
  return { kind: 'refused', words: words.writing.busy, remedy: words.writing.busyRemedy };
}

function nothingWaits(): Failure {
  return { kind: 'refused', words: words.writing.nothingWaits, remedy: words.writing.nothingWaitsRemedy };
}

function editedOutdated(): Failure {
  return { kind: 'refused', words: words.review.editOutdated, remedy: words.review.editOutdatedRemedy };
}

function nothingToUndo(): Failure {
  return { kind: 'refused', words: words.writing.undoUnknown, remedy: words.writing.undoRemedy };
}

/** Identifies a move of a note by where it goes from and to. */
function moveKeyOf({ from, to }: FileChange): string {
  return JSON.stringify([from, to]);
}

function done(outcome: Outcome<unknown>): Outcome<void> {
  return outcome.ok ? succeed(undefined) : outcome;
}

function firstFailure(failed: readonly { readonly failure: Failure }[]): Outcome<void> {
  const [first] = failed;
  return first === undefined ? succeed(undefined) : fail(first.failure);
}

/** Characters of a request that are quoted with its changes. */
const maxRequest = 300;

/** Returns the user message that precedes the first change of a changeset. */
function lastRequest(entries: readonly SessionEntry[], changeset: string): string {
  const first = entries.findIndex((entry) => entry.kind === 'changes-staged' && entry.changeset === changeset);
  const message = entries[findLastIndex(entries, isUserEntry, first === -1 ? entries.length : first)];
  return startWithEllipsis(message?.kind === 'user' ? message.text.trim() : '', maxRequest);
}
