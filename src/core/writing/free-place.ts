/** Free places: paths where a file can be made or moved to, on the disk as it is and as it will be. */
import { words } from '../../text';
import type { Outcome } from '../ports/failure';
import type { FileEntry, Vault } from '../ports/vault';
import type { Overlay } from './overlay';
import { refused } from './staged-write';

export interface Places {
  readonly under: Vault;
  readonly view: Vault;
  readonly overlay: Overlay;
  readonly guardNew: (path: string) => Outcome<string>;
}

/** A path where nothing is, on disk or staged; a file may change the letter case of its own path. */
export function freePlace({ under, view, overlay, guardNew }: Places, path: string, ownPath?: string): Outcome<string> {
  const guarded = guardNew(path);
  if (!guarded.ok) return guarded;
  const there = view.file(guarded.value);
  const own = ownPath === undefined ? undefined : overlay.at(ownPath)?.change.from;
  const isOwn = (taken: FileEntry | undefined): boolean =>
    taken === undefined || taken.path === ownPath || (taken.path === own && taken.path === guarded.value);
  if (guarded.value !== ownPath && isOwn(there) && isOwn(under.file(guarded.value))) return guarded;
  return refused(there === undefined ? words.writing.placeWaits(path) : words.writing.placeTaken(path));
}
