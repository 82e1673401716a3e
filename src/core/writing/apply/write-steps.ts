/** The steps that write one file: edit, create, delete. Each is in the journal before it touches the disk (6.3). */
import { words } from '../../../text';
import { byteOrderMark, type DecodedText, decodeText, encodeText, splitMark } from '../../markdown/encoding';
import type { Digest } from '../../ports/device';
import { type Failure, fail, type Outcome, succeed } from '../../ports/failure';
import type { Yaml } from '../../ports/vault';
import type { Rewritten } from '../changeset/journal-records';
import type { BytesDigest, Pause, WriteGuard, WritePort } from '../changeset/ports';
import type { PolicyPlaces } from '../guard/policy';
import type { Provenance } from '../guard/provenance';
import type { RecentMoves } from '../stage/follow-notes';
import type { StagedVaultPorts } from '../stage/staged-vault';
import type { Journal, OperationCall } from './journal';

/** The ports that one write needs. */
export interface Writer {
  readonly files: WritePort;
  readonly journal: Journal;
  readonly guard: WriteGuard;
  readonly digest: Digest;
  readonly hash: BytesDigest;
  readonly yaml: Yaml;
  readonly pause: Pause;
  /** What was renamed in Obsidian on this device; absent where nobody watches. */
  readonly moves?: Pick<RecentMoves, 'since'>;
}

export interface StepReport {
  /** The id of the operation in the journal; null if there was nothing to do. */
  readonly operation: string | null;
  /** Whether something else, such as another plugin, changed the text during the save. */
  readonly altered: boolean;
  readonly rewritten: readonly Rewritten[];
}

/** The write queue that all chats share: writes to the vault run one after another. */
interface WriteQueue {
  run<T>(task: () => Promise<T>): Promise<T>;
}

/** The ports that chats need to stage, apply, and undo changes; all chats share one object. */
export interface WritingPorts {
  readonly staging: Omit<StagedVaultPorts, 'taint'>;
  readonly queue: WriteQueue;
  /**
   * Returns the writer with its journal open and interrupted operations recovered; fails if the journal cannot be
   * opened.
   */
  writer(): Promise<Outcome<Writer>>;
  /** Notes that chats wrote while untrusted text was in their context. */
  readonly untrusted: Provenance;
  /** What was renamed in Obsidian, also while a chat was closed. */
  readonly moves: Pick<RecentMoves, 'find'>;
  /** Returns the folder of plans and the paths whose text gives the agent instructions. */
  places(): PolicyPlaces;
  /** Whether a user can be asked for approval, now or later. */
  canAsk(): boolean;
}

/** Bytes; a larger file is not copied, so it is not deleted either. */
export const maxCopy = 20_000_000;

export interface TextOptions {
  /** Allows overwriting a damaged file that does not decode as text, with or without a byte order mark. */
  readonly damaged?: { readonly mark: boolean };
}

/**
 * Replaces the text of a file; tries once more if the file changed between reading and writing.
 * @param remake gets the text on disk without byte order mark, after open views were saved
 */
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
  const bytes = await readForWrite(writer, call);
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
  // Making the copies takes a moment, in which the user may have typed on.
  const flushed = await files.flush(path);
  if (!flushed.ok) {
    await journal.void(op);
    return flushed;
  }
  let failure: Failure | undefined;
  const written = await insist(writer.pause, async () => {
    const attempt = await files.process(path, (now) =>
      splitMark(now).text === current.value.text ? (after.mark ? byteOrderMark : '') + after.text : null,
    );
    if (!attempt.ok) failure = attempt.failure;
    return attempt;
  });
  const isDone = written.ok && written.value === 'written';
  // After a failed attempt, a differing text may be what that attempt wrote.
  if (!isDone && failure === undefined) {
    await journal.void(op);
    return 'drifted';
  }
  return conclude(writer, call, begun.value, isDone ? undefined : failure);
}

interface BegunWrite {
  readonly op: string;
  /** Hashes of the stored copies; null where no file exists before or after the write. */
  readonly pre: string | null;
  readonly post: string | null;
}

/** Stores copies of both versions and records the intent in the journal before anything is written. */
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

/** Reads back the file after a write and records the end in the journal. */
async function conclude(
  writer: Writer,
  { path }: OperationCall,
  { op, pre, post }: BegunWrite,
  failure: Failure | undefined,
): Promise<Outcome<StepReport>> {
  const { files, journal } = writer;
  const back = await files.readBytes(path);
  if (!back.ok && (failure === undefined || back.failure.kind !== 'not-found'))
    return fail(interrupted(path, back.failure));
  const left = back.ok ? writer.hash(back.value) : null;
  if (failure !== undefined && left === pre) {
    await journal.void(op);
    return fail(failure);
  }
  if (failure !== undefined && left !== post) return fail(interrupted(path, failure));
  const stored = back.ok && left !== post ? await journal.keep(back.value) : succeed(post);
  if (!stored.ok) return fail(interrupted(path));
  await journal.commit(op, stored.value);
  return succeed({ operation: op, altered: left !== post, rewritten: [] });
}

