/** Front names: the aliases and tags in a note's properties block, read without a YAML parser. */
import type { NoteStructure } from './passages';

export interface FrontNames {
  readonly aliases: readonly string[];
  /** Without the leading `#`. */
  readonly tags: readonly string[];
}

/** Reads inline values, inline lists and block lists; anything else is passed over. */
export function frontNames(text: string, structure: NoteStructure): FrontNames {
  const names: { aliases: string[]; tags: string[] } = { aliases: [], tags: [] };
  let current: string[] | undefined;
  for (const line of structure.lines.slice(1, Math.max(1, structure.propertyLines - 1))) {
    const row = text.slice(line.start, line.end);
    const item = /^\s*-\s+(.+)$/.exec(row);
    if (item?.[1] !== undefined) {
      current?.push(bare(item[1]));
      continue;
    }
    const key = /^([^\s:][^:]*):\s*(.*)$/.exec(row);
    if (key === null) continue;
    const name = (key[1] ?? '').toLowerCase();
    current = /^alias(?:es)?$/.test(name) ? names.aliases : /^tags?$/.test(name) ? names.tags : undefined;
    const value = (key[2] ?? '').trim();
    if (current === undefined || value === '') continue;
    const inner = /^\[(.*)\]$/.exec(value)?.[1] ?? value;
    for (const part of inner.split(',')) if (bare(part) !== '') current.push(bare(part));
  }
  return names;
}

function bare(value: string): string {
  return value
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/^#/, '')
    .trim();
}
