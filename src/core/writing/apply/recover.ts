/**
 * Recovery at startup: resolves operations that a crash left open in the journal, without ever writing to a note (6.3).
 */
import { decodeText } from '../../markdown/encoding';
import { type Outcome, succeed } from '../../ports/failure';
import type { RecoveryChoice } from '../../session/entry';
import { type Changeset, type FileChange, stepsOf, withoutText } from '../changeset/changeset';
import type { Operation, Rewritten } from '../changeset/journal-records';
import type { OperationCall } from './journal';
import { differInLinksAlone } from './move-file';
import { placeSince, textOf } from './undo';
import {
  createFile,
  hashNow,
  keepNow,
  type StepReport,
  trashFile,
  type Writer,
  type WritingPorts,
  writeText,
} from './write-steps';

/** An interrupted write whose file matches neither the old nor the new version; both versions are stored. */
export interface InterruptedWrite {
  readonly operation: Operation;
  /** Where the file was when this was found. */
  readonly path: string;
  /** Where it was right after the write, from where the user may have moved it at any time since. */
  readonly writtenAt: string;
  /** Hashes of the stored versions; null where no file exists in that version. */
  readonly before: string | null;
  readonly after: string | null;
  /** The choices offered to the user; the new links of a move are unknown, so `after` is not offered for one. */
  readonly choices: readonly RecoveryChoice[];
}

export interface Recovery {
  /** Ids of operations that had reached the disk. */
  readonly completed: readonly string[];
  /** Ids of operations that had not. */
  readonly void: readonly string[];
  readonly interrupted: readonly InterruptedWrite[];
}

/**
 * Resolves what this device left open, and what the first layout has, which does not say whose it is. What another
 * device began may still be under way there, and is reported only if the file is visibly cut off: the device may have
 * lost its id since.
 */
export async function recover(writer: Writer): Promise<Recovery> {
  const completed: string[] = [];
  const nothing: string[] = [];
  const interrupted: InterruptedWrite[] = [];
  for (const operation of writer.journal.operations()) {
    if (!writer.journal.isOwn(operation)) {
      if (await isCutOff(writer, operation)) interrupted.push(interruptedWrite(writer, operation));
      continue;
    }
    if (operation.state === 'called') {
      await writer.journal.void(operation.id);
      nothing.push(operation.id);
    }
    if (operation.state !== 'begun') continue;
    const found = operation.call.step === 'move' ? await endOfMove(writer, operation) : await endOf(writer, operation);
    if (found.end === 'void') {
      await writer.journal.void(operation.id);
      nothing.push(operation.id);
    } else if (found.end === 'done') {
      await writer.journal.commit(operation.id, found.post, found.rewritten);
      completed.push(operation.id);
    } else interrupted.push(...found.writes);
  }
  return { completed, void: nothing, interrupted: interrupted };
}

type End =
  | { readonly end: 'void' }
  | { readonly end: 'done'; readonly post: string | null; readonly rewritten: readonly Rewritten[] }
  | { readonly end: 'interrupted'; readonly writes: readonly InterruptedWrite[] };

/** Whether a file has only the beginning of what was to be written, or zeros, and not what it had before. */
async function isCutOff({ files, journal, hash }: Writer, operation: Operation): Promise<boolean> {
  const { state, pre, post, call } = operation;
  if (state !== 'begun' || post === null || call.step === 'move') return false;
  const [now, wanted] = [await files.readBytes(call.path), await journal.bytes(post, operation)];
  if (!now.ok || !wanted.ok || now.value.length > wanted.value.length || [pre, post].includes(hash(now.value)))
    return false;
  return now.value.every((byte, at) => byte === wanted.value[at]) || now.value.every((byte) => byte === 0);
}

const anyChoice: readonly RecoveryChoice[] = ['before', 'after', 'as-is'];

async function endOf(writer: Writer, operation: Operation): Promise<End> {
  const { pre, post, call } = operation;
  const now = await hashNow(writer, placeSince(writer, call.path, operation));
  if (now.ok && now.value === post) return { end: 'done', post, rewritten: [] };
  if (now.ok && now.value === pre) return { end: 'void' };
  return { end: 'interrupted', writes: [interruptedWrite(writer, operation)] };
}

