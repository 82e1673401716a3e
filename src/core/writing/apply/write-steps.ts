/** The steps that write one file: text, a new file, a deletion; each known to the journal before it touches the disk (6.3). */
import { words } from '../../../text';
import { byteOrderMark, type DecodedText, decodeText, encodeText, splitMark } from '../../markdown/encoding';
import type { Digest } from '../../ports/device';
import { type Failure, fail, type Outcome, succeed } from '../../ports/failure';
import type { Rewritten } from '../changeset/journal-records';
import type { BytesDigest, Pause, WriteGuard, WritePort } from '../changeset/ports';
import type { PolicyPlaces } from '../guard/policy';
import type { UntrustedNotes } from '../guard/taint';
import type { StagedVaultPorts } from '../stage/staged-vault';
import type { Journal, OperationCall } from './journal';

/** Bytes; of a larger file no copy is kept, so it is not deleted. */
export const maxCopy = 20_000_000;

export interface TextOptions {
  /** Lets a file that is damaged, and therefore no text, be written over, with or without a byte order mark. */
  readonly damaged?: { readonly mark: boolean };
}

/** @param remake gets the text as it is on disk, with all that was typed into open views, without byte order mark */
export async function writeText(
  writer: Writer,
  call: OperationCall,
  remake: (current: string) => Outcome<string>,
  options: TextOptions = {},
): Promise<Outcome<StepReport>> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const written = await writeOnce(writer, call, remake, options);
    if (written !== 'drifted') return written;
  }
  return fail(stale(call.path));
}

async function writeOnce(
  writer: Writer,
  call: OperationCall,
  remake: (current: string) => Outcome<string>,
  options: TextOptions,
): Promise<Outcome<StepReport> | 'drifted'> {
  const { files, journal, hash } = writer;
  const { path } = call;
  const bytes = await readForWrite(writer, path);
  if (!bytes.ok) return bytes;
  const current = options.damaged === undefined ? decodeText(path, bytes.value) : decodeAnyway(bytes.value);
  if (!current.ok) return current;
  const remade = remake(current.value.text);
  if (!remade.ok) return remade;
  const after = { text: remade.value, mark: options.damaged?.mark ?? current.value.mark };
  const wanted = encodeText(after);
  if (hash(wanted) === hash(bytes.value)) return succeed(nothingDone);
  const begun = await beginWrite(writer, call, bytes.value, wanted);
  if (!begun.ok) return begun;
  const { op } = begun.value;
  let failure: Failure | undefined;
  const written = await insist(writer.pause, async () => {
    const attempt = await files.process(path, (now) =>
      splitMark(now).text === current.value.text ? (after.mark ? byteOrderMark : '') + after.text : null,
    );
    if (!attempt.ok) failure = attempt.failure;
    return attempt;
  });
  const isDone = written.ok && written.value === 'written';
  // After an attempt that failed, a text that differs may be what that attempt left.
  if (!isDone && failure === undefined) {
    await journal.void(op);
    return 'drifted';
  }
  return conclude(writer, call, begun.value, isDone ? undefined : failure);
}

interface BegunWrite {
  readonly op: string;
  /** Hashes of the copies; null where there is no file before or after. */
  readonly pre: string | null;
  readonly post: string | null;
}

/** Keeps copies of both versions, and has the journal know what the write is about to do. */
async function beginWrite(
  { journal }: Writer,
  call: OperationCall,
  before: Uint8Array | null,
  after: Uint8Array | null,
): Promise<Outcome<BegunWrite>> {
  const op = await journal.begin(call);
  if (!op.ok) return op;
  const pre = before === null ? succeed(null) : await journal.keep(before);
  const post = after === null ? succeed(null) : await journal.keep(after);
  if (!pre.ok) return pre;
  if (!post.ok) return post;
  const intended = await journal.intend(op.value, pre.value, post.value, []);
  return intended.ok ? succeed({ op: op.value, pre: pre.value, post: post.value }) : intended;
}

/** Reads back what a write left, and tells the journal. */
async function conclude(
  writer: Writer,
  { path }: OperationCall,
  { op, pre, post }: BegunWrite,
  failure: Failure | undefined,
): Promise<Outcome<StepReport>> {
  const { files, journal } = writer;
  const back = await files.readBytes(path);
  if (!back.ok && (failure === undefined || back.failure.kind !== 'not-found'))
    return fail(unclear(path, back.failure));
  const left = back.ok ? writer.hash(back.value) : null;
  if (failure !== undefined && left === pre) {
    await journal.void(op);
    return fail(failure);
  }
  if (failure !== undefined && left !== post) return fail(unclear(path, failure));
  const kept = back.ok && left !== post ? await journal.keep(back.value) : succeed(post);
  if (!kept.ok) return kept;
  await journal.commit(op, kept.value);
  return succeed({ operation: op, altered: left !== post, rewritten: [] });
}

export async function createFile(writer: Writer, call: OperationCall, bytes: Uint8Array): Promise<Outcome<StepReport>> {
  const { files, journal, guard } = writer;
  const { path } = call;
  const allowed = await guard.fresh(path);
  if (!allowed.ok) return allowed;
  const there = await hashNow(writer, path);
  if (!there.ok) return there;
  if (there.value !== null) return fail(taken(path));
  const begun = await beginWrite(writer, call, null, bytes);
  if (!begun.ok) return begun;
  const { op, post } = begun.value;
  const folders = await files.ensureFolders(path);
  if (!folders.ok) {
    await journal.void(op);
    return folders;
  }
  const made = await files.create(path, bytes);
  const left = await hashNow(writer, path);
  if (!left.ok) return fail(unclear(path, left.failure));
  if (!made.ok && (left.value === null || made.failure.kind === 'refused')) {
    await removeFolders(writer, folders.value);
    await journal.void(op);
    return made;
  }
  if (left.value !== post && !made.ok) return fail(unclear(path, made.failure));
  const kept = left.value === post ? succeed(post) : await keepNow(writer, path);
  if (!kept.ok) return kept;
  await journal.commit(op, kept.value, [], folders.value);
  return succeed({ operation: op, altered: left.value !== post, rewritten: [] });
}

