/** Paths in the agent folder: plans, saved states, and notes that replace Docent's own texts. */
import { startOf } from '../base/cut';
import { bodyOf } from '../markdown/properties';
import type { NoteReader } from './user-notes';

/** Returns the folder of plans: the only one that Plan may write to (R077, R079). */
export function plansFolder({ agentFolder }: { readonly agentFolder: string }): string {
  return `${agentFolder}/plans/`;
}

/** Maximum characters of a file name that is derived from the model's name for a state. */
const maxNameLength = 80;

export function statesFolder(agentFolder: string): string {
  return `${agentFolder}/states`;
}

/** Returns a file name that is valid on every system and has no special characters of links; without its extension. */
export function stateFileName(name: string): string {
  const plain = startOf(name.replace(/[\\/:*?"<>|#^[\]\s]+/g, ' ').replace(/^[. ]+|[. ]+$/g, ''), maxNameLength).trim();
  return plain === '' ? 'State' : plain;
}

/**
 * Notes in the agent folder that replace Docent's own texts: read on each use; without them, Docent's texts apply
 * (R263).
 */
export const promptFiles = {
  reminder: 'system-reminder.md',
  commit: 'commit.md',
  compaction: 'compaction.md',
} as const;

export type PromptFile = keyof typeof promptFiles;

/** Resolves to null if the note is missing, empty, or unreadable. */
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
