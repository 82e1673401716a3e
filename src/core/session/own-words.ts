/**
 * Own words: which messages the user wrote. Those that choose an option of a question send what the model wrote, so they
 * name no place and vouch for no address.
 */
import type { SessionEntry } from './entry';

/** Returns the messages that say nothing but options of the questions in the turn before. */
export function findChosenAnswers(entries: readonly SessionEntry[]): ReadonlySet<SessionEntry> {
  const chosen = new Set<SessionEntry>();
  let offered = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'tool-result' && entry.view?.kind === 'question') {
      for (const part of entry.view.options.flatMap(partsOf)) offered.add(part);
    } else if (entry.kind === 'user') {
      if (offered.size > 0 && partsOf(entry.text).every((part) => offered.has(part))) chosen.add(entry);
      offered = new Set();
    }
  }
  return chosen;
}

/** Several options are sent with a comma between them, and each may have one of its own. */
function partsOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