/** @param check looks at the bytes that are about to go; what it refuses stays */
export async function trashFile(
  writer: Writer,
  call: OperationCall,
  check: (bytes: Uint8Array) => Outcome<void>,
): Promise<Outcome<StepReport>> {
  const { files, journal } = writer;
  const { path } = call;
  const bytes = await readForWrite(writer, path);
  if (!bytes.ok) return bytes;
  const checked = check(bytes.value);
  if (!checked.ok) return checked;
  if (bytes.value.length > maxCopy) return fail(tooLarge(path));
  const begun = await beginWrite(writer, call, bytes.value, null);
  if (!begun.ok) return begun;
  const { op, pre } = begun.value;
  const trashed = await insist(writer.pause, () => files.trash(path));
  const left = await hashNow(writer, path);
  if (left.ok && left.value === null) {
    await journal.commit(op, null);
    return succeed({ operation: op, altered: false, rewritten: [] });
  }
  const failure = trashed.ok ? undefined : trashed.failure;
  if (!left.ok || left.value !== pre) return fail(unclear(path, failure));
  await journal.void(op);
  return fail(failure ?? unclear(path));
}

/** Removes folders that were made for a file, as far as they are empty, innermost first. */
export async function removeFolders({ files }: Writer, folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].reverse()) await files.removeEmptyFolder(folder);
}

/** The bytes on disk once everything typed is saved. */
export async function readForWrite({ files, guard }: Writer, path: string): Promise<Outcome<Uint8Array>> {
  const allowed = await guard.existing(path);
  if (!allowed.ok) return allowed;
  const flushed = await files.flush(path);
  return flushed.ok ? files.readBytes(path) : flushed;
}

export async function keepNow({ files, journal }: Writer, path: string): Promise<Outcome<string>> {
  const bytes = await files.readBytes(path);
  return bytes.ok ? journal.keep(bytes.value) : bytes;
}

function decodeAnyway(bytes: Uint8Array): Outcome<DecodedText> {
  return succeed(splitMark(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)));
}

export function stale(path: string): Failure {
  return { kind: 'refused', words: words.writing.changedBoth(path), remedy: words.writing.changedBothRemedy };
}

export function taken(path: string): Failure {
  return { kind: 'refused', words: words.writing.placeTaken(path), remedy: words.writing.placeTakenRemedy };
}

function tooLarge(path: string): Failure {
  const limit = `${maxCopy / 1_000_000} MB`;
  return {
    kind: 'too-large',
    words: words.writing.tooLargeToKeep(path, limit),
    remedy: words.writing.tooLargeToKeepRemedy,
  };
}

/** What carries out one write: the files, the journal that knows of it first, and checks right before it. */
export interface Writer {
  readonly files: WritePort;
  readonly journal: Journal;
  readonly guard: WriteGuard;
  readonly digest: Digest;
  readonly hash: BytesDigest;
  readonly pause: Pause;
}

export interface StepReport {
  /** The operation in the journal; null when there was nothing to do. */
  readonly operation: string | null;
  /** Whether something else, such as a plugin, changed the text as it was saved. */
  readonly altered: boolean;
  readonly rewritten: readonly Rewritten[];
}

const nothingDone: StepReport = { operation: null, altered: false, rewritten: [] };

/** Waits before the disk is asked again, in milliseconds: scanners and sync clients lock a file only briefly (F6). */
const waits = [50, 150, 400];

/** Runs a disk operation, and again while the disk refuses. */
export async function insist<T>(pause: Pause, attempt: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  let outcome = await attempt();
  for (const wait of waits) {
    if (outcome.ok || outcome.failure.kind !== 'storage') return outcome;
    await pause(wait);
    outcome = await attempt();
  }
  return outcome;
}

/** The hash of what is at a path now; null when nothing is. */
export async function hashNow({ files, hash }: Writer, path: string): Promise<Outcome<string | null>> {
  const read = await files.readBytes(path);
  if (read.ok) return succeed(hash(read.value));
  return read.failure.kind === 'not-found' ? succeed(null) : read;
}

/** A write whose end is not known: nothing more is done to the file until the user has seen both versions. */
export function unclear(path: string, cause?: Failure): Failure {
  return {
    kind: 'storage',
    words: words.writing.endUnknown(path) + (cause === undefined ? '' : ` (${cause.words})`),
    remedy: words.writing.endUnknownRemedy,
  };
}

/** One queue for all chats: writes to the vault happen one after another, whoever asks for them. */
interface WriteQueue {
  run<T>(task: () => Promise<T>): Promise<T>;
}

export function createWriteQueue(): WriteQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (task) => {
      const next = last.then(task, task);
      last = next;
      return next;
    },
  };
}

/** What a chat asks of the world to stage, apply and take back changes; one for all chats. */
export interface WritingPorts {
  readonly staging: Omit<StagedVaultPorts, 'taint'>;
  readonly queue: WriteQueue;
  /** The way to the disk, its journal opened and what a crash left open settled; a failure when there is none. */
  writer(): Promise<Outcome<Writer>>;
  /** What chats wrote while others' text was in view. */
  readonly foreign: UntrustedNotes;
  /** Where plans stand, and what gives the agent instructions. */
  places(): PolicyPlaces;
  /** Whether there is a person who can be asked, now or later. */
  canAsk(): boolean;
}
