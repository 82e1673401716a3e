/**
 * Journal: records each write to the vault with a verified copy of the earlier bytes, so that it can be undone (H8).
 */
import { words } from '../../../text';
import type { Clock, Digest, Identifiers } from '../../ports/device';
import { type Failure, fail, type Outcome, succeed } from '../../ports/failure';
import { findLast } from '../../session/running-fold';
import type { FileChange } from '../changeset/changeset';
import {
  type CallRecord,
  decodeRecord,
  encodeRecord,
  type FileVersion,
  foldRecord,
  foldUndone,
  isFurther,
  isOrderly,
  type JournalRecord,
  type Operation,
  type OperationRecord,
  recordsBeyond,
  type Rewritten,
} from '../changeset/journal-records';
import type { BytesDigest, JournalStore, Segment } from '../changeset/ports';

/** Milliseconds. */
export const day = 86_400_000;

/** How long and how much of this device is stored. */
export const journalBounds = { days: 30, bytes: 200_000_000 } as const;

export interface JournalPorts {
  readonly store: JournalStore;
  readonly digest: Digest;
  readonly hash: BytesDigest;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  /** The kind of this device in words, such as a phone; stored with each operation, for the other devices. */
  readonly device?: string;
  /** Called as each write ends with what it left, before its end is on disk. A sync can forge what began elsewhere. */
  readonly written?: (
    operation: Operation,
    find: (id: string) => Operation | undefined,
    left: Pick<Operation, 'post' | 'rewritten'> & { readonly isBegunHere: boolean },
  ) => void;
}

export type OperationCall = Omit<CallRecord, 'kind' | 'op' | 'time' | 'device'>;

/** The lines of a segment, decoded once. */
interface DecodedSegment {
  readonly text: string;
  readonly lines: readonly { readonly line: string; readonly record: JournalRecord | null }[];
}

export class Journal {
  private known = new Map<string, Operation>();
  /**
   * Only this process appends to this segment, so a line cut off by a crash cannot damage the lines of another process.
   */
  ownSegment: string;
  private torn = false;
  private ordered: readonly Operation[] | null = null;
  private undone: ReadonlySet<string> | null = null;
  /** Records of ends that the disk refused, and of what it lost: the write happened, so they go before the next record. */
  private unrecorded: readonly { readonly op: string; readonly line: string }[] = [];
  /** Operations that were deleted, although lines of them may remain on disk. */
  private readonly deleted = new Set<string>();
  private readonly begun = new Set<string>();
  private decoded = new Map<string, DecodedSegment>();
  /** Whether all segments of this device were read. */
  isWhole = true;

  private constructor(private readonly ports: JournalPorts) {
    this.ownSegment = ports.identifiers.next();
  }

  static async open(ports: JournalPorts): Promise<Outcome<Journal>> {
    const journal = new Journal(ports);
    const read = await journal.refresh();
    return read.ok ? succeed(journal) : read;
  }

  /**
   * Reads what other devices have recorded by now, and what of this device is on disk. Operations of this device that
   * are missing there remain, and are written back: a sync service may have put back an older file.
   */
  async refresh(): Promise<Outcome<void>> {
    const segments = await this.ports.store.segments();
    if (!segments.ok) return segments;
    this.lookAtOwn(segments.value);
    this.decoded = new Map(segments.value.map((segment) => [keyOf(segment), this.decode(segment)]));
    const records = segments.value.flatMap((segment) =>
      this.linesOf(segment).flatMap(({ record }) => (record === null ? [] : [{ record, writer: segment.writer }])),
    );
    const before = this.known;
    this.known = new Map();
    // Each device deletes what is its own; what it no longer shows of the first layout is its own matter.
    for (const { record, writer } of records) {
      for (const op of record.kind === 'pruned' ? record.ops : []) {
        if (writer === this.writer || op.startsWith(`${writer}${separator}`)) this.deleted.add(op);
      }
    }
    const order: Readonly<Record<OperationRecord['kind'], number>> = { call: 0, intent: 1, void: 2, commit: 3 };
    const found = records.flatMap(({ record, writer }) => (record.kind === 'pruned' ? [] : [{ record, writer }]));
    for (const { record, writer } of found.sort((a, b) => order[a.record.kind] - order[b.record.kind])) {
      this.fold(record, writer);
    }
    const missing = this.keepKnown(before);
    this.ordered = this.undone = null;
    // A file that cannot be read may have them.
    if (this.isWhole) await this.writeBack(missing);
    return succeed(undefined);
  }