export async function createFile(writer: Writer, call: OperationCall, bytes: Uint8Array): Promise<Outcome<StepReport>> {
  const { files, journal, guard } = writer;
  const { path } = call;
  const allowed = await guard.fresh(path, call.undoes !== null);
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
  if (!left.ok) return fail(interrupted(path, left.failure));
  if (!made.ok && (left.value === null || made.failure.kind === 'refused')) {
    await removeFolders(writer, folders.value);
    await journal.void(op);
    return made;
  }
  if (left.value !== post && !made.ok) return fail(interrupted(path, made.failure));
  const stored = left.value === post ? succeed(post) : await keepNow(writer, path);
  if (!stored.ok) return fail(interrupted(path));
  await journal.commit(op, stored.value, [], folders.value);
  return succeed({ operation: op, altered: left.value !== post, rewritten: [] });
}

/**
 * Moves a file to the trash.
 * @param check gets the bytes about to be deleted; a failure stops the deletion
 */
export async function trashFile(
  writer: Writer,
  call: OperationCall,
  check: (bytes: Uint8Array) => Outcome<void>,
): Promise<Outcome<StepReport>> {
  const { files, journal } = writer;
  const { path } = call;
  const bytes = await readForWrite(writer, call);
  if (!bytes.ok) return bytes;
  const checked = check(bytes.value);
  if (!checked.ok) return checked;
  if (bytes.value.length > maxCopy) return fail(tooLarge(path));
  const begun = await beginWrite(writer, call, bytes.value, null);
  if (!begun.ok) return begun;
  const { op, pre } = begun.value;
  // Making the copy takes a moment, in which the user may have written on.
  const still = await readForWrite(writer, call);
  if (!still.ok || writer.hash(still.value) !== pre) {
    await journal.void(op);
    return still.ok ? fail(stale(path)) : still;
  }
  const trashed = await insist(writer.pause, () => files.trash(path));
  const left = await hashNow(writer, path);
  if (left.ok && left.value === null) {
    await journal.commit(op, null);
    return succeed({ operation: op, altered: false, rewritten: [] });
  }
  const failure = trashed.ok ? undefined : trashed.failure;
  if (!left.ok || left.value !== pre) return fail(interrupted(path, failure));
  await journal.void(op);
  return fail(failure ?? interrupted(path));
}

/** Removes the folders created for a file if they are empty, innermost first. */
export async function removeFolders({ files }: Writer, folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].reverse()) await files.removeEmptyFolder(folder);
}

/** Returns the bytes on disk after saving the text typed into open views. */
export async function readForWrite(
  { files, guard }: Writer,
  { path, undoes }: Pick<OperationCall, 'path' | 'undoes'>,
): Promise<Outcome<Uint8Array>> {
  const allowed = await guard.existing(path, undoes !== null);
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
  return {
    ...{ kind: 'refused', words: words.writing.changedBoth(path), remedy: words.writing.changedBothRemedy },
    action: 'ask-again',
  };
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

const nothingDone: StepReport = { operation: null, altered: false, rewritten: [] };

/** Milliseconds to wait before each retry: virus scanners and sync clients lock a file only briefly (F6). */
const waits = [50, 150, 400];

/** Runs a disk operation and retries it while it fails with kind `storage`. */
export async function insist<T>(pause: Pause, attempt: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  let outcome = await attempt();
  for (const wait of waits) {
    if (outcome.ok || outcome.failure.kind !== 'storage') return outcome;
    await pause(wait);
    outcome = await attempt();
  }
  return outcome;
}

/** Returns the hash of the file at a path; null if there is none. */
export async function hashNow({ files, hash }: Writer, path: string): Promise<Outcome<string | null>> {
  const read = await files.readBytes(path);
  if (read.ok) return succeed(hash(read.value));
  return read.failure.kind === 'not-found' ? succeed(null) : read;
}

/** The failure of a write whose end is unknown; the file is not written again until the user has seen both versions. */
export function interrupted(path: string, cause?: Failure): Failure {
  return {
    kind: 'storage',
    words: words.writing.endUnknown(path) + (cause === undefined ? '' : ` (${cause.words})`),
    remedy: words.writing.endUnknownRemedy,
  };
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
