/** The prompts that can be chosen now: the user's notes, then those of servers and the built-in ones (R129). */
import type { FileEntry, NoteOutline } from '../ports/vault';
import type { PromptSummary } from './prompt-data';
import type { PromptSource, RegisteredPrompt } from './prompt-registry';
import { lacking, listPrompts } from './user-notes';

export interface OfferedPrompt extends PromptSummary {
  readonly source: PromptSource;
}

export interface PromptLibrary {
  /** Only the notes of the agent folder are looked at. */
  readonly vault: {
    files(): readonly FileEntry[];
    outline(path: string): NoteOutline | undefined;
  };
  readonly agentFolder: string;
  /** As the registry lists them. */
  readonly registered: readonly RegisteredPrompt[];
  /** A prompt that needs another one is left out (R128). */
  readonly toolNames: readonly string[];
}

interface Kept {
  readonly registered: readonly RegisteredPrompt[];
  readonly tools: string;
  readonly offered: readonly OfferedPrompt[];
}

const kept = new WeakMap<readonly PromptSummary[], Kept>();

/** The same list while nothing changed. */
export function offeredPrompts(library: PromptLibrary): readonly OfferedPrompt[] {
  const { vault, agentFolder, registered, toolNames } = library;
  const all = listPrompts(vault, agentFolder);
  const tools = toolNames.join(' ');
  const known = kept.get(all);
  if (known?.registered === registered && known.tools === tools) return known.offered;
  const notes = listPrompts(vault, agentFolder, toolNames).map((prompt) => ({ ...prompt, source: 'config' as const }));
  const others = registered
    .filter(({ source, requiredTools }) => source !== 'config' && lacking(requiredTools, toolNames).length === 0)
    .map(({ id, name, description = '', source }) => ({ id, name, description, source }));
  const offered = [...notes, ...others];
  kept.set(all, { registered, tools, offered });
  return offered;
}