  /** Nothing is written to a file that may be damaged, or behind a line that was cut off. */
  private lookAtOwn(segments: readonly Segment[]): void {
    const own = segments.filter((segment) => this.isOwn(segment));
    const unread = own.filter(({ isUnread }) => isUnread);
    this.isWhole = unread.length === 0;
    if (unread.some(({ name }) => name === this.ownSegment)) this.ownSegment = this.ports.identifiers.next();
    this.torn ||= own.some(({ name, text }) => name === this.ownSegment && /[^\n]$/.test(text));
  }

  /** Adds what was known of this device to what was read, and returns the records that this lacks. */
  private keepKnown(before: ReadonlyMap<string, Operation>): readonly OperationRecord[] {
    const missing: OperationRecord[] = [];
    for (const [id, operation] of before) {
      const known = this.known.get(id);
      if (operation.writer !== this.writer || this.deleted.has(id) || !isFurther(operation, known)) continue;
      missing.push(...recordsBeyond(operation, known));
      this.known.set(id, operation);
    }
    return missing;
  }

  /** Writes records that are missing on disk; those that it refuses now go before the next one. */
  private async writeBack(missing: readonly OperationRecord[]): Promise<void> {
    if (missing.length === 0) return;
    const lines = missing.map((record) => ({ op: record.op, line: encodeRecord(record, this.ports.digest) }));
    const waiting = new Set(this.unrecorded.map(({ line }) => line));
    this.unrecorded = [...this.unrecorded, ...lines.filter(({ line }) => !waiting.has(line))];
    await this.write('');
  }

  /** Names this device. */
  get writer(): string {
    return this.ports.store.writer;
  }

  /** The number of lines that could not be read; they are not deleted. */
  get damaged(): number {
    return [...this.decoded.values()].reduce(
      (sum, { lines }) => sum + lines.filter(({ record }) => record === null).length,
      0,
    );
  }

  /** The number of writes whose end is not on disk yet, because the disk refused it. */
  get unrecordedEnds(): number {
    return new Set(this.unrecorded.map(({ op }) => op)).size;
  }

  /** Whether this device made an operation, or may have, in the first layout. */
  isOwn({ writer }: Pick<Operation, 'writer'>): boolean {
    return writer === null || writer === this.writer;
  }

  /** Whether the name of an operation that is not in the journal shows that another device made it. */
  isOfOtherDevice(id: string): boolean {
    const [writer, rest] = id.split(separator);
    return rest !== undefined && writer !== this.writer;
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
    this.undone ??= foldUndone(this.operations());
    return this.undone.has(id);
  }

  /** Returns the operation that has undone another one; undefined if that is not undone. */
  undoOf(id: string): Operation | undefined {
    if (!this.isUndone(id)) return undefined;
    return this.operations().find(
      ({ id: undo, call, state }) => call.undoes === id && state === 'committed' && !this.isUndone(undo),
    );
  }

  /** Returns the moves after an operation, oldest first. */
  movesSince({ id, call: { time } }: Operation): readonly Operation[] {
    return this.operations().filter(
      ({ id: other, call, state }) =>
        call.step === 'move' && call.time > time && other !== id && state === 'committed' && call.to !== null,
    );
  }

  async begin(call: OperationCall): Promise<Outcome<string>> {
    const { identifiers, clock, device } = this.ports;
    const op = `${this.writer}${separator}${identifiers.next()}`;
    const last = findLast(this.operations(), (each) => isOrderly(each, this.writer))?.call.time ?? 0;
    const time = Math.max(clock.now(), last + 1);
    this.begun.add(op);
    const written = await this.append({ kind: 'call', op, time, ...(device !== undefined && { device }), ...call });
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
    if (operation !== undefined) {
      const isBegunHere = this.begun.has(op);
      this.ports.written?.(operation, (id) => this.known.get(id), { post, rewritten, isBegunHere });
    }
    return this.append({ kind: 'commit', op, post, rewritten: [...rewritten], folders: [...folders] });
  }

  void(op: string): Promise<Outcome<void>> {
    return this.append({ kind: 'void', op });
  }

  /** Stores bytes under their hash and verifies them by reading them back; fails if they differ (F7). */
  async keep(bytes: Uint8Array): Promise<Outcome<string>> {
    const { store, hash } = this.ports;
    const name = hash(bytes);
    // A copy of another device may be removed there at any time.
    const known = await store.readBlob(name, this.writer);
    if (known.ok && hash(known.value) === name) return succeed(name);
    const written = await store.writeBlob(name, bytes);
    if (!written.ok) return fail(notStored(written.failure));
    const back = await store.readBlob(name, this.writer);
    return back.ok && hash(back.value) === name ? succeed(name) : fail(notStored());
  }

