/**
 * Applies an approved changeset in the order create, edit, move, delete; each write applies to the approved version or
 * fails.
 */
import { words } from '../../../text';
import { decodeText, encodeText, isSameText, withLineEnd } from '../../markdown/encoding';
import { describeFailure, type Failure, fail, type Outcome, succeed } from '../../ports/failure';
import type { SettledEntryBody } from '../../session/change-entry';
import {
  type ApprovalTokens,
  approvalToken,
  type Changeset,
  type FileChange,
  packChangeset,
  pathOf,
  type Rejection,
  type Step,
  stepsOf,
  withoutText,
} from '../changeset/changeset';
import { breaksMerge, describeRejections, logOf } from '../changeset/describe-changeset';
import { mergeApproved } from '../changeset/diff';
import { type ActiveItem, newActiveContent } from '../guard/active-content';
import type { Operation } from '../changeset/journal-records';
import type { OperationCall } from './journal';
import { moveFile } from './move-file';
import {
  createFile,
  hashNow,
  type StepReport,
  stale,
  trashFile,
  interrupted,
  type Writer,
  type WritingPorts,
  writeText,
} from './write-steps';

interface AppliedChange {
  /** The change as applied, merged with edits that the user made since it was proposed. */
  readonly change: FileChange;
  readonly operations: readonly string[];
  readonly merged: boolean;
  /** Whether something else, such as another plugin, changed the text during the save. */
  readonly altered: boolean;
  /** Files whose links Obsidian rewrote. */
  readonly rewritten: readonly string[];
  /** Whether it was done already, as after an apply on another device. */
  readonly found: boolean;
}

interface FailedChange {
  /** The part that is still to be applied. */
  readonly change: FileChange;
  readonly failure: Failure;
  /** Operations that succeeded before the failure. */
  readonly operations: readonly string[];
}

export interface ApplyReport {
  readonly applied: readonly AppliedChange[];
  readonly failed: readonly FailedChange[];
}

const order: readonly Step[] = ['create', 'edit', 'move', 'delete'];

/** Applies each approved change and reports those that fail; the others still apply. Runs in the write queue. */
export async function applyChangeset(
  writer: Writer,
  changeset: Changeset,
  approved: ApprovalTokens,
): Promise<ApplyReport> {
  const states = changeset.changes.map((change): Progress => {
    const isApproved = approved.get(change.id) === approvalToken(change, writer.digest);
    const failure = isApproved ? null : notApproved(change);
    return { change, isApproved, reports: [], merged: false, found: false, failure };
  });
  /** Hashes of files whose links Obsidian rewrote during this run, by path. */
  const rewritten = new Map<string, string>();
  for (const step of order) {
    const due = states.filter(({ change, failure }) => failure === null && stepsOf(change).includes(step));
    if (step === 'move' && due.length > 0) await writer.files.indexed(writtenPaths(states));
    for (const state of due) {
      const report = await runStep(writer, state.change.changeset ?? changeset.id, state, step, rewritten);
      if (!report.ok) {
        state.failure = report.failure;
        continue;
      }
      state.reports.push(report.value);
      for (const { path, post } of report.value.rewritten) rewritten.set(path, post);
    }
  }
  await settleFound(writer, states);
  return {
    applied: states.filter(({ failure }) => failure === null).map(reportOf),
    failed: states.flatMap(({ change, failure, reports }) =>
      failure === null ? [] : [{ change: leftOf(writer, change, reports), failure, operations: operationsOf(reports) }],
    ),
  };
}

interface Progress {
  change: FileChange;
  readonly isApproved: boolean;
  readonly reports: StepReport[];
  merged: boolean;
  found: boolean;
  failure: Failure | null;
}

/**
 * Counts failed changes as applied if all of them are on disk already. With any other failure it is not certain that
 * another device did it, so all of them wait.
 */
async function settleFound(writer: Writer, states: readonly Progress[]): Promise<void> {
  const failed = states.filter(({ failure }) => failure !== null);
  for (const state of failed) {
    if (state.reports.length > 0 || !(await isDoneAlready(writer, state))) return;
  }
  for (const state of failed) Object.assign(state, { failure: null, found: true });
}

