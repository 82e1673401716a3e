/**
 * Prunes the journal: limits that of this device by age and size, deleting the oldest writes first, and reports its usage.
 */
import * as z from 'zod/v4';
import { lazy } from '../../base/lazy';
import type { Clock, DeviceStorage } from '../../ports/device';
import { type Outcome, succeed } from '../../ports/failure';
import { blobsOf, type JournalRecord, type Operation } from '../changeset/journal-records';
import type { JournalStore, Segment, StoredBlob } from '../changeset/ports';
import { day, type Journal, journalBounds } from './journal';

export interface JournalUsage {
  readonly operations: number;
  /** Bytes of all stored copies of this device. */
  readonly bytes: number;
  /** Milliseconds since the epoch; null for an empty journal. */
  readonly oldest: number | null;
  readonly limitDays: number;
  readonly limitBytes: number;
  /** Bytes of the copies of other devices, which only these remove. */
  readonly otherBytes: number;
}

export async function usageOf(journal: Journal, store: JournalStore): Promise<Outcome<JournalUsage>> {
  const blobs = await store.blobs();
  if (!blobs.ok) return blobs;
  const operations = journal
    .operations()
    .filter(
      (operation) => journal.isOwn(operation) && (operation.state === 'committed' || operation.state === 'begun'),
    );
  const bytesOf = (isOwn: boolean): number =>
    blobs.value.filter((blob) => journal.isOwn(blob) === isOwn).reduce((sum, { size }) => sum + size, 0);
  return succeed({
    operations: operations.length,
    bytes: bytesOf(true),
    oldest: operations[0]?.call.time ?? null,
    limitDays: journalBounds.days,
    limitBytes: journalBounds.bytes,
    otherBytes: bytesOf(false),
  });
}

export interface PrunePorts {
  readonly store: JournalStore;
  readonly clock: Clock;
}

/**
 * Deletes the operations of this device beyond the limits, after reading again what is on disk. One record deletes them;
 * the files are removed after it, so that a failure or a crash leaves files for the next run and nothing that misleads.
 * A write whose end is unknown is never deleted, and neither is anything of another device. Runs in the write queue.
 */
export async function pruneJournal(journal: Journal, ports: PrunePorts): Promise<Outcome<JournalUsage>> {
  const { store, clock } = ports;
  const refreshed = await journal.refresh();
  if (!refreshed.ok) return refreshed;
  const blobs = await store.blobs();
  if (!blobs.ok) return blobs;
  const now = clock.now();
  const own = journal.operations().filter(({ writer }) => writer === journal.writer);
  const sizes = new Map(
    blobs.value.flatMap(({ writer, hash, size }) => (writer === journal.writer ? [[hash, size]] : [])),
  );
  const retained = chooseRetained(own, sizes, now);
  // The first layout does not say whose an operation is: what every device counts as too old is deleted.
  const tooOld = journal
    .operations()
    .filter(
      ({ writer, state, call }) => writer === null && !isOpen(state) && now - call.time > journalBounds.days * day,
    );
  const dropped = [...own.filter((operation) => !retained.includes(operation)), ...tooOld];
  if (dropped.length > 0) {
    const deleted = await journal.delete(dropped.map(({ id }) => id));
    if (!deleted.ok) return deleted;
  }
  const removed = await removeDeleted(journal, ports, blobs.value, new Set(dropped.flatMap(blobsOf)));
  return removed.ok ? usageOf(journal, store) : removed;
}

function isOpen(state: Operation['state']): boolean {
  return state === 'begun' || state === 'called';
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
    const open = isOpen(operation.state);
    const young = now - operation.call.time <= journalBounds.days * day && operation.state === 'committed';
    full ||= !open && bytes + size > journalBounds.bytes;
    if (!open && (!young || full)) continue;
    retained.unshift(operation);
    for (const hash of more) counted.add(hash);
    bytes += size;
  }
  return retained;
}

