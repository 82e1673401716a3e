/** Journal: what was written to the vault, with a verified copy of what was there before; the way back (H8). */
import { words } from '../../text';
import type { Clock, Digest, Identifiers } from '../ports/device';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { FileChange } from './changeset';
import {
  type CallRecord,
  decodeRecord,
  encodeRecord,
  type FileVersion,
  foldRecord,
  type JournalRecord,
  type Operation,
  type Rewritten,
} from './journal-records';
import type { BytesDigest, JournalStore } from './write-ports';

export interface JournalPorts {
  readonly store: JournalStore;
  readonly digest: Digest;
  readonly hash: BytesDigest;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  /** Told of each write as it ends, before the journal has its end on disk. */
  readonly written?: (operation: Operation, find: (id: string) => Operation | undefined) => void;
}

export type OperationCall = Omit<CallRecord, 'kind' | 'op' | 'time'>;

export class Journal {
  private readonly known = new Map<string, Operation>();
  /** Only this process appends to its segment, so a line that a crash tore stays alone in its own. */
  private readonly segment: string;
  private torn = false;
  private ordered: readonly Operation[] | null = null;

  private constructor(
    private readonly ports: JournalPorts,
    /** Lines of earlier sessions that could not be read; they are kept and counted. */
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
   * The operation that carried out one step of a change, or whose end is unknown. What further calls made of the change
   * since then is not on disk.
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

  /** Whether an operation has been taken back, and that not taken back in turn. */
  isUndone(id: string): boolean {
    return this.operations().some(
      (each) => each.state === 'committed' && each.call.undoes === id && !this.isUndone(each.id),
    );
  }

  /** Where a file that was at a path after an operation is now, by the moves since. */
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

  /** Keeps bytes under their hash, read back and verified; anything less is a failure (F7). */
  async keep(bytes: Uint8Array): Promise<Outcome<string>> {
    const { store, hash } = this.ports;
    const name = hash(bytes);
    const known = await store.readBlob(name);
    if (known.ok && hash(known.value) === name) return succeed(name);
    const written = await store.writeBlob(name, bytes);
    if (!written.ok) return fail(notKept(written.failure));
    const back = await store.readBlob(name);
    return back.ok && hash(back.value) === name ? succeed(name) : fail(notKept());
  }

  /** Kept bytes, verified once more. */
  async bytes(name: string): Promise<Outcome<Uint8Array>> {
    const read = await this.ports.store.readBlob(name);
    if (read.ok && this.ports.hash(read.value) === name) return read;
    return fail({ kind: 'not-found', words: words.writing.copyGone, remedy: words.writing.copyGoneRemedy });
  }

  /** Takes operations out of the list once their records are gone. */
  forget(ids: ReadonlySet<string>): void {
    for (const id of ids) this.known.delete(id);
    this.ordered = null;
  }

  /** The segment that this session appends to. */
  get ownSegment(): string {
    return this.segment;
  }

  private async append(record: JournalRecord): Promise<Outcome<void>> {
    const line = encodeRecord(record, this.ports.digest);
    const written = await this.ports.store.append(this.segment, this.torn ? `\n${line}` : line);
    this.torn = !written.ok;
    if (!written.ok) return fail(notKept(written.failure));
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

function notKept(cause?: Failure): Failure {
  const detail = cause === undefined ? '' : ` (${cause.words})`;
  return {
    kind: 'storage',
    words: words.writing.journalNotWritten + detail,
    remedy: words.writing.journalNotWrittenRemedy,
  };
}
