/** `[[`: folders by name, once something was typed. */
import type { FileEntry, Vault } from '../ports/vault';
import type { MentionCandidate } from './candidate';
import { keepList } from './kept-list';
import { offerByName } from './offer-by-name';

const shownFolders = 3;
const sliceFolders = 500;
const smallVault = 5_000;

const lists = keepList<readonly MentionCandidate[]>(listFolders, [], smallVault);

export const folderMentions = offerByName('folder', lists, shownFolders);

function* listFolders(vault: Vault): Generator<void, readonly MentionCandidate[]> {
  const files = vault.files();
  const notesBefore = new Uint32Array(files.length + 1);
  for (const [index, { kind }] of files.entries()) {
    notesBefore[index + 1] = (notesBefore[index] ?? 0) + (kind === 'note' ? 1 : 0);
  }
  const candidates: MentionCandidate[] = [];
  for (const path of vault.folders()) {
    // Files are sorted by path, so that those below a folder stand together; `0` is the sign after the slash.
    const notes = (notesBefore[placeOf(files, `${path}0`)] ?? 0) - (notesBefore[placeOf(files, `${path}/`)] ?? 0);
    candidates.push({ mention: { kind: 'folder', id: path, label: `${path}/` }, detail: '', notes });
    if (candidates.length % sliceFolders === 0) yield;
  }
  return candidates;
}

/** The index of the first file whose path is not before this one. */
function placeOf(files: readonly FileEntry[], path: string): number {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((files[middle]?.path ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}
