/** The summary in force: the newest one that was not taken back, in the words that it has by now (design 8). */
import type { EntryHeader, SessionEntry, SummaryBody } from './entry';

export type SummaryEntry = EntryHeader & SummaryBody;

export function summaryInForce(entries: readonly SessionEntry[]): SummaryEntry | null {
  const undone = new Set<string>();
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind === 'summary-undone') undone.add(entry.summary);
    if (entry?.kind === 'summary' && !undone.has(entry.id)) return inLatestWords(entry, entries);
  }
  return null;
}

function inLatestWords(summary: SummaryEntry, entries: readonly SessionEntry[]): SummaryEntry {
  return entries.reduce<SummaryEntry>(
    (latest, entry) =>
      entry.kind === 'summary-edited' && entry.summary === summary.id
        ? { ...latest, snapshot: entry.snapshot }
        : latest,
    summary,
  );
}
