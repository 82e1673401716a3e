/**
 * Journal: records each write to the vault with a verified copy of the earlier bytes, so that it can be undone (H8).
 */
import { words } from '../../../text';
import type { Clock, Digest, Identifiers } from '../../ports/device';
import { type Failure, fail, type Outcome, succeed } from '../../ports/failure';
import type { FileChange } from '../changeset/changeset';
import {
  blobsOf,
  type CallRecord,
  decodeRecord,
  encodeRecord,
  type FileVersion,
  foldRecord,
  type JournalRecord,
  type Operation,
  type Rewritten,
} from '../changeset/journal-records';
import type { BytesDigest, JournalStore } from '../changeset/ports';

export interface JournalPorts {
  readonly store: JournalStore;
  readonly digest: Digest;
  readonly hash: BytesDigest;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  /** Called as each write ends, before the end is recorded on disk. */
  readonly written?: (operation: Operation, find: (id: string) => Operation | undefined) => void;
}

export type OperationCall = Omit<CallRecord, 'kind' | 'op' | 'time'>;

export class Journal {
  private readonly known = new Map<string, Operation>();
  /**
   * Only this process appends to this segment, so a line cut off by a crash cannot damage the lines of another process.
   */
  private readonly segment: string;
  private torn = false;
  private ordered: readonly Operation[] | null = null;

  private constructor(
    private readonly ports: JournalPorts,
    /** The number of lines from earlier runs that could not be read; they are not deleted. */
    readonly damaged: number,
  ) {
    this.segment = ports.identifiers.next();
  }

  static async open(ports: JournalPorts): Promise<Outcome<Journal>> {
    const segments = await ports.store.segments();
    if (!segments.ok) return segments;
    const lines = segments.value.flatMap(({ text }) => text.split('\n').filter((line) => line.trim() !== ''));
    const records = lines.flatMap((line) => decodeRecord(line, ports.digest) ?? []);
    const journal = new Journal(ports, lines.length - records.length);
    const order: Readonly<Record<JournalRecord['kind'], number>> = { call: 0, intent: 1, void: 2, commit: 3 };
    for (const record of [...records].sort((a, b) => order[a.kind] - order[b.kind])) journal.fold(record);
    return succeed(journal);
  }

  /** All operations, oldest first. */
  operations(): readonly Operation[] {
    this.ordered ??= [...this.known.values()].sort((a, b) => a.call.time - b.call.time);
    return this.ordered;
  }

  operation(id: string): Operation | undefined {
    return this.known.get(id);
  }

  /**
   * Returns the operation that applied one step of a change, or one whose end is unknown. It must cover the same tool
   * calls, since edits by later calls are not on disk.
   */
  find(
    changeset: string,
    change: Pick<FileChange, 'id' | 'calls'>,
    step: Operation['call']['step'],
  ): Operation | undefined {
    const calls = change.calls.map(({ id }) => id).join('\n');
    return this.operations().find(
      ({ call, state }) =>
        call.changeset === changeset &&
        call.change === change.id &&
        call.step === step &&
        call.undoes === null &&
        (state === 'begun' || (state === 'committed' && call.calls.join('\n') === calls)),
    );
  }

  /** Whether an operation has been undone, and the undo not undone in turn. */
  isUndone(id: string): boolean {
    return this.operations().some(
      (each) => each.state === 'committed' && each.call.undoes === id && !this.isUndone(each.id),
    );
  }

  /** Returns the current path of a file that was at `path` right after an operation, by following later moves. */
  placeSince(path: string, operation: Operation): string {
    let place = path;
    for (const { id, call, state } of this.operations()) {
      if (call.time <= operation.call.time || id === operation.id || state !== 'committed') continue;
      if (call.step === 'move' && call.path === place && call.to !== null) place = call.to;
    }
    return place;
  }

  async begin(call: OperationCall): Promise<Outcome<string>> {
    const op = this.ports.identifiers.next();
    const last = this.operations().at(-1)?.call.time ?? 0;
    const time = Math.max(this.ports.clock.now(), last + 1);
    const written = await this.append({ kind: 'call', op, time, ...call });
    return written.ok ? succeed(op) : written;
  }

  intend(op: string, pre: string | null, post: string | null, sources: readonly FileVersion[]): Promise<Outcome<void>> {
    return this.append({ kind: 'intent', op, pre, post, sources: [...sources] });
  }

  commit(
    op: string,
    post: string | null,
    rewritten: readonly Rewritten[] = [],
    folders: readonly string[] = [],
  ): Promise<Outcome<void>> {
    const operation = this.known.get(op);
    if (operation !== undefined) this.ports.written?.(operation, (id) => this.known.get(id));
    return this.append({ kind: 'commit', op, post, rewritten: [...rewritten], folders: [...folders] });
  }

  void(op: string): Promise<Outcome<void>> {
    return this.append({ kind: 'void', op });
  }

  /** Stores bytes under their hash and verifies them by reading them back; fails if they differ (F7). */
  async keep(bytes: Uint8Array): Promise<Outcome<string>> {
    const { store, hash } = this.ports;
    const name = hash(bytes);
    const known = await store.readBlob(name);
    if (known.ok && hash(known.value) === name) return succeed(name);
    const written = await store.writeBlob(name, bytes);
    if (!written.ok) return fail(notStored(written.failure));
    const back = await store.readBlob(name);
    return back.ok && hash(back.value) === name ? succeed(name) : fail(notStored());
  }

