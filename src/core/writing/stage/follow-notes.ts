/** Where a note is now for which a change waits: it may have been renamed, moved or deleted since. */
import { byteLength } from '../../base/cut';
import { pathAfterMove } from '../../base/fold';
import type { Clock, DeviceStorage, Digest } from '../../ports/device';
import type { FileEntry, Vault } from '../../ports/vault';
import type { FileChange } from '../changeset/changeset';

/** A note that was moved or renamed, outside of the changes. */
export interface NoteMove {
  readonly from: string;
  readonly to: string;
}

/** Returns the change for the note at its new path; a change that moves the note itself still moves it there. */
export function followNote(change: FileChange, { from, to }: NoteMove): FileChange {
  const target = change.to === from ? to : change.to;
  return { ...change, from: to, to: target, movedFrom: change.movedFrom ?? from };
}

/** Whether the note of a change is no longer at its path. */
export function isMissing({ from }: FileChange, vault: Pick<Vault, 'file'>): boolean {
  return from !== null && vault.file(from)?.path !== from;
}

/** Notes of the same size that are read at most to find one that was moved. */
const maxRead = 50;

/**
 * Returns where a missing note is now, judged by its text and the time of its last change, which a move keeps; null if
 * no note is the same, or several are. A copy that was there before has another time.
 */
export async function findMovedNote(change: FileChange, vault: Vault, digest: Digest): Promise<string | null> {
  const { from, base } = change;
  if (from === null || base === null || base.text === null || base.modified === undefined) return null;
  const size = byteLength(base.text);
  const mark = 3;
  const isAlike = (entry: FileEntry): boolean =>
    entry.kind === 'note' && entry.modified === base.modified && [size, size + mark].includes(entry.size);
  const found: string[] = [];
  for (const { path } of vault.files().filter(isAlike).slice(0, maxRead)) {
    const read = await vault.read(path);
    if (read.ok && digest(read.value.text) === base.hash) found.push(path);
  }
  const [only] = found;
  return found.length === 1 && only !== undefined ? only : null;
}

interface RecordedMove extends NoteMove {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const key = 'moves';
/** Moves that are stored at most; the oldest are dropped. */
const maxMoves = 200;

/** RecentMoves: stores on the device what was renamed in Obsidian, for changes and drafts of chats that are not open. */
export class RecentMoves {
  private held: readonly RecordedMove[] | null = null;

  constructor(
    private readonly device: DeviceStorage,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Stores the move of a file or folder; moves of files within a folder that was just moved are part of it. */
  add(from: string, to: string): void {
    const last = this.moves.at(-1);
    if (last !== undefined && pathAfterMove(from, last.from, last.to) === to) return;
    this.held = [...this.moves, { from, to, at: this.clock.now() }].slice(-maxMoves);
    this.device.set(key, JSON.stringify(this.held));
  }

  /**
   * Returns where a file was moved to, through all moves; null if it was not.
   * @param since milliseconds since the epoch at which the file was at this path; an earlier move was of another
   */
  find(path: string, since: number): string | null {
    const found = this.since(since).reduce((now, { from, to }) => pathAfterMove(now, from, to) ?? now, path);
    return found === path ? null : found;
  }

  /** Returns the moves from a time on, in milliseconds since the epoch, oldest first. */
  since(time: number): readonly RecordedMove[] {
    return this.moves.filter(({ at }) => at >= time);
  }

  private get moves(): readonly RecordedMove[] {
    this.held ??= readMoves(this.device.get(key));
    return this.held;
  }
}

/** Returns no moves for a record that cannot be read: the changes then wait where they are. */
function readMoves(stored: string | null): readonly RecordedMove[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isRecordedMove) : [];
  } catch {
    return [];
  }
}

function isRecordedMove(value: unknown): value is RecordedMove {
  if (typeof value !== 'object' || value === null) return false;
  const { from, to, at } = value as Readonly<Record<string, unknown>>;
  return typeof from === 'string' && typeof to === 'string' && typeof at === 'number';
}
