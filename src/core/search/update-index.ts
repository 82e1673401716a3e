/** Brings the index of passages up to date before a search: each note is read once, and again when it has changed. */
import { orAborted, type Pace } from '../base/async';
import type { FileEntry, Vault } from '../ports/vault';
import type { PassageIndex } from './passage-index';

/** The part of a vault that a search needs. */
export type SearchedNotes = Pick<Vault, 'files' | 'read'>;

/** Larger notes are left out of the search. */
export const searchableBytes = 5_000_000;
export const readsAtOnce = 16;

/** The update under way of each index: searches at the same time wait for it and do not read the same notes twice. */
const updates = new WeakMap<PassageIndex, Promise<void>>();

/** The paths of entries that could not be read; undefined when the signal fired first. */
export function updateIndex(
  vault: SearchedNotes,
  index: PassageIndex,
  entries: readonly FileEntry[],
  pace: Pace,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const update = (updates.get(index) ?? Promise.resolve()).then(() => {
    forgetLost(vault, index);
    return bringUpToDate(vault, index, entries, pace, signal);
  });
  // A search that was stopped, or that failed, holds up no other, even when the disk never answers it.
  const ended = orAborted(update, signal);
  const isOver = (): void => undefined;
  updates.set(index, ended.then(isOver, isOver));
  return ended;
}

/** Forgets notes that are gone; those replaced one for one are forgotten by whoever hears of the change. */
function forgetLost(vault: SearchedNotes, index: PassageIndex): void {
  const files = vault.files();
  if (index.noteCount <= files.length) return;
  const paths = new Set(files.map((file) => file.path));
  for (const path of [...index.paths()]) if (!paths.has(path)) index.forget(path);
}

/** Reads and indexes entries that are new or changed; returns the paths that could not be read. */
async function bringUpToDate(
  vault: SearchedNotes,
  index: PassageIndex,
  entries: readonly FileEntry[],
  pace: Pace,
  signal: AbortSignal,
): Promise<string[]> {
  const unread: string[] = [];
  const stale: FileEntry[] = [];
  for (const entry of entries) {
    if (entry.size > searchableBytes) unread.push(entry.path);
    else if (!index.isCurrent(entry)) stale.push(entry);
  }
  for (let from = 0; from < stale.length; from += readsAtOnce) {
    if (signal.aborted) break;
    const batch = stale.slice(from, from + readsAtOnce);
    const notes = await Promise.all(batch.map((entry) => vault.read(entry.path, signal)));
    for (const [place, entry] of batch.entries()) {
      const note = notes[place];
      if (note?.ok !== true || note.value.text.length > searchableBytes) {
        index.forget(entry.path);
        unread.push(entry.path);
        continue;
      }
      if (!(await index.add(entry, note.value.text, pace))) return unread;
    }
  }
  return unread;
}
