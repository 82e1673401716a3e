/** Where a note is now for which a change waits: it may have been renamed, moved or deleted since. */
import { byteLength } from '../../markdown/encoding';
import type { Digest } from '../../ports/device';
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