/**
 * Whether a change that could not be applied is on disk already: another device may have applied it, whose journal has
 * not reached this one.
 */
async function isDoneAlready(writer: Writer, { change, failure, isApproved }: Progress): Promise<boolean> {
  if (!isApproved || (failure?.kind !== 'refused' && failure?.kind !== 'not-found')) return false;
  const { from, to, text } = change;
  const steps = stepsOf(change);
  if (steps.includes('delete')) return isMissing(writer, from ?? '');
  if (steps.includes('create')) return isText(writer, to ?? '', text ?? '');
  return steps.includes('move') && (await isMissing(writer, from ?? '')) && isMovedTo(writer, change, to ?? '');
}

async function isMovedTo(writer: Writer, { base, text }: FileChange, to: string): Promise<boolean> {
  if (base === null) return false;
  if (base.text === null) return (await hashOf(writer, to)) === base.hash;
  return isText(writer, to, text ?? base.text);
}

async function isMissing(writer: Writer, path: string): Promise<boolean> {
  const now = await hashNow(writer, path);
  return now.ok && now.value === null;
}

async function hashOf(writer: Writer, path: string): Promise<string | null> {
  const now = await hashNow(writer, path);
  return now.ok ? now.value : null;
}

async function isText({ files }: Writer, path: string, wanted: string): Promise<boolean> {
  const bytes = await files.readBytes(path);
  const now = bytes.ok ? decodeText(path, bytes.value) : bytes;
  return now.ok && now.value.text === wanted;
}

async function runStep(
  writer: Writer,
  changeset: string,
  state: Progress,
  step: Step,
  rewritten: ReadonlyMap<string, string>,
): Promise<Outcome<StepReport>> {
  const { change } = state;
  const earlier = writer.journal.find(changeset, change, step);
  if (earlier !== undefined && !writer.journal.isOwn(earlier)) return findStepOfOther(writer, state, earlier);
  if (earlier?.state === 'begun') return fail(interrupted(pathOf(change)));
  if (earlier !== undefined) return succeed({ operation: earlier.id, altered: false, rewritten: earlier.rewritten });
  const call: OperationCall = {
    step,
    changeset,
    change: change.id,
    path: pathOf(change),
    to: step === 'move' ? change.to : null,
    calls: change.calls.map(({ id }) => id),
    undoes: null,
    taint: change.taint,
  };
  switch (step) {
    case 'create':
      return createFile(writer, call, encodeText({ text: change.text ?? '', mark: false }));
    case 'edit':
      return writeText(writer, call, (current) => remake(writer, state, current));
    case 'move':
      return moveFile(
        hasEdited(writer, changeset, state) ? withHidden(writer) : writer,
        { ...call, to: change.to ?? '' },
        { check: (bytes) => checkMoved(writer, change, bytes) },
      );
    case 'delete':
      return trashFile(writer, call, (bytes) => checkDeleted(writer, change, bytes, rewritten.get(call.path)));
  }
}

/**
 * Whether the text of a change was written and not undone, now or by an earlier attempt of which only the move was
 * left.
 */
function hasEdited({ journal }: Writer, changeset: string, { change, reports }: Progress): boolean {
  const edit = journal.find(changeset, change, 'edit');
  return reports.length > 0 || (edit !== undefined && !journal.isUndone(edit.id));
}

/** Returns a writer for a note that its own change may have hidden from the agent. */
function withHidden(writer: Writer): Writer {
  const { guard } = writer;
  return { ...writer, guard: { ...guard, existing: (path) => guard.existing(path, true) } };
}

/** Takes over a step of another device; one whose end is not known here counts if the file is as it should be. */
async function findStepOfOther(writer: Writer, state: Progress, step: Operation): Promise<Outcome<StepReport>> {
  const { path, to } = step.call;
  const isDone = step.state === 'committed' || (await hashOf(writer, to ?? path)) === step.post;
  if (!isDone) {
    const { writingElsewhere, writingElsewhereRemedy } = words.writing;
    return fail({ kind: 'storage', words: writingElsewhere(path), remedy: writingElsewhereRemedy });
  }
  state.found = true;
  return succeed({ operation: step.id, altered: false, rewritten: step.rewritten });
}

