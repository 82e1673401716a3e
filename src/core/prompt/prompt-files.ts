/** Notes of the agent folder that take the place of texts of ours: read each time they are used, ours serve without them (R263). */
import { bodyOf } from '../markdown/properties';
import type { NoteReader } from './user-notes';

export const promptFiles = {
  reminder: 'system-reminder.md',
  commit: 'commit.md',
  compaction: 'compaction.md',
} as const;

export type PromptFile = keyof typeof promptFiles;

/** Null when it is missing, empty or cannot be read. */
export async function readPromptFile(
  { vault, agentFolder, readNote }: Pick<NoteReader, 'vault' | 'agentFolder' | 'readNote'>,
  file: PromptFile,
  signal: AbortSignal,
): Promise<string | null> {
  const path = `${agentFolder}/${promptFiles[file]}`;
  if (vault.file(path) === undefined) return null;
  const outcome = await readNote(path, signal);
  const text = outcome.ok ? bodyOf(outcome.value.text) : '';
  return text === '' ? null : text;
}
