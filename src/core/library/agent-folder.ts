/** Paths in the agent folder: plans, saved states, and notes that replace Docent's own texts. */
import { bodyOf } from '../markdown/properties';
import { cutToBytes } from '../markup/budget';
import type { NoteReader } from './user-notes';

/** Returns the folder of plans: the only one that Plan may write to (R077, R079). */
export function plansFolder({ agentFolder }: { readonly agentFolder: string }): string {
  return `${agentFolder}/plans/`;
}

export function statesFolder(agentFolder: string): string {
  return `${agentFolder}/states`;
}

/** Returns the name of a saved state's note, without its extension. */
export function stateFileName(name: string): string {
  return fileNameFor(name, 'State');
}

/** Maximum characters of a file name, and bytes of UTF-8 that leave room for a number and an extension. */
const maxNameLength = 80;
const maxNameBytes = 220;

/**
 * Returns a file name that is valid on every system and has no special characters of links; without its extension.
 * Returns such a name as it is.
 * @param fallback for a name of which nothing is left
 */
export function fileNameFor(name: string, fallback: string): string {
  const plain = name.replace(/[\\/:*?"<>|#^[\]\s\p{Cc}\p{Cf}]+/gu, ' ');
  const short = Array.from(plain).slice(0, maxNameLength).join('');
  return cutToBytes(short, maxNameBytes).text.replace(/^[. ]+|[. ]+$/g, '') || fallback;
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
