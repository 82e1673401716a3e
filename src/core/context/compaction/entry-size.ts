/** The size of what an entry sends, in tokens by rule: for comparing entries, never for judging a whole request. */
import { tokensByRule } from '../../markup/budget';
import { imageParts, writeAddition, writeSummary } from '../../request/history-text';
import { countedText } from '../../request/token-factor';
import type { SessionEntry } from '../../session/entry';

const sizes = new WeakMap<SessionEntry, number>();

export function entrySize(entry: SessionEntry): number {
  const known = sizes.get(entry);
  if (known !== undefined) return known;
  const size = sentTexts(entry).reduce((sum, text) => sum + tokensByRule(text), sentImageTokens(entry));
  sizes.set(entry, size);
  return size;
}

export function sizeOfAll(entries: readonly SessionEntry[]): number {
  return entries.reduce((sum, entry) => sum + entrySize(entry), 0);
}

/** Tokens of the pictures of an entry that reach the model. */
export function sentImageTokens(entry: SessionEntry): number {
  if (entry.kind !== 'user') return 0;
  return imageParts(entry.mentions).reduce((sum, part) => (part.type === 'image' ? sum + part.tokens : sum), 0);
}

/** What of an entry reaches the model as text. */
export function sentTexts(entry: SessionEntry): string[] {
  switch (entry.kind) {
    case 'user':
      return [entry.text, ...imageParts(entry.mentions).map(countedText)];
    case 'assistant':
      return entry.parts.map((part) => (part.type === 'tool-call' ? `${part.name} ${part.argumentsText}` : part.text));
    case 'tool-result':
      return [entry.text, ...(entry.additions ?? []).map(writeAddition)];
    case 'hook-context':
      return entry.additions.map(writeAddition);
    case 'turn-zone':
      return [...entry.before, ...entry.after].map(({ text }) => text);
    case 'summary':
      return [writeSummary(entry.snapshot)];
    default:
      return [];
  }
}
