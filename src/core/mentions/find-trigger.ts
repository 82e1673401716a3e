/** Finds the mention being typed: a trigger before the cursor, and what was typed after it. */
import type { Trigger } from './mention-source';

export interface OpenTrigger {
  readonly trigger: Trigger;
  /** Where the trigger begins in the text. */
  readonly from: number;
  readonly query: string;
}

/** A query longer than this is ordinary text. */
const longestQuery = 80;

/** The trigger nearest to the cursor, on the cursor's line, not yet closed. */
export function findTrigger(text: string, cursor: number, triggers: Iterable<Trigger>): OpenTrigger | null {
  const line = text.slice(text.lastIndexOf('\n', cursor - 1) + 1, cursor);
  const lineStart = cursor - line.length;
  let found: OpenTrigger | null = null;
  for (const trigger of triggers) {
    const at = line.lastIndexOf(trigger);
    if (at < 0 || (found !== null && lineStart + at < found.from)) continue;
    const query = line.slice(at + trigger.length);
    if (query.length > longestQuery || query.includes(']]')) continue;
    if (trigger !== '[[' && isOrdinary(trigger, line.charAt(at - 1), query)) continue;
    found = { trigger, from: lineStart + at, query };
  }
  return found;
}

/** A bare sign between words is ordinary text, `a / b` or `# Heading`; names after a slash are one word. */
function isOrdinary(trigger: Trigger, before: string, query: string): boolean {
  if ((before !== '' && !/\s/.test(before)) || /^\s/.test(query)) return true;
  return trigger === '/' && /\s/.test(query);
}