/**
 * Returns the approved text if the file still matches the approved base, else both edits merged. Fails if both changed
 * the same lines, if Obsidian could not read the merge, or if it adds active content that was not approved.
 */
function remake(writer: Writer, state: Progress, current: string): Outcome<string> {
  const { change } = state;
  const { base } = change;
  const { digest } = writer;
  const remade = mergedText(change, current, writer);
  if (!remade.ok || digest(current) === base?.hash) return remade;
  const merged = remade.value;
  if (merged === current) {
    state.found = true;
    return succeed(current);
  }
  state.merged = !isSameText(current, base?.text ?? '');
  state.change = { ...change, base: { hash: digest(current), text: current }, text: merged };
  return succeed(merged);
}

function mergedText(
  change: FileChange,
  current: string,
  { digest, yaml }: Pick<Writer, 'digest' | 'yaml'>,
): Outcome<string> {
  const { base, text } = change;
  const path = pathOf(change);
  if (base === null || base.text === null || text === null) return fail(stale(path));
  if (digest(current) === base.hash) return succeed(text);
  const merged = current === text ? text : mergeApproved(current, base.text, text);
  if (merged === null) return fail(stale(path));
  if (merged === current) return succeed(merged);
  if (breaksMerge(path, [current, text], merged, yaml)) {
    return fail({ ...stale(path), words: words.writing.mergeUnreadable(path) });
  }
  const plain = (each: string): string => withLineEnd(each, '\n');
  const approved = newActiveContent(path, plain(base.text), plain(text));
  const isApproved = (item: ActiveItem): boolean =>
    approved.some(({ kind, passage }) => kind === item.kind && passage === item.passage);
  return newActiveContent(path, plain(current), plain(merged)).every(isApproved) ? succeed(merged) : fail(stale(path));
}

/** Whether a change can be applied to this text of its note. */
export function fitsText(change: FileChange, current: string, parts: Pick<Writer, 'digest' | 'yaml'>): boolean {
  if (change.to !== null) return mergedText(change, current, parts).ok;
  return isSameText(current, change.base?.text ?? '') || parts.digest(current) === change.base?.hash;
}

/** Accepts any text, since a move does not write to the file and later edits move with it. Other files must match. */
function checkMoved({ hash }: Writer, change: FileChange, bytes: Uint8Array): Outcome<void> {
  const { base } = change;
  return base === null || base.text !== null || hash(bytes) === base.hash
    ? succeed(undefined)
    : fail(stale(pathOf(change)));
}

function checkDeleted(
  { digest, hash }: Writer,
  change: FileChange,
  bytes: Uint8Array,
  rewrittenHash: string | undefined,
): Outcome<void> {
  const { base } = change;
  const path = pathOf(change);
  if (base === null) return fail(stale(path));
  if (hash(bytes) === rewrittenHash) return succeed(undefined);
  const text = base.text === null ? null : decodeText(path, bytes);
  if (text?.ok === true && isSameText(text.value.text, base.text ?? '')) return succeed(undefined);
  const found = text === null ? hash(bytes) : text.ok ? digest(text.value.text) : null;
  return found === base.hash ? succeed(undefined) : fail(stale(path));
}

function writtenPaths(states: readonly Progress[]): string[] {
  return states.flatMap(({ change, reports }) =>
    reports.some(({ operation }) => operation !== null) ? [pathOf(change)] : [],
  );
}

function reportOf({ change, reports, merged, found }: Progress): AppliedChange {
  return {
    change,
    found,
    operations: operationsOf(reports),
    merged,
    altered: reports.some(({ altered }) => altered),
    rewritten: reports.flatMap((report) => report.rewritten.map(({ path }) => path)),
  };
}

/** Returns only the move for a change whose text is already on disk. */
function leftOf({ digest }: Writer, change: FileChange, reports: readonly StepReport[]): FileChange {
  return reports.length === 0 ? change : withoutText(change, digest);
}

function operationsOf(reports: readonly StepReport[]): string[] {
  return reports.flatMap(({ operation }) => operation ?? []);
}

