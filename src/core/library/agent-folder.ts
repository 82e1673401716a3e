/** Where notes of the agent folder are: plans, states of the work, texts that take the place of ours. */
import { bodyOf } from '../markdown/properties';
import type { NoteReader } from './user-notes';

/** Where plans are kept: the only folder that Plan may write to (R077, R079). */
export function plansFolder({ agentFolder }: { readonly agentFolder: string }): string {
  return `${agentFolder}/plans/`;
}

// Where states of the work are kept, and what their notes are called.

/** Characters of a name that is made of what a model calls it. */
const maxNameLength = 80;

export function statesFolder(agentFolder: string): string {
  return `${agentFolder}/states`;
}

/** What a file may be called on every system, without what means something in a link; without its extension. */
export function stateFileName(name: string): string {
  const plain = name
    .replace(/[\\/:*?"<>|#^[\]\s]+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, maxNameLength)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  return plain === '' ? 'State' : plain;
}

/** Notes of the agent folder that take the place of texts of ours: read each time they are used, ours serve without them (R263). */
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
