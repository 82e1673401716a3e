/** Which context files of folders a chat has been given; told by the entries alone, so that no text can forge it (R199). */
import type { Addition, SessionEntry } from './entry';

/**
 * @param entries those that the model still sees: without what a compaction or a reset left behind, so that files
 * whose text is gone arrive again (R193)
 */
export function contextFilesIn(entries: readonly SessionEntry[]): Addition[] {
  return entries.flatMap((entry) =>
    entry.kind === 'tool-result' ? (entry.additions ?? []).filter(({ kind }) => kind === 'context-file') : [],
  );
}