function notApproved(change: FileChange): Failure {
  return {
    kind: 'refused',
    words: words.writing.notApproved(pathOf(change)),
    remedy: words.writing.notApprovedRemedy,
  };
}

/** Milliseconds for which an approval stays valid while its write waits in the queue (rules 6.2). */
const approvalLife = 600_000;

/** Applies approved changes in the write queue; fails if the approval expired while it waited. */
export function applyApproved(
  ports: WritingPorts,
  accepted: Changeset,
  approved: ApprovalTokens,
): Promise<Outcome<ApplyReport>> {
  const { clock } = ports.staging;
  const approvedAt = clock.now();
  return ports.queue.run(async () => {
    if (accepted.changes.length === 0) return succeed({ applied: [], failed: [] });
    const opened = await ports.writer();
    if (clock.now() - approvedAt > approvalLife) return fail(approvalExpired());
    const refreshed = opened.ok ? await opened.value.journal.refresh() : opened;
    if (!refreshed.ok) return refreshed;
    return opened.ok ? succeed(await applyChangeset(opened.value, accepted, approved)) : opened;
  });
}

function approvalExpired(): Failure {
  return { kind: 'refused', words: words.writing.approvalExpired, remedy: words.writing.notApprovedRemedy };
}

export interface Settling {
  readonly accepted: Changeset;
  readonly rejected: readonly Rejection[];
  /** Changes that still wait for review. */
  readonly waiting: readonly FileChange[];
  readonly by: SettledEntryBody['by'];
  readonly reason: string;
}

/** Returns the log entry of a finished review: applied, failed and waiting changes, and the report for the model. */
export function settledEntry(settling: Settling, approved: ApprovalTokens, report: ApplyReport): SettledEntryBody {
  const { accepted, by, reason } = settling;
  const { id } = accepted;
  const partly = report.failed.filter(({ operations }) => operations.length > 0);
  // If the text was written and the move failed, the text can still be undone.
  const written = partly.flatMap(({ change, operations }) => {
    const whole = accepted.changes.find((each) => each.id === change.id);
    const plain = { operations, merged: false, altered: false, rewritten: [], found: false };
    return whole === undefined ? [] : [{ change: { ...whole, to: whole.from }, ...plain }];
  });
  const applied = [...report.applied, ...written];
  return {
    kind: 'changes-settled',
    changeset: id,
    by,
    approved: Object.fromEntries(approved),
    applied: packChangeset({ id, changes: applied.map(({ change }) => change) }).changes,
    results: applied.map(({ change, operations, merged, altered, rewritten, found }) => ({
      ...{ change: change.id, operations, merged, altered, rewritten },
      ...(found && { found }),
    })),
    failed: report.failed.map(({ change, failure }) => ({ change: change.id, failure })),
    waiting: packChangeset({ id, changes: [...report.failed.map(({ change }) => change), ...settling.waiting] })
      .changes,
    rejected: settling.rejected.flatMap(({ change, hunks }) => (hunks === null ? change.id : [])),
    reason,
    told: sentOf(settling, report),
  };
}

/** Omits changes applied without review, because the tool call that made them already reported them. */
function sentOf({ by, rejected }: Settling, { applied, failed }: ApplyReport): string {
  const log = applied.flatMap(({ change }) => logOf(change));
  const failures = failed.map(({ change, failure }) =>
    words.writing.reportFailed(pathOf(change), describeFailure(failure)),
  );
  return [
    by === 'user' && log.length > 0 ? words.writing.reportApplied(log) : '',
    describeRejections(rejected),
    ...failures,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** A file that was written, and how. */
export interface AppliedFile {
  readonly path: string;
  readonly action: 'created' | 'modified' | 'deleted';
}

/** Returns the files that changes wrote. */
export function filesOf(changes: readonly FileChange[]): AppliedFile[] {
  return changes.map((change) => {
    const steps = stepsOf(change);
    const action = steps.includes('create') ? 'created' : steps.includes('delete') ? 'deleted' : 'modified';
    return { path: change.to ?? change.from ?? '', action };
  });
}
