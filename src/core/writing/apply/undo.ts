/**
 * Undo: reverses any applied write, in any order, including an undo; merges with later edits or fails with the reason.
 */
import { words } from '../../../text';
import { pathAfterMove } from '../../base/fold';
import { type DecodedText, decodeText, splitMark } from '../../markdown/encoding';
import { type Failure, fail, type Outcome, succeed } from '../../ports/failure';
import type { UndoneEntryBody } from '../../session/change-entry';
import type { SettledChanges } from '../changeset/change-log';
import { breaksMerge } from '../changeset/describe-changeset';
import { mergeBack } from '../changeset/diff';
import type { Operation, Rewritten } from '../changeset/journal-records';
import { isAlike } from '../changeset/same-note';
import type { NoteMove } from '../stage/follow-notes';
import type { Journal, OperationCall } from './journal';
import { moveFile, withLaterLinks } from './move-file';
import {
  createFile,
  interrupted,
  removeFolders,
  type StepReport,
  trashFile,
  type Writer,
  type WritingPorts,
  writeText,
} from './write-steps';

/** Reverses one committed operation. Runs in the write queue. */
export async function undoOperation(writer: Writer, id: string): Promise<Outcome<UndoReport>> {
  const operation = writer.journal.operation(id);
  if (operation?.state !== 'committed') return fail(notUndoable(writer, id, operation));
  if (writer.journal.isUndone(id)) return refuse(words.writing.undoneAlready);
  switch (operation.call.step) {
    case 'create':
      return undoCreate(writer, operation);
    case 'edit':
      return undoEdit(writer, operation);
    case 'delete':
      return undoDelete(writer, operation);
    case 'move':
      return undoMove(writer, operation);
  }
}

async function undoCreate(writer: Writer, operation: Operation): Promise<Outcome<UndoReport>> {
  const { path } = operation.call;
  const place = placeSince(writer, path, operation);
  if (place !== path) return refuse(words.writing.undoMovedSince(path, place));
  const trashed = await trashFile(writer, callFor(operation, 'delete', path), (bytes) =>
    writer.hash(bytes) === operation.post ? succeed(undefined) : refuse(words.writing.undoEditedSince(path)),
  );
  if (!trashed.ok) return fail(reportMissing(trashed.failure, path));
  await removeFolders(writer, operation.folders);
  return succeed(reportOf(trashed.value, path));
}

async function undoDelete(writer: Writer, operation: Operation): Promise<Outcome<UndoReport>> {
  const { path } = operation.call;
  const bytes = await writer.journal.bytes(operation.pre ?? '', operation);
  if (!bytes.ok) return bytes;
  const made = await createFile(writer, callFor(operation, 'create', path), bytes.value);
  return made.ok ? succeed(reportOf(made.value, path)) : made;
}

async function undoEdit(writer: Writer, operation: Operation): Promise<Outcome<UndoReport>> {
  const place = placeSince(writer, operation.call.path, operation);
  const [before, after] = [
    await textOf(writer, operation.pre, operation),
    await textOf(writer, operation.post, operation),
  ];
  if (!before.ok) return before;
  if (!after.ok) return after;
  const written = await writeText(writer, callFor(operation, 'edit', place), (current) => {
    const merged = mergeBack(current, after.value, before.value);
    if (merged === null) return refuse(words.writing.undoClashes(place));
    const isBroken = breaksMerge(place, [current, before.value], merged, writer.yaml);
    return isBroken ? refuse(words.writing.mergeUnreadable(place)) : succeed(merged);
  });
  if (!written.ok) return fail(reportMissing(written.failure, place));
  return written.value.operation === null
    ? refuse(words.writing.undoneByHand(place))
    : succeed(reportOf(written.value, place));
}

/** Returns why a part of the journal of this device is missing; null if all was read. */
export function journalProblem({ isWhole }: Journal): Failure | null {
  const { journalUnread, journalUnreadRemedy } = words.writing;
  return isWhole ? null : { kind: 'storage', words: journalUnread, remedy: journalUnreadRemedy };
}

/** Returns why an operation cannot be undone: it is not in the journal of this device, or its end is unknown. */
function notUndoable({ journal }: Writer, id: string, operation: Operation | undefined): Failure {
  const { undoElsewhere, undoExpired, undoUnknown, undoRemedy, copyElsewhereRemedy, copyMissingRemedy } = words.writing;
  const isElsewhere = operation === undefined ? journal.isOfOtherDevice(id) : !journal.isOwn(operation);
  if (isElsewhere) return { kind: 'refused', words: undoElsewhere, remedy: copyElsewhereRemedy };
  if (operation === undefined) {
    return journalProblem(journal) ?? { kind: 'refused', words: undoExpired, remedy: copyMissingRemedy };
  }
  return operation.state === 'begun'
    ? interrupted(operation.call.path)
    : { kind: 'refused', words: undoUnknown, remedy: undoRemedy };
}

