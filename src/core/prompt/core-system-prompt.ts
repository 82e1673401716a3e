/** The two public entries of prompt construction: the system prompt, and the prompt that has a history summarised (R001). */
import type { Goal } from '../session/goal-entry';
import { compressionPrompt } from './compression-prompt';
import { type PromptConfig, type ProvidedPrompt, providePrompt } from './provide-prompt';

/**
 * For the start of a chat, for every change of what it is told, and for a prompt that runs without a chat (R013).
 * @param userMemory told in place of the memory note
 * @param interactiveOverride whether a person is there to answer, whatever the settings say
 */
export function getCoreSystemPrompt(
  config: PromptConfig,
  userMemory?: string,
  interactiveOverride?: boolean,
): Promise<ProvidedPrompt> {
  return providePrompt(config, userMemory, interactiveOverride);
}

/**
 * Stands after the history that is to be summarised (R014).
 * @param own the user's `compaction.md`, read anew each time with readPromptFile (R263)
 */
export function getCompressionPrompt(goal: Goal | null = null, own: string | null = null): string {
  return compressionPrompt(goal, own);
}
