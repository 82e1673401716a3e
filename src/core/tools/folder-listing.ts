/**
 * Folder listing: the text of list_folder, which models read and the built-in reader parses.
 *
 *     listing = summary LF *( folder / file )
 *     folder  = path "/ (" count " notes)" LF
 *     file    = path LF
 */
import { counted } from './result-budget';

export interface ListedFolder {
  readonly path: string;
  /** Notes in it and below it. */
  readonly notes: number;
}

export function formatFolderRow({ path, notes }: ListedFolder): string {
  return `${path}/ (${counted(notes, 'note')})`;
}

export interface FolderListing {
  readonly summary: string;
  readonly folders: readonly ListedFolder[];
  readonly files: readonly string[];
}

export function parseFolderListing(text: string): FolderListing {
  const [summary = '', ...rows] = text.split('\n');
  const folders: ListedFolder[] = [];
  const files: string[] = [];
  for (const row of rows) {
    const folder = /^(.+)\/ \(([\d,]+) notes?\)$/.exec(row);
    if (folder?.[1] !== undefined)
      folders.push({ path: folder[1], notes: Number((folder[2] ?? '').replace(/,/g, '')) });
    else if (row !== '') files.push(row);
  }
  return { summary, folders, files };
}
