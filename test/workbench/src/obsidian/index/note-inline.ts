/** Finds links, embeds, tags and footnotes in the running text of a note. */
import type { EmbedCache, FootnoteRefCache, LinkCache, ReferenceLinkCache, TagCache } from 'obsidian';
import type { Positions } from './note-positions';

export interface InlineItems {
  links: LinkCache[];
  embeds: EmbedCache[];
  tags: TagCache[];
  footnoteRefs: FootnoteRefCache[];
  referenceLinks: ReferenceLinkCache[];
}

/** A target that begins with a bar is the whole link: `[[|]]` is a link to `|`. */
const WIKILINK = /(!?)\[\[(\|[^[\]\n]*|[^[\]|\n]+?)(?:\\?\|((?:[^\]\n]|\](?!\]))*))?\]\]/g;
const MARKDOWN_LINK =
  /(!?)\[((?:[^[\]\n]|\[[^[\]\n]*\])*)\]\((?:<([^<>\n]*)>|((?:[^\s()]|\([^\s()]*\))*))(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*\)/g;
const TAG = /(^|\s)(#[^\u2000-\u200C\u200E-\u206F\u2E00-\u2E7F'!"#$%&()*+,.:;<=>?@^`{|}~[\]\\\s]+)/gm;
const WHOLE_TAG = new RegExp(`^${TAG.source.slice('(^|\\s)('.length, -1)}$`);
const FOOTNOTE_REF = /\[\^([^\]\s]+)\](:?)/g;
const DEFINITION = /^ {0,3}\[(?!\^)([^\]\n]+)\]:[ \t]*<?([^\s>]+)>?/gm;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Zones without links: code spans, math, HTML comments; longest openings first. Links in `%%` comments count. */
const ZONE =
  /\\[\\`*_{}[\]()#+\-.!$%|<>~^]|(`+)(?!`)[^]*?[^`]\1(?!`)|<!--[^]*?(?:-->|$(?![^]))|\$\$[^]*?\$\$|\$(?![\s$])(?:\\[^]|[^$\\\n])*?[^\s$\\]\$(?!\d)/g;

/** Replaces a stretch by spaces, keeping every offset and line. */
export const blank = (text: string): string => text.replace(/[^\n\r]/g, ' ');

/** Masks all text that must not be read as a link or a tag. An escaped character masks itself alone. */
export function maskZones(text: string): string {
  return text.replace(ZONE, (zone) => (zone.startsWith('`') && /\n\s*\n/.test(zone) ? zone : blankZone(zone)));
}

const blankZone = (zone: string): string => (zone.startsWith('\\|') ? zone : blank(zone));

/**
 * Blanks what follows the last `]]` of each line: no link begins there, and each opening would be read to the end. A
 * text that closes no link is blank as a whole.
 */
const closable = (text: string): string =>
  !text.includes(']]')
    ? ''
    : text.replace(/[^\n]+/g, (line) => {
        const end = line.lastIndexOf(']]') + 1;
        return end === 0 ? ' '.repeat(line.length) : line.slice(0, end + 1).padEnd(line.length);
      });

/** `masked` is as long as `original`; what is read comes from `original`. */
export function findInline(original: string, masked: string, positions: Positions): InlineItems {
  const found: InlineItems = { links: [], embeds: [], tags: [], footnoteRefs: [], referenceLinks: [] };
  let rest = '';
  let done = 0;
  for (const match of closable(masked).matchAll(WIKILINK)) {
    rest += masked.slice(done, match.index) + blank(match[0]);
    done = match.index + match[0].length;
    const whole = original.slice(match.index, match.index + match[0].length);
    const inside = whole.slice((match[1] ?? '').length + 2, -2);
    const bar = inside.startsWith('|') ? null : /\\?\|/.exec(inside);
    const link = (bar ? inside.slice(0, bar.index) : inside).trim();
    if (!link) continue;
    const alias = bar ? inside.slice(bar.index + bar[0].length) : toDisplayText(link);
    const position = positions.between(match.index, match.index + whole.length);
    found[match[1] ? 'embeds' : 'links'].push({ link, original: whole, displayText: alias, position });
  }
  rest += masked.slice(done);
  for (const match of rest.matchAll(MARKDOWN_LINK)) {
    const whole = original.slice(match.index, match.index + match[0].length);
    const target = (match[3] ?? match[4] ?? '').trim();
    if (!target || SCHEME.test(target) || target.startsWith('//')) continue;
    const position = positions.between(match.index, match.index + whole.length);
    const item = { link: decodeLink(target), original: whole, displayText: match[2] ?? '', position };
    found[match[1] ? 'embeds' : 'links'].push(item);
  }
  const tagText = rest.replace(MARKDOWN_LINK, (whole) => blank(whole));
  for (const match of tagText.matchAll(TAG)) {
    const tag = match[2]!;
    if (!isTag(tag)) continue;
    const start = match.index + match[1]!.length;
    found.tags.push({ tag, position: positions.between(start, start + tag.length) });
  }
  for (const match of rest.matchAll(FOOTNOTE_REF)) {
    const definition = match[2] === ':' && (match.index === 0 || rest[match.index - 1] === '\n');
    if (definition) continue;
    const end = match.index + match[0].length - match[2]!.length;
    found.footnoteRefs.push({ id: match[1]!.toLowerCase(), position: positions.between(match.index, end) });
  }
  for (const match of rest.matchAll(DEFINITION)) {
    const position = positions.between(match.index, match.index + match[0].length);
    found.referenceLinks.push({ id: match[1]!.toLowerCase(), link: match[2]!, position });
  }
  for (const list of [found.links, found.embeds]) {
    list.sort((first, second) => first.position.start.offset - second.position.start.offset);
  }
  return found;
}

/** Whether a text with a leading `#` is one tag; digits alone are none. */
export function isTag(text: string): boolean {
  return WHOLE_TAG.test(text) && !/^#\d+$/.test(text);
}

/** `a#b#c` is shown as `a > b > c`. */
export function toDisplayText(link: string): string {
  return link.split('#').filter(Boolean).join(' > ');
}

export function decodeLink(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
