/** Functions of the API about link texts, subpaths, references and tags. */
import type {
  BlockSubpathResult,
  CachedMetadata,
  FootnoteSubpathResult,
  HeadingSubpathResult,
  Reference,
  ReferenceCache,
} from 'obsidian';
import { normalizeName, stripHeading } from '../base/text';
import { parseFrontMatterTags } from './yaml';

export function parseLinktext(linktext: string): { path: string; subpath: string } {
  const text = normalizeName(linktext);
  const hash = text.indexOf('#');
  return hash < 0 ? { path: text, subpath: '' } : { path: text.slice(0, hash), subpath: text.slice(hash) };
}

export function getLinkpath(linktext: string): string {
  return parseLinktext(linktext).path;
}

export function iterateRefs(refs: Reference[], cb: (ref: Reference) => boolean | void): boolean {
  return refs.some((ref) => cb(ref) === true);
}

export function iterateCacheRefs(cache: CachedMetadata, cb: (ref: ReferenceCache) => boolean | void): boolean {
  return [...(cache.links ?? []), ...(cache.embeds ?? [])].some((ref) => cb(ref) === true);
}

export function getAllTags(cache: CachedMetadata): string[] | null {
  if (!cache) return null;
  return [...(parseFrontMatterTags(cache.frontmatter ?? null) ?? []), ...(cache.tags ?? []).map(({ tag }) => tag)];
}

export function resolveSubpath(
  cache: CachedMetadata,
  subpath: string,
): HeadingSubpathResult | BlockSubpathResult | FootnoteSubpathResult | null {
  const parts = subpath.split('#').filter(Boolean);
  const last = parts[parts.length - 1];
  if (!cache || last === undefined) return null;
  if (parts.length === 1 && last.startsWith('^')) return resolveBlock(cache, last.slice(1));
  const footnote = /^\[\^(.+)\]$/.exec(last)?.[1];
  if (parts.length === 1 && footnote !== undefined) return resolveFootnote(cache, footnote);
  return resolveHeading(cache, parts);
}

function resolveBlock(cache: CachedMetadata, id: string): BlockSubpathResult | null {
  const block = cache.blocks?.[id.toLowerCase()];
  if (!block) return null;
  const list = cache.listItems?.find((item) => item.id?.toLowerCase() === id.toLowerCase());
  return { type: 'block', block, ...(list && { list }), start: block.position.start, end: block.position.end };
}

function resolveFootnote(cache: CachedMetadata, id: string): FootnoteSubpathResult | null {
  const footnote = cache.footnotes?.find((candidate) => candidate.id === id);
  return footnote ? { type: 'footnote', footnote, start: footnote.position.start, end: footnote.position.end } : null;
}

/** Each part must be found below the one before it. */
function resolveHeading(cache: CachedMetadata, parts: string[]): HeadingSubpathResult | null {
  const headings = cache.headings ?? [];
  const wanted = parts.map((part) => stripHeading(part).toLowerCase());
  let depth = 0;
  let level = 0;
  for (const [index, current] of headings.entries()) {
    if (depth > 0 && current.level <= level) {
      depth = 0;
      level = 0;
    }
    if (stripHeading(current.heading).toLowerCase() !== wanted[depth]) continue;
    level = current.level;
    if (++depth < wanted.length) continue;
    const next = headings.slice(index + 1).find((heading) => heading.level <= current.level);
    return {
      type: 'heading',
      current,
      next: next as HeadingSubpathResult['next'],
      start: current.position.start,
      end: next ? next.position.start : null,
    };
  }
  return null;
}
