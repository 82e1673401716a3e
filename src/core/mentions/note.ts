/** `[[`: notes, the newest first. */
import type { FileEntry, Vault } from '../ports';
import { baseName } from '../prompt/user-notes';
import type { Candidate } from './mention';
import type { MentionSource } from './mention-source';

const lists = new WeakMap<readonly FileEntry[], readonly Candidate[]>();

export const noteMentions: MentionSource = {
  id: 'note',
  trigger: '[[',
  write: ({ mention }) => `[[${mention.label}]]`,
  candidates: (vault: Vault) => {
    const files = vault.files();
    const known = lists.get(files);
    if (known !== undefined) return known;
    const candidates = files
      .filter((file) => file.kind === 'note')
      .sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))
      .map(({ path }): Candidate => {
        const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
        return { mention: { kind: 'note', id: path, label: baseName(path) }, detail: folder };
      });
    lists.set(files, candidates);
    return candidates;
  },
};
