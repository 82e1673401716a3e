/** YAML and frontmatter functions of the API. */
import type { FrontMatterInfo } from 'obsidian';
import { parse, stringify } from 'yaml';
import { isTag } from './note-inline';

const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /^---[ \t]*(?:\r?\n|$)/gm;

export function parseYaml(yaml: string): any {
  return parse(yaml, { logLevel: 'error' });
}

export function stringifyYaml(obj: any): string {
  return stringify(obj, { lineWidth: 0, nullStr: '', aliasDuplicateObjects: false });
}

/** `from` to `to` is the text between the fences, its last line break included. */
export function getFrontMatterInfo(content: string): FrontMatterInfo {
  const none: FrontMatterInfo = { exists: false, frontmatter: '', from: 0, to: 0, contentStart: 0 };
  const from = OPENING.exec(content)?.[0].length;
  if (from === undefined) return none;
  CLOSING.lastIndex = from;
  const closing = CLOSING.exec(content);
  if (!closing) return none;
  const to = closing.index;
  return { exists: true, frontmatter: content.slice(from, to), from, to, contentStart: to + closing[0].length };
}

export function parseFrontMatterEntry(frontmatter: any | null, key: string | RegExp): any | null {
  if (!frontmatter || typeof frontmatter !== 'object') return null;
  const found = Object.keys(frontmatter).find((name) =>
    typeof key === 'string' ? name.toLowerCase() === key.toLowerCase() : key.test(name),
  );
  return found === undefined ? null : (frontmatter[found] ?? null);
}

export function parseFrontMatterStringArray(frontmatter: any | null, key: string | RegExp): string[] | null {
  const value = parseFrontMatterEntry(frontmatter, key);
  const items: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  const texts = items
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .map((item) => String(item).trim())
    .filter(Boolean);
  return texts.length ? texts : null;
}

export function parseFrontMatterAliases(frontmatter: any | null): string[] | null {
  return parseFrontMatterStringArray(frontmatter, /^alias(es)?$/i);
}

/**
 * Tags come back with a leading `#`. A text is one tag, and what no tag can hold, such as a comma or a space, makes it
 * none. The key is `tags` alone: not `tag`, which Obsidian 1.9 dropped.
 */
export function parseFrontMatterTags(frontmatter: any | null): string[] | null {
  const value = parseFrontMatterEntry(frontmatter, 'tags');
  if (!Array.isArray(value) && typeof value !== 'string') return null;
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  return entries
    .filter((entry) => typeof entry === 'string' || typeof entry === 'number')
    .map((entry) => String(entry).trim().replace(/^#?/, '#'))
    .filter(isTag);
}