  /**
   * Returns stored bytes after verifying their hash, from the copies of any device; fails if all are missing or damaged.
   * @param operation what needs them, for the words of the failure
   */
  async bytes(name: string, operation?: Operation): Promise<Outcome<Uint8Array>> {
    const { store, hash } = this.ports;
    const owners = [this.writer, operation?.writer, null, ...[...this.known.values()].map(({ writer }) => writer)];
    for (const owner of new Set(owners)) {
      if (owner === undefined) continue;
      const read = await store.readBlob(name, owner);
      if (read.ok && hash(read.value) === name) return read;
    }
    return fail(this.missingCopy(operation));
  }

  private missingCopy(operation: Operation | undefined): Failure {
    const { copyMissing, copyMissingRemedy, copyElsewhere, copyElsewhereRemedy, copyExpired } = words.writing;
    const path = operation?.call.path ?? '';
    const isOld = operation !== undefined && this.ports.clock.now() - operation.call.time > journalBounds.days * day;
    if (isOld) return { kind: 'not-found', words: copyExpired(path), remedy: copyMissingRemedy };
    if (operation === undefined || this.isOwn(operation)) {
      return { kind: 'not-found', words: copyMissing, remedy: copyMissingRemedy };
    }
    const elsewhere = copyElsewhere(path, operation.call.device ?? null);
    return { kind: 'not-found', words: elsewhere, remedy: copyElsewhereRemedy };
  }

  /** Deletes operations in one step: from the one record on, none of them counts, however much of them is on disk. */
  async delete(ids: readonly string[]): Promise<Outcome<void>> {
    const written = await this.append({ kind: 'pruned', ops: [...ids] });
    if (!written.ok) return written;
    for (const id of ids) {
      this.deleted.add(id);
      this.known.delete(id);
    }
    this.ordered = this.undone = null;
    return succeed(undefined);
  }

  /** Whether an operation was deleted. */
  isDeleted(id: string): boolean {
    return this.deleted.has(id);
  }

  /** Returns the lines of a segment with their records; null for a line that cannot be read. */
  linesOf(segment: Segment): DecodedSegment['lines'] {
    return (this.decoded.get(keyOf(segment)) ?? this.decode(segment)).lines;
  }

  /** Appends lines of an older segment to the one of this process. */
  async adopt(lines: readonly string[]): Promise<Outcome<void>> {
    return this.write(lines.map((line) => `${line}\n`).join(''));
  }

  private decode(segment: Segment): DecodedSegment {
    const known = this.decoded.get(keyOf(segment));
    if (known?.text === segment.text) return known;
    // Segments grow at their end, so only new lines are decoded.
    const isLonger = known?.text.endsWith('\n') === true && segment.text.startsWith(known.text);
    const fresh = isLonger ? segment.text.slice(known.text.length) : segment.text;
    const lines = fresh.split('\n').filter((line) => line.trim() !== '');
    const decoded = lines.map((line) => ({ line, record: decodeRecord(line, this.ports.digest) }));
    return { text: segment.text, lines: isLonger ? [...known.lines, ...decoded] : decoded };
  }

  private async append(record: JournalRecord): Promise<Outcome<void>> {
    const line = encodeRecord(record, this.ports.digest);
    const written = await this.write(line);
    const isEnd = record.kind === 'commit' || record.kind === 'void';
    if (!written.ok && !isEnd) return written;
    if (!written.ok && record.kind !== 'pruned') this.unrecorded = [...this.unrecorded, { op: record.op, line }];
    if (record.kind !== 'pruned') this.fold(record, this.known.get(record.op)?.writer ?? this.writer);
    return succeed(undefined);
  }

  private async write(text: string): Promise<Outcome<void>> {
    const all = this.unrecorded.map(({ line }) => line).join('') + text;
    const written = await this.ports.store.append(this.ownSegment, this.torn ? `\n${all}` : all);
    this.torn = !written.ok;
    if (!written.ok) return fail(notStored(written.failure));
    this.unrecorded = [];
    return succeed(undefined);
  }

  private fold(record: OperationRecord, writer: string | null): void {
    if (this.deleted.has(record.op)) return;
    const operation = foldRecord(this.known.get(record.op), record, writer);
    if (operation === undefined) return;
    this.known.set(record.op, operation);
    this.ordered = this.undone = null;
  }
}

/** Between the device and the rest in the name of an operation. */
const separator = '.';

function keyOf({ writer, name }: Pick<Segment, 'writer' | 'name'>): string {
  return `${writer ?? ''}/${name}`;
}

function notStored(cause?: Failure): Failure {
  const detail = cause === undefined ? '' : ` (${cause.words})`;
  return {
    kind: 'storage',
    words: words.writing.journalNotWritten + detail,
    remedy: words.writing.journalNotWrittenRemedy,
  };
}