function reportMissing(failure: Failure, path: string): Failure {
  return failure.kind === 'not-found'
    ? { kind: 'refused', words: words.writing.undoMissing(path), remedy: words.writing.undoRemedy }
    : failure;
}

// Shared by all undos: the place, the report, the journal call, stored texts, and refusals.

export interface UndoReport {
  /** The operation that reversed it, which can itself be undone. */
  readonly operation: string | null;
  /** Where the file is now. */
  readonly path: string;
  /** Files that retain the links Obsidian wrote, because those lines were edited since. */
  readonly retainedLinks: readonly string[];
}

/**
 * Returns the current path of a file that was at `path` right after an operation: Docent may have moved it since, and so
 * may the user, who may also have given its name to another file.
 */
export function placeSince(writer: Writer, path: string, operation: Operation): string {
  return followMoves(path, movesSince(writer, operation));
}

/** Returns the moves after an operation, by Docent and by the user, oldest first. */
function movesSince({ journal, moves }: Writer, operation: Operation): readonly NoteMove[] {
  // The clock of another device may say that a move was after its write that was before it.
  const seen = journal.isOwn(operation) ? (moves?.since(operation.call.time) ?? []) : [];
  const own = journal.movesSince(operation).map(({ call }) => ({ from: call.path, to: call.to ?? '', at: call.time }));
  // A move by Docent is among both, and the second time nothing is at the path that it began at.
  return [...own, ...seen].sort((a, b) => a.at - b.at);
}

function followMoves(path: string, moves: readonly NoteMove[]): string {
  return moves.reduce((place, { from, to }) => pathAfterMove(place, from, to) ?? place, path);
}

/** Returns the text of a stored version, without its byte order mark. */
export async function textOf(writer: Writer, hash: string | null, operation?: Operation): Promise<Outcome<string>> {
  const bytes = await writer.journal.bytes(hash ?? '', operation);
  if (!bytes.ok) return bytes;
  const decoded = decodeText('', bytes.value);
  return decoded.ok ? succeed(decoded.value.text) : decoded;
}

function callFor(operation: Operation, step: OperationCall['step'], path: string, to?: string): OperationCall {
  const { changeset, change, calls, taint } = operation.call;
  return { step, changeset, change, path, to: to ?? null, calls, undoes: operation.id, taint };
}

function reportOf(
  { operation }: Pick<StepReport, 'operation'>,
  path: string,
  retainedLinks: readonly string[] = [],
): UndoReport {
  return { operation, path, retainedLinks };
}

function refuse(what: string): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { kind: 'refused', words: what, remedy: words.writing.undoRemedy } };
}

// Undo of several operations, newest first, and the log entry for it.

export interface UndoneOperation {
  readonly operation: string;
  readonly path: string;
  readonly outcome: Outcome<UndoReport>;
}

/** Returns the operations of a settled changeset, or of one change in it, to undo or redo. */
export function operationsDue(
  settled: SettledChanges | undefined,
  changeId: string | undefined,
  redo: boolean,
): readonly string[] {
  return (settled?.applied ?? [])
    .filter(({ change }) => changeId === undefined || change.id === changeId)
    .flatMap(({ tips }) => tips.filter(({ undone }) => undone === redo).map(({ operation }) => operation));
}

/**
 * Undoes each operation, newest first, even if some fail. One that is undone counts as undone now: another device may
 * have done that, or the app was closed before it was in the log. Runs in the write queue.
 * @param due called once the writes before it are done, since those may undo the same operations
 */
export function undoAll(
  ports: Pick<WritingPorts, 'queue' | 'writer'>,
  due: () => readonly string[],
): Promise<Outcome<readonly UndoneOperation[]>> {
  return ports.queue.run(async () => {
    const opened = await ports.writer();
    if (!opened.ok) return opened;
    const writer = opened.value;
    const refreshed = await writer.journal.refresh();
    if (!refreshed.ok) return refreshed;
    const timeOf = (id: string): number => writer.journal.operation(id)?.call.time ?? 0;
    const results: UndoneOperation[] = [];
    for (const operation of [...due()].sort((a, b) => timeOf(b) - timeOf(a))) {
      const path = writer.journal.operation(operation)?.call.path ?? '';
      const earlier = writer.journal.undoOf(operation);
      const outcome =
        earlier === undefined
          ? await undoOperation(writer, operation)
          : succeed(reportOf({ operation: earlier.id }, earlier.call.to ?? earlier.call.path));
      results.push({ operation, path, outcome });
    }
    return succeed(results);
  });
}

