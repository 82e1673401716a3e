/** What the messages of a chat say of its changes: which notes the user named, and which request led to them. */
import type { SessionEntry } from '../session/entry';
import { type FileChange, stepsOf } from './changeset';

/** A file that was written, as it then is. */
export interface AppliedFile {
  readonly path: string;
  readonly action: 'created' | 'modified' | 'deleted';
}

export function filesOf(changes: readonly FileChange[]): AppliedFile[] {
  return changes.map((change) => {
    const steps = stepsOf(change);
    const action = steps.includes('create') ? 'created' : steps.includes('delete') ? 'deleted' : 'modified';
    return { path: change.to ?? change.from ?? '', action };
  });
}

/** Paths that the newest message names or attaches, folders with a slash; null when it names none. */
export function mentionedPaths(entries: readonly SessionEntry[]): readonly string[] | null {
  const message = entries.filter((entry) => entry.kind === 'user').at(-1);
  const paths = (message?.mentions ?? []).flatMap(({ kind, id }) => {
    if (kind === 'note' || kind === 'heading' || kind === 'block') return [id.replace(/\.md#.*$/s, '.md')];
    return kind === 'folder' ? [`${id.replace(/\/+$/, '')}/`] : [];
  });
  return paths.length === 0 ? null : paths;
}

/** Characters of a request that are told with its changes. */
const longestRequest = 300;

/** The message before the first change of a changeset. */
export function lastRequest(entries: readonly SessionEntry[], changeset: string): string {
  const first = entries.findIndex((entry) => entry.kind === 'changes-staged' && entry.changeset === changeset);
  const before = first === -1 ? entries : entries.slice(0, first);
  const message = before.filter((entry) => entry.kind === 'user').at(-1);
  const text = message?.text.trim() ?? '';
  return text.length > longestRequest ? `${text.slice(0, longestRequest)}…` : text;
}
