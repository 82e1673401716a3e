/** The reference texts of a chat as they were last sent, and what turns have told of them since. */
import type { KeptReference, ReferenceSent, SessionEntry } from './entry';
import { summaryInForce } from './summary-in-force';

/** Whether a summary has taken the place of messages since, so that what turns told may be gone. */
export function isBehindSummary(entries: readonly SessionEntry[]): boolean {
  const summary = summaryInForce(entries);
  if (summary === null) return false;
  const at = entries.findIndex(({ id }) => id === summary.id);
  return entries.map(({ kind }) => kind).lastIndexOf('reference-sent') < at;
}

/** Null before the first request of a chat. */
export function foldReference(entries: readonly SessionEntry[]): KeptReference | null {
  let sent: ReferenceSent | null = null;
  let told = new Map<string, string>();
  let turns = 0;
  for (const entry of entries) {
    if (entry.kind === 'reference-sent') [sent, told, turns] = [entry, new Map<string, string>(), 0];
    if (entry.kind === 'user') turns += 1;
    if (entry.kind !== 'turn-zone') continue;
    for (const [key, print] of Object.entries(entry.told ?? {})) told.set(key, print);
  }
  return sent === null ? null : { ...sent, told, turns };
}