export function undoneEntry(changeset: string, redo: boolean, results: readonly UndoneOperation[]): UndoneEntryBody {
  const pairs = results.flatMap(({ operation, outcome }) =>
    outcome.ok && outcome.value.operation !== null ? [{ operation, by: outcome.value.operation }] : [],
  );
  const failed = results.flatMap(({ operation, outcome }) =>
    outcome.ok ? [] : [{ operation, failure: outcome.failure }],
  );
  const paths = [...new Set(results.flatMap(({ path, outcome }) => (outcome.ok ? [path] : [])))];
  const report = paths.length === 0 ? '' : redo ? words.writing.reportRedone(paths) : words.writing.reportUndone(paths);
  return { kind: 'changes-undone', changeset, redo, pairs, failed, told: report };
}

/** Reverses a move and the links that Obsidian rewrote, restoring the exact bytes of files not edited since. */
async function undoMove(writer: Writer, operation: Operation): Promise<Outcome<UndoReport>> {
  const { path, to } = operation.call;
  if (to === null) throw new Error('a move without a target');
  const { journal } = writer;
  const moves = movesSince(writer, operation);
  const place = followMoves(to, moves);
  if (place !== to) return refuse(words.writing.undoMovedSince(to, place));
  const placeAfter = (rewritten: Rewritten): string => {
    const now = followMoves(rewritten.path, moves);
    return now === to ? path : now;
  };
  const due = new Map(operation.rewritten.map((rewritten) => [placeAfter(rewritten), rewritten]));
  for (const [source, rewritten] of due) {
    const file = source === path ? to : source;
    const now = await writer.files.readBytes(file);
    const clashes = !now.ok || (await restored(writer, rewritten, now.value)) === null;
    if (clashes && isWrittenSince(journal, operation, file)) return refuse(words.writing.undoClashes(file));
  }
  const retainedLinks: string[] = [];
  const versions = await versionsSince(writer, operation, to);
  const moved = await moveFile(
    writer,
    { ...callFor(operation, 'move', to, path), to: path },
    {
      check: (bytes) =>
        isVersion(writer, bytes, versions) ? succeed(undefined) : refuse(words.writing.undoOtherNote(to)),
      also: [...due.keys()].filter((source) => source !== path),
      restore: async (source, before, now) => {
        const rewritten = due.get(source);
        if (rewritten === undefined) return null;
        const wanted = await restored(writer, rewritten, before, now);
        if (wanted === null) retainedLinks.push(source);
        return wanted;
      },
    },
  );
  if (!moved.ok) return moved.failure.kind === 'not-found' ? refuse(words.writing.undoMissing(to)) : moved;
  for (const folder of [...operation.folders].reverse()) await writer.files.removeEmptyFolder(folder);
  return succeed(reportOf(moved.value, path, retainedLinks));
}

interface Versions {
  readonly hashes: ReadonlySet<string>;
  readonly texts: readonly string[];
}

/** Returns what a moved file is known to have contained: around the move, and after each edit of that by Docent. */
async function versionsSince(writer: Writer, operation: Operation, place: string): Promise<Versions> {
  const hashes = new Set([operation.pre, operation.post].filter((hash) => hash !== null));
  for (const { call, state, pre, post } of writer.journal.operations()) {
    const isEdit = state === 'committed' && call.step === 'edit' && call.path === place;
    if (isEdit && pre !== null && post !== null && hashes.has(pre)) hashes.add(post);
  }
  const texts = await Promise.all([...hashes].map((hash) => textOf(writer, hash, operation)));
  return { hashes, texts: texts.flatMap((text) => (text.ok ? [text.value] : [])) };
}

/** Whether a file is one of the versions, or a text that the user made of one of them. */
function isVersion(writer: Writer, bytes: Uint8Array, { hashes, texts }: Versions): boolean {
  if (hashes.has(writer.hash(bytes))) return true;
  const now = decodeText('', bytes);
  return now.ok && texts.some((text) => isAlike(text, now.value.text));
}

/** Whether a later write by Docent affects the file and is not undone; that one must be undone first. */
function isWrittenSince(journal: Journal, operation: Operation, path: string): boolean {
  return journal
    .operations()
    .some(
      ({ id, call, state, rewritten }) =>
        call.time > operation.call.time &&
        state === 'committed' &&
        !journal.isUndone(id) &&
        (call.path === path || call.to === path || rewritten.some((each) => each.path === path)),
    );
}

/**
 * Returns the text from before the move merged with later edits; null if both changed the same lines.
 * @param now the file after it was moved back: links in lines that were written since the move are those of Obsidian
 */
async function restored(
  writer: Writer,
  { pre, post }: Rewritten,
  before: Uint8Array,
  now = before,
): Promise<string | null> {
  const [old, fresh] = [await textOf(writer, pre), await textOf(writer, post)];
  if (!old.ok || !fresh.ok) return null;
  const [current, after] = [before, now].map((bytes) =>
    splitMark(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)),
  ) as [DecodedText, DecodedText];
  const merged = mergeBack(withLaterLinks(current.text, fresh.value, after.text), fresh.value, old.value);
  return merged === null ? null : (current.mark ? '\ufeff' : '') + merged;
}
