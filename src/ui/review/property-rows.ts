/** Which hunks are of properties, and which properties each of them changes. */
import { propertiesBlockOf } from '../../core/markdown/properties';
import { textAfter, textBefore } from '../../core/writing/changeset/changeset';
import type { HunkView, PropertyChange } from '../../core/writing/changeset/describe-changeset';
import { countLines } from '../../core/writing/changeset/diff';
import type { ReviewedChange } from '../../core/writing/review/review';
import { lineCount } from './hunk-rows';

export interface PropertyRows {
  readonly rows: readonly PropertyChange[];
  /** Whether its lines say all that its rows do and no more, so that they need not be shown as well. */
  readonly isAll: boolean;
}

/** By the index of the hunk. A hunk that also changes text, or whose lines name no changed property, has none. */
export function propertyRowsOf({ change, hunks, properties }: ReviewedChange): ReadonlyMap<number, PropertyRows> {
  const found = new Map<number, PropertyRows>();
  if (properties === null || properties.length === 0) return found;
  const [before, after] = [blockOf(textBefore(change)), blockOf(textAfter(change))];
  for (const hunk of hunks) {
    const { index, removed, added } = hunk;
    const [old, next] = [keysIn(before, hunk.line, removed), keysIn(after, hunk.newLine, added)];
    if (old === null || next === null) continue;
    const touched = new Set([...old, ...next]);
    const rows = properties.filter(({ key }) => touched.has(key));
    if (rows.length === 0) continue;
    found.set(index, { rows, isAll: rows.length === touched.size && !hasComment(hunk) });
  }
  return found;
}

interface Block {
  /** One-based lines of the fences that open and close it. */
  readonly opens: number;
  readonly closes: number;
  /** The key that each line in between belongs to. */
  readonly keys: readonly string[];
}

function blockOf(text: string): Block | null {
  const block = propertiesBlockOf(text);
  if (block === null || block === 'unclosed') return null;
  const opens = countLines(text.slice(0, block.start));
  const lines = text.slice(block.start, block.end).split('\n');
  if (lines.at(-1) === '') lines.pop();
  let current = '';
  const keys = lines.map((line) => {
    const [, quoted, plain] = /^(?:["']([^"']+)["']|([^\s#:'"-][^:]*?))\s*:(?:\s|$)/.exec(line) ?? [];
    current = quoted ?? plain ?? current;
    return current;
  });
  return { opens, closes: opens + lines.length + 1, keys };
}

/** Null when the lines reach beyond the properties. */
function keysIn(block: Block | null, from: number, text: string): readonly string[] | null {
  const count = lineCount(text);
  if (count === 0) return [];
  if (block === null || from < block.opens || from + count - 1 > block.closes) return null;
  return block.keys.slice(Math.max(0, from - block.opens - 1), from + count - 1 - block.opens);
}

function hasComment({ removed, added }: HunkView): boolean {
  return /(?:^|\s)#/.test(`${removed}\n${added}`);
}
