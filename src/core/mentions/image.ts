/** `[[`: images by name, the newest first, once something was typed; each is sent with the message (R218). */
import { isImagePath } from '../ports/message';
import type { FileEntry, Vault } from '../ports/vault';
import type { MentionCandidate } from './candidate';
import { keepList } from './kept-list';
import { offerByName } from './offer-by-name';

const shownImages = 3;
const sliceFiles = 4_000;
const smallVault = 5_000;

const lists = keepList<readonly MentionCandidate[]>(listImages, [], smallVault);

export const imageMentions = offerByName('image', lists, shownImages);

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
      // Where two files have the same name, only the path says which is meant.
      const isShared = (named.get(name.toLowerCase()) ?? 0) > 1;
      const mention = { kind: 'image', id: path, label: isShared ? path : name } as const;
      return isShared ? { mention, ...line, name } : { mention, ...line };
    });
}