function interruptedWrite(writer: Writer, operation: Operation): InterruptedWrite {
  const { pre, post, call } = operation;
  const path = placeSince(writer, call.path, operation);
  return { operation, path, writtenAt: call.path, before: pre, after: post, choices: anyChoice };
}

async function endOfMove(writer: Writer, operation: Operation): Promise<End> {
  const { pre, sources, call } = operation;
  const to = call.to ?? '';
  const ends = await hashesOfEnds(writer, operation, to);
  const asInterrupted = (path: string, before: string | null, writtenAt = path): InterruptedWrite => ({
    ...{ operation, path, writtenAt, before },
    after: null,
    choices: ['before', 'as-is'],
  });
  if (!ends.ok) return { end: 'interrupted', writes: [asInterrupted(call.path, pre)] };
  const { old, fresh } = ends.value;
  if (fresh === null && old === pre) return { end: 'void' };
  if (old !== null || fresh === null) return { end: 'interrupted', writes: [asInterrupted(call.path, pre)] };
  const rewritten: Rewritten[] = [];
  const writes: InterruptedWrite[] = [];
  for (const source of sources) {
    const path = source.path === call.path ? to : source.path;
    const place = placeSince(writer, path, operation);
    const change = await changeOfSource(writer, place, source.hash);
    if (change === 'damaged') writes.push(asInterrupted(place, source.hash, path));
    else if (change !== null) rewritten.push({ ...change, path });
  }
  return writes.length > 0 ? { end: 'interrupted', writes } : { end: 'done', post: fresh, rewritten };
}

/** Returns the hashes of what is at both ends of a move; null for a name that no file has. */
async function hashesOfEnds(
  writer: Writer,
  operation: Operation,
  to: string,
): Promise<Outcome<{ readonly old: string | null; readonly fresh: string | null }>> {
  const { path } = operation.call;
  const [from, place] = [placeSince(writer, path, operation), placeSince(writer, to, operation)];
  // The app may have reported this move, or another one in its stead.
  const isReported = from === place;
  const [old, fresh] = [await hashNow(writer, isReported ? path : from), await hashNow(writer, place)];
  if (!old.ok) return old;
  if (!fresh.ok) return fresh;
  if (path.toLowerCase() === to.toLowerCase()) {
    // A disk that ignores case gives one file for both names, of which the vault has the one in use.
    const { guard } = takingBack(writer);
    const [isOld, isFresh] = [(await guard.existing(path)).ok, (await guard.existing(to)).ok];
    if (isOld !== isFresh) return succeed({ old: isOld ? old.value : null, fresh: isFresh ? fresh.value : null });
  }
  // What has the old name since then is another file.
  return succeed({ old: isReported && fresh.value !== null ? null : old.value, fresh: fresh.value });
}

/** Returns null for an unchanged file; one that differs in more than its links counts as damaged, as it may be torn. */
async function changeOfSource(
  writer: Writer,
  path: string,
  pre: string,
): Promise<Omit<Rewritten, 'path'> | 'damaged' | null> {
  const now = await writer.files.readBytes(path);
  if (!now.ok) return 'damaged';
  if (writer.hash(now.value) === pre) return null;
  const before = await writer.journal.bytes(pre);
  if (!before.ok) return 'damaged';
  const [old, fresh] = [decodeText(path, before.value), decodeText(path, now.value)];
  if (!old.ok || !fresh.ok || !differInLinksAlone(old.value.text, fresh.value.text)) return 'damaged';
  const post = await writer.journal.keep(now.value);
  return post.ok ? { pre, post: post.value } : 'damaged';
}

// Resolving an interrupted write as the user chose; the version on disk by then is stored as well.

/** Writes the chosen version and closes the operation in the journal. Runs in the write queue. */
export async function resolveInterruptedWrite(
  writer: Writer,
  write: InterruptedWrite,
  choice: RecoveryChoice,
): Promise<Outcome<void>> {
  const { journal } = writer;
  const { operation } = write;
  const isMove = operation.call.step === 'move';
  const path = placeOf(writer, write);
  if (choice === 'before' || (choice === 'after' && !isMove)) {
    const put = await putVersion(writer, operation, path, choice === 'before' ? write.before : write.after);
    if (!put.ok) return put;
  }
  if (choice === 'before' && !isMove) return journal.void(operation.id);
  const place = isMove ? placeSince(writer, operation.call.to ?? path, operation) : path;
  const left = await hashNow(writer, place);
  if (!left.ok) return left;
  const stored = left.value === null ? succeed(null) : await keepNow(writer, place);
  return stored.ok ? journal.commit(operation.id, stored.value) : stored;
}

