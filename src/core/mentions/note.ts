/** `@` and `[[`: notes, the newest first. */
import { baseName } from '../library/user-notes';
import { isImagePath } from '../ports/message';
import type { Vault } from '../ports/vault';
import { fileNameOf, imageLists } from './files';
import { findAll, type MentionCandidate, type MentionSource, usualLines } from './mention-source';
import { isShared, listByName } from './vault-list';

const smallVault = 5_000;

const withoutExtension = (path: string): string => path.replace(/\.md$/i, '');

const lists = listByName(
  { includes: ({ kind }) => kind === 'note', nameOf: baseName, sharedLabel: withoutExtension, kind: 'note' },
  smallVault,
);

export const noteMentions: MentionSource = {
  id: 'note',
  triggers: findAll,
  offer: ({ vault }, typed) =>
    typed.includes('#') ? null : { candidates: newestNotes(vault), query: typed, lines: usualLines },
  prepare: ({ vault }) => lists.prepare(vault),
};

export function newestNotes(vault: Vault): readonly MentionCandidate[] {
  return lists.current(vault).candidates;
}

/** Returns the text of a link to a note or an image: its name, or its path if another one has the same name. */
export function linkTextOf(vault: Vault, path: string): string {
  if (isImagePath(path)) {
    const file = fileNameOf(path);
    return isShared(imageLists.current(vault, Infinity), file) ? path : file;
  }
  const name = baseName(path);
  // A name that another note has got since would lead to the other note.
  return isShared(lists.current(vault, Infinity), name) ? withoutExtension(path) : name;
}
