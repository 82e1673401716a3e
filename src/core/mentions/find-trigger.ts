/** Finds the mention being typed: a trigger before the cursor, and what was typed after it. */
import type { MentionSource } from './mention-source';

export interface OpenTrigger {
  readonly source: MentionSource;
  /** Where the trigger begins in the text. */
  readonly from: number;
  readonly query: string;
}

/** A query longer than this is ordinary text. */
const longestQuery = 80;

/** The trigger nearest to the cursor, on the cursor's line, not yet closed. */
export function findTrigger(text: string, cursor: number, sources: readonly MentionSource[]): OpenTrigger | null {
  const line = text.slice(text.lastIndexOf('\n', cursor - 1) + 1, cursor);
  const lineStart = cursor - line.length;
  let found: OpenTrigger | null = null;
  for (const source of sources) {
    const at = line.lastIndexOf(source.trigger);
    if (at < 0 || (found !== null && lineStart + at < found.from)) continue;
    const query = line.slice(at + source.trigger.length);
    if (query.length > longestQuery || query.includes(']]')) continue;
    const before = line.charAt(at - 1);
    // A bare sign between words is ordinary text: `a / b`, `# Heading`.
    if (source.trigger !== '[[' && ((before !== '' && !/\s/.test(before)) || /^\s/.test(query))) continue;
    found = { source, from: lineStart + at, query };
  }
  return found;
}
