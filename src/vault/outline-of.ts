/** Turns the app's index record of a note into the outline that core reads. */
import type { CachedMetadata } from 'obsidian';
import type { NoteOutline } from '../core/ports/vault';

const outlines = new WeakMap<CachedMetadata, NoteOutline>();

/** Remembered per record: the app makes a new record whenever the note changes. Links are resolved anew each time. */
export function outlineOf(
  path: string,
  cache: CachedMetadata,
  resolve: (link: string) => string | undefined,
): NoteOutline {
  const outline = marksOf(path, cache);
  return { ...outline, links: outline.links.map((link) => withTarget(link, resolve(link.target))) };
}

/** The outline before its links are resolved, which takes no look into the vault. */
export function marksOf(path: string, cache: CachedMetadata): NoteOutline {
  const known = outlines.get(cache);
  if (known?.path === path) return known;
  const outline = { ...convert(cache), path };
  outlines.set(cache, outline);
  return outline;
}

function withTarget(link: NoteOutline['links'][number], path: string | undefined): NoteOutline['links'][number] {
  return path === undefined ? link : { ...link, path };
}

function convert(cache: CachedMetadata): Omit<NoteOutline, 'path'> {
  const { position: _position, ...properties } = (cache.frontmatter ?? {}) as Record<string, unknown>;
  return {
    headings: (cache.headings ?? []).map(({ level, heading, position }) => ({
      level,
      text: heading,
      line: position.start.line,
    })),
    tags: [...new Set([...propertyTags(properties), ...(cache.tags ?? []).map(({ tag }) => tag)])],
    links: [
      ...(cache.frontmatterLinks ?? []).map(({ link }) => ({ target: link, embed: false, line: 0 })),
      ...(cache.links ?? []).map(({ link, position }) => ({ target: link, embed: false, line: position.start.line })),
      ...(cache.embeds ?? []).map(({ link, position }) => ({ target: link, embed: true, line: position.start.line })),
    ],
    properties,
    blocks: Object.values(cache.blocks ?? {}).map(({ id, position }) => ({ id, line: position.start.line })),
  };
}

function propertyTags(properties: Readonly<Record<string, unknown>>): string[] {
  const value = properties['tags'] ?? properties['tag'];
  const list: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,\s]+/) : [];
  return list
    .filter((tag): tag is string => typeof tag === 'string' && tag.trim() !== '')
    .map((tag) => (tag.startsWith('#') ? tag : `#${tag.trim()}`));
}
