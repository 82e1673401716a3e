/** Reads a prompt by its id: the user's note as it stands now, or what is registered under it. */
import { describePrompt } from '../library/user-notes';
import { bodyOf } from '../markdown/properties';
import type { World } from './world';

export interface ReadPrompt {
  readonly name: string;
  /** Its variables are not filled in. */
  readonly text: string;
}

/** Null when there is no such prompt, or its note cannot be read. */
export async function readPrompt(
  id: string,
  { vault, prompts, readNote }: Pick<World, 'vault' | 'prompts' | 'readNote'>,
  signal: AbortSignal,
): Promise<ReadPrompt | null> {
  if (vault.file(id) !== undefined) {
    const outcome = await readNote(id, signal);
    return outcome.ok ? { name: describePrompt(vault, id).name, text: bodyOf(outcome.value.text) } : null;
  }
  const registered = prompts.registered(id);
  // What the registry holds of a note outlives the note by a moment.
  if (registered === undefined || registered.source === 'config') return null;
  return { name: registered.name, text: registered.content };
}
