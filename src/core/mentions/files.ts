/** `[[`: folders and images by name. */
import { isImagePath } from '../ports/message';
import type { FileEntry, Vault } from '../ports/vault';
import type { MentionCandidate } from './mention-source';
import { cacheList, offerByName } from './vault-list';

const shownFolders = 3;
const sliceFolders = 500;
const smallVault = 5_000;

const folderLists = cacheList<readonly MentionCandidate[]>(listFolders, [], smallVault);

/** `[[`: folders by name, after something was typed. */
export const folderMentions = offerByName('folder', folderLists, shownFolders);

function* listFolders(vault: Vault): Generator<void, readonly MentionCandidate[]> {
  const files = vault.files();
  const notesBefore = new Uint32Array(files.length + 1);
  for (const [index, { kind }] of files.entries()) {
    notesBefore[index + 1] = (notesBefore[index] ?? 0) + (kind === 'note' ? 1 : 0);
  }
  const candidates: MentionCandidate[] = [];
  for (const path of vault.folders()) {
    // Files are sorted by path, so that those below a folder are adjacent; `0` is the character after the slash.
    const notes = (notesBefore[placeOf(files, `${path}0`)] ?? 0) - (notesBefore[placeOf(files, `${path}/`)] ?? 0);
    candidates.push({ mention: { kind: 'folder', id: path, label: `${path}/` }, detail: '', notes });
    if (candidates.length % sliceFolders === 0) yield;
  }
  return candidates;
}

/** Returns the index of the first file whose path is not less than this one. */
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

const shownImages = 3;
const sliceFiles = 4_000;

const imageLists = cacheList<readonly MentionCandidate[]>(listImages, [], smallVault);

/** `[[`: images by name, newest first, after something was typed; each is sent with the message (R218). */
export const imageMentions = offerByName('image', imageLists, shownImages);

function* listImages(vault: Vault): Generator<void, readonly MentionCandidate[]> {
  const images: FileEntry[] = [];
  for (const [index, file] of vault.files().entries()) {
    if (file.kind === 'attachment' && isImagePath(file.path)) images.push(file);
    if (index % sliceFiles === sliceFiles - 1) yield;
  }
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const named = new Map<string, number>();
  for (const { path } of images) {
    const name = nameOf(path).toLowerCase();
    named.set(name, (named.get(name) ?? 0) + 1);
  }
  return images
    .sort((a, b) => b.modified - a.modified)
    .map(({ path }) => {
      const name = nameOf(path);
      const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      const line = { detail: folder, keywords: folder };
      // If two files have the same name, only the path identifies one.
      const isShared = (named.get(name.toLowerCase()) ?? 0) > 1;
      const mention = { kind: 'image', id: path, label: isShared ? path : name } as const;
      return isShared ? { mention, ...line, name } : { mention, ...line };
    });
}