  /** Returns stored bytes after verifying their hash; fails if they are missing or damaged. */
  async bytes(name: string): Promise<Outcome<Uint8Array>> {
    const read = await this.ports.store.readBlob(name);
    if (read.ok && this.ports.hash(read.value) === name) return read;
    return fail({ kind: 'not-found', words: words.writing.copyMissing, remedy: words.writing.copyMissingRemedy });
  }

  /** Removes operations from memory after their records were deleted from disk. */
  forget(ids: ReadonlySet<string>): void {
    for (const id of ids) this.known.delete(id);
    this.ordered = null;
  }

  /** The segment that this process appends to. */
  get ownSegment(): string {
    return this.segment;
  }

  private async append(record: JournalRecord): Promise<Outcome<void>> {
    const line = encodeRecord(record, this.ports.digest);
    const written = await this.ports.store.append(this.segment, this.torn ? `\n${line}` : line);
    this.torn = !written.ok;
    if (!written.ok) return fail(notStored(written.failure));
    this.fold(record);
    return succeed(undefined);
  }

  private fold(record: JournalRecord): void {
    const operation = foldRecord(this.known.get(record.op), record);
    if (operation === undefined) return;
    this.known.set(record.op, operation);
    this.ordered = null;
  }
}

function notStored(cause?: Failure): Failure {
  const detail = cause === undefined ? '' : ` (${cause.words})`;
  return {
    kind: 'storage',
    words: words.writing.journalNotWritten + detail,
    remedy: words.writing.journalNotWrittenRemedy,
  };
}

// Pruning: limits the journal by age and size, deleting the oldest writes first, and reports its usage.

const day = 86_400_000;

export const journalBounds = { days: 30, bytes: 200_000_000 } as const;

export interface JournalUsage {
  readonly operations: number;
  /** Bytes of all stored copies. */
  readonly bytes: number;
  /** Milliseconds since the epoch; null for an empty journal. */
  readonly oldest: number | null;
  readonly limitDays: number;
  readonly limitBytes: number;
}

export async function usageOf(journal: Journal, store: JournalStore): Promise<Outcome<JournalUsage>> {
  const blobs = await store.blobs();
  if (!blobs.ok) return blobs;
  const operations = journal.operations().filter(({ state }) => state === 'committed' || state === 'begun');
  return succeed({
    operations: operations.length,
    bytes: blobs.value.reduce((sum, { size }) => sum + size, 0),
    oldest: operations[0]?.call.time ?? null,
    limitDays: journalBounds.days,
    limitBytes: journalBounds.bytes,
  });
}

export interface PrunePorts {
  readonly store: JournalStore;
  readonly digest: Digest;
  readonly clock: Clock;
}

/**
 * Deletes the records of writes beyond the limits, then the copies that no remaining write needs. A write whose end is
 * unknown is never deleted. Runs in the write queue.
 */
export async function pruneJournal(journal: Journal, ports: PrunePorts): Promise<Outcome<JournalUsage>> {
  const { store } = ports;
  const blobs = await store.blobs();
  if (!blobs.ok) return blobs;
  const sizes = new Map(blobs.value.map(({ hash, size }) => [hash, size]));
  const retained = chooseRetained(journal.operations(), sizes, ports.clock.now());
  const dropped = journal.operations().filter((operation) => !retained.includes(operation));
  if (dropped.length > 0) {
    const removed = await dropRecords(new Set(dropped.map(({ id }) => id)), ports, journal.ownSegment);
    if (!removed.ok) return removed;
    journal.forget(new Set(dropped.map(({ id }) => id)));
  }
  const needed = new Set(retained.flatMap(blobsOf));
  for (const { hash } of blobs.value) if (!needed.has(hash)) await store.removeBlob(hash);
  return usageOf(journal, store);
}

/** Selects operations from newest to oldest while their copies fit the limits; a copy shared by several counts once. */
function chooseRetained(
  operations: readonly Operation[],
  sizes: ReadonlyMap<string, number>,
  now: number,
): Operation[] {
  const counted = new Set<string>();
  const retained: Operation[] = [];
  let bytes = 0;
  let full = false;
  for (const operation of [...operations].reverse()) {
    const more = blobsOf(operation).filter((hash) => !counted.has(hash));
    const size = more.reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0);
    const open = operation.state === 'begun' || operation.state === 'called';
    const young = now - operation.call.time <= journalBounds.days * day && operation.state === 'committed';
    full ||= !open && bytes + size > journalBounds.bytes;
    if (!open && (!young || full)) continue;
    retained.unshift(operation);
    for (const hash of more) counted.add(hash);
    bytes += size;
  }
  return retained;
}

/** Deletes the records of the given operations. Unreadable lines stay, since a newer version may have written them. */
async function dropRecords(
  ids: ReadonlySet<string>,
  { store, digest }: PrunePorts,
  ownSegment: string,
): Promise<Outcome<void>> {
  const segments = await store.segments();
  if (!segments.ok) return segments;
  for (const { name, text } of segments.value) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const left = lines.filter((line) => {
      const record = decodeRecord(line, digest);
      return record === null || !ids.has(record.op);
    });
    if (left.length === lines.length) continue;
    const done =
      left.length === 0 && name !== ownSegment
        ? await store.removeSegment(name)
        : await store.replace(name, left.map((line) => `${line}\n`).join(''));
    if (!done.ok) return done;
  }
  return succeed(undefined);
}
