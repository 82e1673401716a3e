/** Names of changes as they are shown and said. */
import { pathOf } from '../../core/writing/changeset/changeset';
import type { ReviewedChange } from '../../core/writing/review/review';

/** The file without its folder, and a note without its ending. */
export function nameOf({ change }: Pick<ReviewedChange, 'change'>): string {
  const path = pathOf(change);
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}

/** Empty at the top of the vault. */
export function folderOf({ change }: Pick<ReviewedChange, 'change'>): string {
  const path = pathOf(change);
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
