/** The links of a note: finding them, resolving them, and decoding entities that could hide an address. */
import { compareText } from '../base/list-edits';
import type { NoteLink, NoteOutline, Yaml } from '../ports/vault';
import { propertyTags, tagsIn } from './note-tags';
import { blankOpaqueText } from './opaque-text';
import { readProperties } from './properties';
import { structureOf } from './structure';

/**
 * Returns the file that a link means: the exact path, then one below the note's folder, then the shortest path.
 * @param link a link's path, without heading or block
 */
export function bestTarget(paths: readonly string[], link: string, fromPath: string): string | undefined {
  const folder = fromPath.slice(0, fromPath.lastIndexOf('/') + 1);
  const relative = /^\.\.?\//.test(link);
  const wanted = (relative ? joinPath(folder, link) : link.replace(/^\/+/, '')).toLowerCase();
  const ends = [wanted, `${wanted}.md`];
  const exact = paths.find((path) => ends.includes(path.toLowerCase()));
  if (exact !== undefined || relative || link.startsWith('/')) return exact;
  return paths
    .filter((path) => ends.some((end) => path.toLowerCase().endsWith(`/${end}`)))
    .sort(
      (a, b) => Number(b.startsWith(folder)) - Number(a.startsWith(folder)) || a.length - b.length || compareText(a, b),
    )[0];
}

/** Returns the key for comparing the last part of a link or path: the file name in lowercase, without `.md`. */
export function linkName(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.md$/, '');
}

/** Returns the path of a link, without heading or block. */
export function linkPath(link: string): string {
  return link.replace(/[#^].*$/s, '').trim();
}

function joinPath(folder: string, link: string): string {
  const parts = folder.split('/').filter((part) => part !== '');
  for (const step of link.split('/')) {
    if (step === '..') parts.pop();
    else if (step !== '.' && step !== '') parts.push(step);
  }
  return parts.join('/');
}

/** An outline whose links are not yet resolved. */
interface ScannedNote extends Omit<NoteOutline, 'links' | 'path'> {
  readonly links: readonly Omit<NoteLink, 'path'>[];
}

/**
 * Indexes a staged note from its text alone: headings, tags, links, properties, and blocks. Obsidian's index does not
 * know staged text.
 */
export function scanNote(text: string, yaml: Yaml): ScannedNote {
  const visible = blankOpaqueText(text);
  const properties = readProperties(text, yaml) ?? {};
  const headings = structureOf(text).headings.map(({ level, text: title, line }) => ({ level, text: title, line }));
  const found = linksIn(text, visible);
  const links = [...propertyLinks(properties), ...found.links, ...found.embeds];
  const tags = [...new Set([...propertyTags(properties), ...tagsIn(found.rest)])];
  return { headings, tags, links, properties, blocks: blocksIn(visible) };
}

/** Returns the tags in a note's text below its properties, with their `#`. */
export function bodyTags(text: string): string[] {
  return tagsIn(linksIn(text, blankOpaqueText(text)).rest);
}

/** A target that begins with a bar is the whole link: `[[|]]` is a link to `|`. */
const wikilink = /(!?)\[\[(\|[^[\]\n]{0,1000}|[^[\]|\n]+?)(?:\\?\|(?:[^[\]\n]|\](?!\])|\[(?!\[)){0,500})?\]\]/g;
const markdownLink =
  /(!?)\[(?:[^[\]\n]|\[[^[\]\n]*\])*\]\((?:<([^<>\n]*)>|((?:[^\s()]|\([^\s()]*\))+))(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*\)/g;
const outsideAddress = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

type PlainLink = Omit<NoteLink, 'path'>;

interface FoundLinks {
  readonly links: readonly PlainLink[];
  readonly embeds: readonly PlainLink[];
  /** The visible text without its links. */
  readonly rest: string;
}

function linksIn(text: string, visible: string): FoundLinks {
  /** Each with its offset in place of its line, until all are found. */
  const found: { readonly target: string; readonly embed: boolean; line: number }[] = [];
  const withoutWikilinks = blankMatches(visible, wikilink, ({ 1: mark = '', 2: target = '', index }) => {
    const at = index + mark.length + 2;
    const written = text.slice(at, at + target.length).trim();
    if (written !== '') found.push({ target: written, embed: mark === '!', line: index });
  });
  const rest = blankMatches(withoutWikilinks, markdownLink, ({ 1: mark, 2: angled, 3: bare, index }) => {
    const target = (angled ?? bare ?? '').trim();
    if (target !== '' && !outsideAddress.test(target))
      found.push({ target: decoded(target), embed: mark === '!', line: index });
  });
  const lineAt = countingLines(text);
  found.sort((a, b) => a.line - b.line);
  for (const link of found) link.line = lineAt(link.line);
  return { links: found.filter(({ embed }) => !embed), embeds: found.filter(({ embed }) => embed), rest };
}

/** Replaces matches with blanks; one after the other, because `replace` holds all of a long note at once. */
function blankMatches(text: string, pattern: RegExp, visit: (match: RegExpExecArray) => void): string {
  const parts: string[] = [];
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    visit(match);
    const end = match.index + match[0].length;
    parts.push(text.slice(done, match.index), ' '.repeat(match[0].length));
    done = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(done);
}

/** Returns a function that counts the line ends before ascending offsets, in one pass over the text. */
function countingLines(text: string): (offset: number) => number {
  let line = 0;
  let next = text.indexOf('\n');
  return (offset) => {
    for (; next !== -1 && next < offset; next = text.indexOf('\n', next + 1)) line += 1;
    return line;
  };
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** Returns the values that consist of one link, at any depth; what contains itself is looked at once. */
function propertyLinks(properties: Readonly<Record<string, unknown>>): PlainLink[] {
  const links: PlainLink[] = [];
  const seen = new Set<unknown>();
  const left: unknown[] = [properties];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'object' && value !== null) {
      if (seen.has(value)) continue;
      seen.add(value);
      for (const member of Object.values(value).reverse()) left.push(member);
    } else if (typeof value === 'string') {
      const target = /^!?\[\[([^\]|]+)(?:\|[^\]]*)?\]\]$/.exec(value)?.[1];
      if (target !== undefined) links.push({ target, embed: false, line: 0 });
    }
  }
  return links;
}

