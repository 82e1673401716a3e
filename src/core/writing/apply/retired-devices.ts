/**
 * Retired devices: journals of devices that have written nothing for half a year. Each device removes only what is its
 * own, so the journal of one that is no longer used would stay for good: the user may remove it from another.
 */
import type { Clock } from '../../ports/device';
import { type Outcome, succeed } from '../../ports/failure';
import type { JournalStore, Segment, StoredBlob } from '../changeset/ports';
import type { Journal } from './journal';

/** Long after the copies of a device that is in use are too old for itself, so that nothing is removed that it would keep. */
export const retiredDays = 180;

const day = 86_400_000;

export interface RetiredDevices {
  readonly devices: number;
  /** Bytes of their copies. */
  readonly bytes: number;
}

interface RetiredJournal {
  readonly segments: readonly Segment[];
  readonly blobs: readonly StoredBlob[];
}

/** Returns how many devices are retired; removes their journals if asked to. Runs in the write queue. */
export async function findRetired(
  journal: Journal,
  ports: { readonly store: JournalStore; readonly clock: Clock },
  isToRemove: boolean,
): Promise<Outcome<RetiredDevices>> {
  const { store, clock } = ports;
  const refreshed = await journal.refresh();
  if (!refreshed.ok) return refreshed;
  const segments = await store.segments();
  if (!segments.ok) return segments;
  const blobs = await store.blobs();
  if (!blobs.ok) return blobs;
  const writers = new Set([...segments.value, ...blobs.value].map(({ writer }) => writer));
  const retired = [...writers].flatMap((writer): RetiredJournal[] => {
    const isTheirs = (each: { readonly writer: string | null }): boolean => each.writer === writer;
    const own = { segments: segments.value.filter(isTheirs), blobs: blobs.value.filter(isTheirs) };
    return isRetired(journal, writer, own, clock.now()) ? [own] : [];
  });
  const removed = isToRemove ? await remove(journal, store, retired) : succeed(undefined);
  if (!removed.ok) return removed;
  const copies = retired.flatMap((each) => each.blobs);
  return succeed({ devices: retired.length, bytes: copies.reduce((sum, { size }) => sum + size, 0) });
}

/** A journal with a write whose end is unknown, or with lines of a newer version, is never retired. */
function isRetired(journal: Journal, writer: string | null, { segments, blobs }: RetiredJournal, now: number): boolean {
  if (writer === null || writer === journal.writer) return false;
  const operations = journal.operations().filter((operation) => operation.writer === writer);
  const times = [...operations.map(({ call }) => call.time), ...blobs.map(({ modified }) => modified)];
  if (times.length === 0 || now - times.reduce((last, time) => Math.max(last, time)) <= retiredDays * day) return false;
  if (operations.some(({ state }) => state === 'begun' || state === 'called')) return false;
  return segments.every((segment) => journal.linesOf(segment).every(({ record }) => record !== null));
}

/** Removes the records first, so that a failure in between leaves copies for the next time and nothing that misleads. */
async function remove(
  journal: Journal,
  store: JournalStore,
  retired: readonly RetiredJournal[],
): Promise<Outcome<void>> {
  for (const segment of retired.flatMap(({ segments }) => segments)) {
    const removed = await store.removeSegment(segment);
    if (!removed.ok) return removed;
  }
  for (const blob of retired.flatMap(({ blobs }) => blobs)) {
    const removed = await store.removeBlob(blob);
    if (!removed.ok) return removed;
  }
  return journal.refresh();
}
