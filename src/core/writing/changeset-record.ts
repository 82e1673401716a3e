/** The form in which a changeset is kept in the log: texts as the pieces in which they differ, checked when read back. */
import type { Digest } from '../ports/device';
import { type ChangesetRecord, changesetRecord } from '../session/change-entry';
import type { Changeset, FileChange } from './changeset';
import { hunksOf } from './diff-text';

export function packChangeset({ id, changes }: Changeset): ChangesetRecord {
  return {
    id,
    changes: changes.map(({ text, ...change }) => ({
      ...change,
      base: change.base === null ? null : { ...change.base },
      calls: change.calls.map((call) => ({ ...call })),
      edits:
        text === null
          ? null
          : hunksOf(change.base?.text ?? '', text).map(({ start, end, added }) => ({ start, end, text: added })),
    })),
  };
}

/** Null for what is no changeset, or one whose base texts are not what their hashes say. */
export function unpackChangeset(record: unknown, digest: Digest): Changeset | null {
  const read = changesetRecord().safeParse(record);
  if (!read.success) return null;
  const { id, changes } = read.data;
  const sound = changes.every(({ base }) => base === null || base.text === null || digest(base.text) === base.hash);
  return sound ? { id, changes: changes.map(unpackChange) } : null;
}

function unpackChange({ edits, ...change }: ChangesetRecord['changes'][number]): FileChange {
  const before = change.base?.text ?? '';
  let at = 0;
  let text = '';
  for (const edit of edits ?? []) {
    text += before.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return { ...change, text: edits === null ? null : text + before.slice(at) };
}
