/** `@` and `[[`: folders and images by name. */
import { compareText, countLeading, editList, type ListEdit } from '../base/list-edits';
import { isImagePath } from '../ports/message';
import type { FileEntry, Vault } from '../ports/vault';
import type { MentionCandidate } from './mention-source';
import { cacheList, listByName, offerByName } from './vault-list';

const shownFolders = 3;
const sliceFolders = 500;
const smallVault = 5_000;

const folderLists = cacheList<readonly MentionCandidate[]>({
  make: listFolders,
  follow: followFolders,
  nothing: [],
  smallVault,
  hasFolders: true,
});

/** `@` and `[[`: folders by name, after something was typed. */
export const folderMentions = offerByName('folder', folderLists, (list) => list, shownFolders);

function* listFolders(vault: Vault): Generator<void, readonly MentionCandidate[]> {
  const files = vault.files();
  const notesBefore = new Uint32Array(files.length + 1);
  for (const [index, { kind }] of files.entries()) {
    notesBefore[index + 1] = (notesBefore[index] ?? 0) + (kind === 'note' ? 1 : 0);
  }
  const countUpTo = (path: string): number => notesBefore[countLeading(files, (file) => file.path < path)] ?? 0;
  const candidates: MentionCandidate[] = [];
  for (const path of vault.folders()) {
    // Files are sorted by path, so that those below a folder are adjacent; `0` is the character after the slash.
    candidates.push(folderLine(path, countUpTo(`${path}0`) - countUpTo(`${path}/`)));
    if (candidates.length % sliceFolders === 0) yield;
  }
  return candidates;
}

function folderLine(path: string, notes: number): MentionCandidate {
  return { mention: { kind: 'folder', id: path, label: `${path}/` }, detail: '', notes };
}

/** Counts the notes of the folders above those that came or went. */
function followFolders(
  candidates: readonly MentionCandidate[],
  edits: readonly ListEdit<FileEntry>[],
): readonly MentionCandidate[] {
  const changes = new Map<string, number>();
  const count = (files: readonly FileEntry[], by: number): void => {
    for (const { kind, path } of files) {
      if (kind !== 'note') continue;
      for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
        const folder = path.slice(0, end);
        changes.set(folder, (changes.get(folder) ?? 0) + by);
      }
    }
  };
  for (const { removed, added } of edits) {
    count(removed, -1);
    count(added, 1);
  }
  const counted = [...changes].filter(([, by]) => by !== 0).sort(([a], [b]) => compareText(a, b));
  const lines = counted.flatMap(([folder, by]): ListEdit<MentionCandidate>[] => {
    const at = countLeading(candidates, ({ mention }) => mention.id < folder);
    const before = candidates[at];
    if (before?.mention.id !== folder) return [];
    return [{ at, removed: [before], added: [folderLine(folder, (before.notes ?? 0) + by)] }];
  });
  return lines.length === 0 ? candidates : editList(candidates, lines);
}

const shownImages = 3;

export const imageLists = listByName(
  {
    includes: ({ kind, path }) => kind === 'attachment' && isImagePath(path),
    nameOf: fileNameOf,
    sharedLabel: (path) => path,
    kind: 'image',
  },
  smallVault,
);

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `@` and `[[`: images by name, newest first, after something was typed; each is sent with the message (R218). */
export const imageMentions = offerByName('image', imageLists, ({ candidates }) => candidates, shownImages);
