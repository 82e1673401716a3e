/** A simple outline parser for the fake vaults: headings, tags, links, properties and block ids of a note's text. */
import { parse } from 'yaml';
import type { NoteLink, NoteOutline } from '../../src/core/ports/vault';

export interface ParsedNote extends Omit<NoteOutline, 'links'> {
  readonly links: readonly Omit<NoteLink, 'path'>[];
}

export function parseNote(path: string, text: string): ParsedNote {
  const front = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  const properties = readProperties(front?.[1] ?? '');
  const skipped = front === null ? 0 : front[0].split('\n').length - 1;
  const headings: NoteOutline['headings'][number][] = [];
  const links: Omit<NoteLink, 'path'>[] = [];
  const blocks: NoteOutline['blocks'][number][] = [];
  const tags = new Set(listOf(properties['tags'] ?? properties['tag']).map((tag) => `#${tag.replace(/^#/, '')}`));
  let fenced = false;
  text.split('\n').forEach((line, number) => {
    if (number < skipped) return;
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    if (fenced) return;
    const heading = /^(#{1,6})\s+(.+?)\s*$/.exec(line);
    if (heading?.[1] && heading[2]) headings.push({ level: heading[1].length, text: heading[2], line: number });
    for (const tag of line.matchAll(/(?:^|\s)(#[\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/gu)) tags.add(tag[1] ?? '');
    for (const link of line.matchAll(/(!?)\[\[([^\]|]+)(?:\|[^\]]*)?\]\]/g)) {
      links.push({ target: (link[2] ?? '').trim(), embed: link[1] === '!', line: number });
    }
    const block = /(?:^|\s)\^([A-Za-z0-9-]+)\s*$/.exec(line);
    if (block?.[1]) blocks.push({ id: block[1], line: number });
  });
  return { path, headings, tags: [...tags], links, properties, blocks };
}

function readProperties(yaml: string): Record<string, unknown> {
  try {
    const value: unknown = parse(yaml);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? value.split(/[,\s]+/).filter((part) => part !== '') : [];
}
