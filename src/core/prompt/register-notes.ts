/** Keeps the registry true to the notes in which the user writes prompts (R129). */
import { bodyOf } from '../markdown/properties';
import type { Vault } from '../ports/vault';
import type { PromptRegistry, RegisteredPrompt } from './prompt-registry';
import { baseName, type NoteReader, promptsIn } from './user-notes';

/** Registers the usable ones with their texts as they stand now; does nothing once the signal has fired. */
export async function registerNotes(
  registry: Pick<PromptRegistry, 'replaceSource'>,
  vault: Vault,
  agentFolder: string,
  readNote: NoteReader['readNote'],
  signal: AbortSignal,
): Promise<void> {
  const usable = promptsIn(vault, agentFolder).read.filter(({ properties }) => properties?.disabled === false);
  const read = await Promise.all(
    usable.map(async ({ path, properties }): Promise<RegisteredPrompt | null> => {
      const outcome = await readNote(path, signal);
      if (!outcome.ok || properties === undefined) return null;
      const { name, description, tags, requiredTools, version } = properties;
      return {
        id: path,
        name: name ?? baseName(path),
        content: bodyOf(outcome.value.text),
        ...(description === undefined ? {} : { description }),
        tags,
        requiredTools,
        ...(version === undefined ? {} : { version }),
        source: 'config',
        registeredAt: outcome.value.modified,
      };
    }),
  );
  const prompts = read.filter((prompt) => prompt !== null);
  if (!signal.aborted) registry.replaceSource('config', prompts);
}