function blocksIn(visible: string): { readonly id: string; readonly line: number }[] {
  const blocks: { readonly id: string; readonly line: number }[] = [];
  visible.split('\n').forEach((line, index) => {
    const id = line.includes('^') ? /(?:^|\s)\^([A-Za-z0-9-]+)\s*$/.exec(line)?.[1] : undefined;
    if (id !== undefined) blocks.push({ id, line: index });
  });
  return blocks;
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  colon: ':',
  sol: '/',
  bsol: '\\',
  period: '.',
  tab: '\t',
  newline: '\n',
  lpar: '(',
  rpar: ')',
  num: '#',
  plus: '+',
  quest: '?',
  equals: '=',
  commat: '@',
  lt: '<',
  gt: '>',
  quot: '"',
};

/** Decodes character references as Markdown and HTML do, as far as they could hide an address. */
export function decodeEntities(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: match, 1: hex, 2: decimal, 3: name, index } of text.matchAll(reference)) {
    parts.push(
      text.slice(done, index),
      name === undefined ? fromCode(hex, decimal, match) : (named[name.toLowerCase()] ?? match),
    );
    done = index + match.length;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(done);
}

/** Numbers may begin with any zeros, as HTML has it. */
const reference = /&(?:#x0*([0-9a-f]{1,6})|#0*([0-9]{1,7})|([a-z]{2,8}));/gi;

function fromCode(hex: string | undefined, decimal: string | undefined, match: string): string {
  const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : match;
}
