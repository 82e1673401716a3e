/** The links of a note: finding them, resolving them, and decoding entities that could hide an address. */
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
      (a, b) => Number(b.startsWith(folder)) - Number(a.startsWith(folder)) || a.length - b.length || (a < b ? -1 : 1),
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
export interface ScannedNote extends Omit<NoteOutline, 'links' | 'path'> {
  readonly links: readonly Omit<NoteLink, 'path'>[];
}

/**
 * Indexes a staged note from its text alone: headings, tags, links, properties, and blocks. Obsidian's index does not
 * know staged text.
 */
export function scanNote(text: string, yaml: Yaml): ScannedNote {
  const visible = blankOpaqueText(text);
  const properties = readProperties(text, yaml) ?? {};
  const { headings } = structureOf(text);
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
  const found: { readonly at: number; readonly target: string; readonly embed: boolean }[] = [];
  const withoutWikilinks = visible.replace(wikilink, (whole, mark: string, target: string, at: number) => {
    const written = text.slice(at + mark.length + 2, at + mark.length + 2 + target.length).trim();
    if (written !== '') found.push({ at, target: written, embed: mark === '!' });
    return ' '.repeat(whole.length);
  });
  const rest = withoutWikilinks.replace(
    markdownLink,
    (whole, mark: string, angled: string | undefined, bare: string | undefined, at: number) => {
      const target = (angled ?? bare ?? '').trim();
      if (target !== '' && !outsideAddress.test(target))
        found.push({ at, target: decoded(target), embed: mark === '!' });
      return ' '.repeat(whole.length);
    },
  );
  const lineAt = countingLines(text);
  const inOrder = found
    .sort((a, b) => a.at - b.at)
    .map(({ at, target, embed }) => ({ target, embed, line: lineAt(at) }));
  return { links: inOrder.filter(({ embed }) => !embed), embeds: inOrder.filter(({ embed }) => embed), rest };
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

/** Returns the values that consist of one link, at any depth. */
function propertyLinks(value: unknown): PlainLink[] {
  if (typeof value === 'string') {
    const target = /^!?\[\[([^\]|]+)(?:\|[^\]]*)?\]\]$/.exec(value)?.[1];
    return target === undefined ? [] : [{ target, embed: false, line: 0 }];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(propertyLinks) : [];
}

function blocksIn(visible: string): { readonly id: string; readonly line: number }[] {
  return visible.split('\n').flatMap((line, index) => {
    const id = /(?:^|\s)\^([A-Za-z0-9-]+)\s*$/.exec(line)?.[1];
    return id === undefined ? [] : [{ id, line: index }];
  });
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
  quest: '?',
  equals: '=',
  commat: '@',
  lt: '<',
  gt: '>',
  quot: '"',
};

/** Decodes character references as Markdown and HTML do, as far as they could hide an address. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,8}));/gi,
    (match, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? match;
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : match;
    },
  );
}