/** Removes the lines of deleted operations and the copies that nothing needs any more. */
async function removeDeleted(
  journal: Journal,
  { store, clock }: PrunePorts,
  blobs: readonly StoredBlob[],
  dropped: ReadonlySet<string>,
): Promise<Outcome<void>> {
  const segments = await store.segments();
  if (!segments.ok) return segments;
  // What is in a segment that cannot be read may need any copy.
  if (segments.value.some((segment) => segment.isUnread && journal.isOwn(segment))) return succeed(undefined);
  const lined = new Set(
    segments.value.flatMap((segment) => journal.linesOf(segment).flatMap(({ record }) => opsIn(record))),
  );
  for (const segment of segments.value.filter((each) => journal.isOwn(each) && each.name !== journal.ownSegment)) {
    const cleaned = await cleanSegment(journal, store, segment, lined);
    if (!cleaned.ok) return cleaned;
  }
  // Other devices have copies of their own.
  const own = journal.operations().filter((operation) => journal.isOwn(operation));
  const needed = new Set(own.flatMap(blobsOf));
  for (const blob of blobs.filter((each) => journal.isOwn(each) && !needed.has(each.hash))) {
    // A copy without a record may belong to one that a sync service has yet to bring.
    const rest = blob.writer === null ? journalBounds.days * day : day;
    const isOld = clock.now() - blob.modified > rest;
    if (!isOld && !(blob.writer !== null && dropped.has(blob.hash))) continue;
    const removed = await store.removeBlob(blob);
    if (!removed.ok) return removed;
  }
  return succeed(undefined);
}

/**
 * Removes a segment once the lines that are still needed are in the segment of this process. Lines that cannot be read
 * stay, since a newer version may have written them, and so does a segment of the first layout with any line in use.
 * @param lined the operations that have a line anywhere: what says that they are deleted is needed as long
 */
async function cleanSegment(
  journal: Journal,
  store: JournalStore,
  segment: Segment,
  lined: ReadonlySet<string>,
): Promise<Outcome<void>> {
  const lines = journal.linesOf(segment);
  const left = lines.filter(({ record }) => {
    if (record === null) return true;
    if (record.kind === 'pruned') return record.ops.some((op) => lined.has(op));
    return !journal.isDeleted(record.op);
  });
  if (left.length === lines.length || (segment.writer === null && left.length > 0)) return succeed(undefined);
  const adopted = left.length === 0 ? succeed(undefined) : await journal.adopt(left.map(({ line }) => line));
  return adopted.ok ? store.removeSegment(segment) : adopted;
}

function opsIn(record: JournalRecord | null): readonly string[] {
  return record === null || record.kind === 'pruned' ? [] : [record.op];
}

// The clock by which age is judged: one start with a clock that is set far ahead would otherwise delete the whole history.

/** Milliseconds between two looks after which the clock may have been set; as long as copies are stored. */
const maxPause = journalBounds.days * day;

const key = 'journal-clock';

/** Looks at a clock that never lie far apart. */
const run = lazy(() =>
  z.object({
    since: z.number(),
    last: z.number(),
    /** The time by which age was judged before. */
    before: z.number(),
  }),
);
type Run = z.infer<ReturnType<typeof run>>;

/**
 * Returns a clock that follows a given one, except that after a leap, either way, it stays at the time before until the
 * given one went on for a day. A clock that is wrong is noticed and set right before that.
 */
export function steadyClock(clock: Pick<Clock, 'now'>, device: DeviceStorage): Pick<Clock, 'now'> {
  return {
    now: () => {
      const now = clock.now();
      // The first look has nothing to compare with.
      const known = readRun(device.get(key)) ?? { since: now - day, last: now, before: now };
      const isLeap = now < known.last - day || now > known.last + maxPause;
      const next = isLeap ? { since: now, last: now, before: judged(known) } : { ...known, last: now };
      device.set(key, JSON.stringify(next));
      return judged(next);
    },
  };
}

function judged({ since, last, before }: Run): number {
  return last - since >= day ? last : Math.min(last, before);
}

function readRun(text: string | null): Run | null {
  try {
    return run().parse(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
}
