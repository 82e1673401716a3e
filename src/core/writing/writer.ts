/** What carries out one write: the files, the journal that knows of it first, and checks right before it. */
import { words } from '../../text';
import type { Digest } from '../ports/device';
import { type Failure, type Outcome, succeed } from '../ports/failure';
import type { Journal } from './journal';
import type { Rewritten } from './journal-records';
import type { BytesDigest, Pause, WriteGuard, WritePort } from './write-ports';

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

export const nothingDone: StepReport = { operation: null, altered: false, rewritten: [] };

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
