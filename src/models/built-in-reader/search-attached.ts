/** Search of attached notes: the same ranking as in the vault, over the notes that stand in the prompt. */
import { fail, succeed } from '../../core/ports/failure';
import type { FileEntry } from '../../core/ports/vault';
import { PassageIndex, type SearchedNotes } from '../../core/search/passage-index';
import type { FoundPassage } from '../../core/search/rank-passages';
import { searchVault } from '../../core/search/search-vault';
import type { AttachedNote } from './attached-notes';

export async function searchAttached(
  notes: readonly AttachedNote[],
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly FoundPassage[]> {
  if (notes.length === 0) return [];
  const texts = new Map(notes.map((note) => [note.path, note.text]));
  const entries = notes.map((note): FileEntry => ({
    path: note.path,
    kind: 'note',
    size: note.text.length,
    modified: 1,
  }));
  const searched: SearchedNotes = {
    files: () => entries,
    read: (path) => {
      const text = texts.get(path);
      if (text === undefined) return Promise.resolve(fail({ kind: 'not-found', words: '', remedy: '' }));
      return Promise.resolve(succeed({ path, text, size: text.length, modified: 1 }));
    },
  };
  const found = await searchVault(searched, new PassageIndex(), query, { entries, limit }, signal);
  return found.passages;
}
