/** The last time that the head of a chat's requests was written anew: it pins the tier, and says what the head was (K3). */
import type { PromptRebuilt, SessionEntry } from './entry';

export function lastRebuild(entries: readonly SessionEntry[]): PromptRebuilt | null {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind === 'prompt-rebuilt') return entry;
  }
  return null;
}
