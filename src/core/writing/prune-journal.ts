/** Keeps the journal within its bounds of age and size, oldest writes first, and says how full it is. */
import type { Clock, Digest } from '../ports/device';
import { type Outcome, succeed } from '../ports/failure';
import type { Journal } from './journal';
import { blobsOf, decodeRecord, type Operation } from './journal-records';
import type { JournalStore } from './write-ports';

const day = 86_400_000;

export const journalBounds = { days: 30, bytes: 200_000_000 } as const;

export interface JournalUsage {
  readonly operations: number;
  /** Bytes of all kept copies. */
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
 * Drops writes that are too old or too many, and copies that no other write needs. One whose end is unknown stays.
 * Copies go only after the records that name them. Runs in the write queue.
 */
export async function pruneJournal(journal: Journal, ports: PrunePorts): Promise<Outcome<JournalUsage>> {
  const { store } = ports;
  const blobs = await store.blobs();
  if (!blobs.ok) return blobs;
  const sizes = new Map(blobs.value.map(({ hash, size }) => [hash, size]));
  const kept = chooseKept(journal.operations(), sizes, ports.clock.now());
  const dropped = journal.operations().filter((operation) => !kept.includes(operation));
  if (dropped.length > 0) {
    const removed = await dropRecords(new Set(dropped.map(({ id }) => id)), ports, journal.ownSegment);
    if (!removed.ok) return removed;
    journal.forget(new Set(dropped.map(({ id }) => id)));
  }
  const needed = new Set(kept.flatMap(blobsOf));
  for (const { hash } of blobs.value) if (!needed.has(hash)) await store.removeBlob(hash);
  return usageOf(journal, store);
}

/** Newest first, as long as their copies fit; copies that several share count once. */
function chooseKept(operations: readonly Operation[], sizes: ReadonlyMap<string, number>, now: number): Operation[] {
  const counted = new Set<string>();
  const kept: Operation[] = [];
  let bytes = 0;
  let full = false;
  for (const operation of [...operations].reverse()) {
    const more = blobsOf(operation).filter((hash) => !counted.has(hash));
    const size = more.reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0);
    const open = operation.state === 'begun' || operation.state === 'called';
    const young = now - operation.call.time <= journalBounds.days * day && operation.state === 'committed';
    full ||= !open && bytes + size > journalBounds.bytes;
    if (!open && (!young || full)) continue;
    kept.unshift(operation);
    for (const hash of more) counted.add(hash);
    bytes += size;
  }
  return kept;
}

/** Lines that cannot be read are kept: they may belong to a newer version. */
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