/**
 * Returns where the file of an interrupted write is now. A file that has two places after a move, or none, is put back
 * where it was before it.
 */
function placeOf(writer: Writer, { operation, path, writtenAt }: InterruptedWrite): string {
  const { call } = operation;
  return call.step === 'move' && writtenAt === call.path ? path : placeSince(writer, writtenAt, operation);
}

/** Returns a writer for files that Docent has written before: they may be hidden from the agent by now. */
function takingBack(writer: Writer): Writer {
  const { guard } = writer;
  return {
    ...writer,
    guard: { existing: (path) => guard.existing(path, true), fresh: (path) => guard.fresh(path, true) },
  };
}

async function putVersion(
  anyWriter: Writer,
  operation: Operation,
  path: string,
  version: string | null,
): Promise<Outcome<StepReport | null>> {
  const writer = takingBack(anyWriter);
  const { change, calls, taint } = operation.call;
  // Not the chat's changeset: `Journal.find` must not mistake this repair for the step that it repairs.
  const call = (step: OperationCall['step']): OperationCall => ({
    step,
    changeset: operation.id,
    change,
    path,
    to: null,
    calls,
    undoes: null,
    taint,
  });
  const now = await hashNow(writer, path);
  if (!now.ok) return now;
  if (now.value === version) return succeed(null);
  if (version === null) return trashFile(writer, call('delete'), () => succeed(undefined));
  const bytes = await writer.journal.bytes(version);
  if (!bytes.ok) return bytes;
  if (now.value === null) return createFile(writer, call('create'), bytes.value);
  const text = decodeText(path, bytes.value);
  if (!text.ok) return text;
  return writeText(writer, call('edit'), () => succeed(text.value.text), { damaged: text.value });
}

/**
 * Changes that wait according to the log but are on disk according to the journal, because Obsidian quit in between.
 */
export interface WrittenChanges {
  /** The changes as written, which may be a part of those proposed. */
  readonly written: readonly FileChange[];
  /** The remaining moves of changes whose text was written. */
  readonly left: readonly FileChange[];
}

/** Finds waiting changes that the journal shows as written. Runs in the write queue. */
export async function writtenChanges(ports: Pick<WritingPorts, 'writer'>, waiting: Changeset): Promise<WrittenChanges> {
  const writer = await ports.writer();
  if (!writer.ok || !(await writer.value.journal.refresh()).ok) return { written: [], left: [] };
  const written: FileChange[] = [];
  const left: FileChange[] = [];
  for (const change of waiting.changes) {
    const { journal, digest } = writer.value;
    const operations = stepsOf(change).map((step) => journal.find(change.changeset ?? waiting.id, change, step));
    const [first, last] = [operations[0], operations.at(-1)];
    // Steps run in order, and a text that was already on disk has no operation.
    const isWhole = last?.state === 'committed';
    if (!isWhole && (first?.state !== 'committed' || last !== undefined)) continue;
    const whole = await asWritten(writer.value, change, operations);
    written.push(isWhole ? whole : { ...whole, to: whole.from });
    if (!isWhole) left.push(withoutText(whole, digest));
  }
  return { written, left };
}

async function asWritten(
  writer: Writer,
  change: FileChange,
  operations: readonly (Operation | undefined)[],
): Promise<FileChange> {
  const operation = operations.find((each) => each?.call.step === 'edit' || each?.call.step === 'create');
  if (operation === undefined) return change;
  const text = await textOf(writer, operation.post);
  if (!text.ok) return change;
  if (operation.pre === null) return { ...change, text: text.value };
  const before = await textOf(writer, operation.pre);
  if (!before.ok) return change;
  return { ...change, base: { hash: writer.digest(before.value), text: before.value }, text: text.value };
}
