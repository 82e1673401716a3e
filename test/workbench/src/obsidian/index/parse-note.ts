/** Reads a note's text into the metadata that Obsidian's index keeps of it. */
import type { BlockCache, CachedMetadata, FrontmatterLinkCache, HeadingCache, SectionCache } from 'obsidian';
import { cutBlocks, type NoteBlock } from './note-blocks';
import { blank, decodeLink, findInline, maskZones, toDisplayText } from './note-inline';
import { findAllListItems, findBlockId } from './note-lists';
import { Positions, splitLines } from './note-positions';
import { getFrontMatterInfo, parseYaml } from './yaml';

/** Comments are not shown, but their links and tags are indexed. */
const OPAQUE = new Set<NoteBlock['type']>(['code', 'math', 'html', 'yaml']);
const WITHOUT_ID = new Set<NoteBlock['type']>([...OPAQUE, 'comment', 'list']);
const NESTING = new Set<NoteBlock['type']>(['list', 'callout', 'blockquote', 'footnoteDefinition', 'comment']);

export function parseNote(text: string): CachedMetadata {
  const cache: CachedMetadata = {};
  const lines = splitLines(text);
  const positions = new Positions(lines);
  const sections: SectionCache[] = [];
  const info = getFrontMatterInfo(text);
  let firstLine = 0;
  if (info.exists) {
    const last = positions.at(info.to).line;
    const position = positions.ofLines(lines[0]!, lines[last]!);
    sections.push({ type: 'yaml', position });
    if (info.frontmatter.trim() !== '') cache.frontmatterPosition = position;
    readFrontmatter(cache, info.frontmatter);
    firstLine = last + 1;
  }
  const blocks = cutBlocks(lines, firstLine);
  for (const block of blocks) addBlock(cache, sections, block, positions);
  if (sections.length) cache.sections = sections;

  const inline = findInline(text, hideOpaque(text, info.contentStart, blocks), positions);
  if (inline.links.length) cache.links = inline.links;
  if (inline.embeds.length) cache.embeds = inline.embeds;
  if (inline.tags.length) cache.tags = inline.tags;
  if (inline.footnoteRefs.length) cache.footnoteRefs = inline.footnoteRefs;
  if (inline.referenceLinks.length) cache.referenceLinks = inline.referenceLinks;
  return cache;
}

/** Broken YAML leaves the position but no values. */
function readFrontmatter(cache: CachedMetadata, yaml: string): void {
  try {
    const values: unknown = parseYaml(yaml);
    if (!values || typeof values !== 'object' || Array.isArray(values)) return;
    cache.frontmatter = values as Record<string, unknown>;
    cache.frontmatterLinks = findFrontmatterLinks(values, '');
  } catch {
    return;
  }
}

/** Only a value that is a link as a whole counts. */
function findFrontmatterLinks(value: unknown, key: string): FrontmatterLinkCache[] {
  if (typeof value === 'string') {
    const wiki = /^!?\[\[([^\]|]+)(?:\|([^\]]*))?\]\]$/.exec(value);
    if (wiki) return [{ key, link: wiki[1]!, original: value, displayText: wiki[2] ?? toDisplayText(wiki[1]!) }];
    const markdown = /^!?\[([^\]]*)\]\((?![a-z][a-z0-9+.-]*:)([^)\s]+)\)$/i.exec(value);
    return markdown ? [{ key, link: decodeLink(markdown[2]!), original: value, displayText: markdown[1]! }] : [];
  }
  if (!value || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => findFrontmatterLinks(inner, key ? `${key}.${name}` : name));
}

function addBlock(cache: CachedMetadata, sections: SectionCache[], block: NoteBlock, positions: Positions): void {
  const first = block.lines[0]!;
  const last = block.lines[block.lines.length - 1]!;
  const position = positions.ofLines(first, last);
  const section: SectionCache = { type: block.type, position };
  if (block.type === 'heading') (cache.headings ??= []).push(readHeading(block, position));
  if (block.type === 'footnoteDefinition') {
    const id = /^\[\^([^\]\s]+)\]/.exec(first.text)![1]!.toLowerCase();
    (cache.footnotes ??= []).push({ id, position });
  }
  const items = findAllListItems(block, positions);
  if (items.length) (cache.listItems ??= []).push(...items);
  if (block.type === 'list') for (const item of items) if (item.id) addId(cache, item.id, item.position);
  const id = WITHOUT_ID.has(block.type) ? undefined : findBlockId(last.text);
  const alone = block.lines.length === 1 && /^\^[A-Za-z0-9-]+\s*$/.test(first.text);
  const target = alone ? (sections[sections.length - 1] ?? section) : section;
  if (id) {
    target.id = id;
    addId(cache, id, target.position);
  }
  sections.push(section);
}

function addId(cache: CachedMetadata, id: string, position: BlockCache['position']): void {
  (cache.blocks ??= {})[id.toLowerCase()] = { id, position };
}

function readHeading(block: NoteBlock, position: HeadingCache['position']): HeadingCache {
  const [first, second] = [block.lines[0]!.text, block.lines[block.lines.length - 1]!.text];
  const hashes = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(first)?.[1];
  if (block.lines.length > 1 && !hashes) {
    const heading = block.lines
      .slice(0, -1)
      .map((line) => line.text.trim())
      .join(' ');
    return { heading, level: second.trim().startsWith('=') ? 1 : 2, position };
  }
  const heading = first
    .trim()
    .slice(hashes?.length ?? 0)
    .replace(/[ \t]+#+[ \t]*$/, '')
    .trim();
  return { heading, level: hashes?.length ?? 1, position };
}

/** The text with everything but readable prose turned into spaces. */
function hideOpaque(text: string, contentStart: number, blocks: readonly NoteBlock[]): string {
  const parts: string[] = [blank(text.slice(0, contentStart))];
  let done = contentStart;
  for (const block of blocks) {
    const { start } = block.lines[0]!;
    const { end } = block.lines[block.lines.length - 1]!;
    parts.push(text.slice(done, start), hideBlock(block.type, text.slice(start, end)));
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

function hideBlock(type: NoteBlock['type'], piece: string): string {
  if (type === 'html') return piece.trimStart().startsWith('<!--') ? blank(piece) : maskZones(piece);
  if (OPAQUE.has(type)) return blank(piece);
  return maskZones(NESTING.has(type) ? hideFences(piece) : piece);
}

/** Fenced code inside a list or a quote is indented or quoted. */
const hideFences = (text: string): string =>
  text.replace(/^([ \t>]*)(`{3,}|~{3,})[^\n]*\n[^]*?(?:^[ \t>]*\2[ \t]*$|$(?![^]))/gm, blank);
