/** Markup: the only module that writes tags. It escapes text, so that no body can open or close a section. */
import { escapeAttribute, escapeTags, makeVisible, markLines, type Written } from './escapes';
import { type Tag, tags } from './tags';
import { maxFilled, splitVariables } from './variables';

export interface Element {
  readonly tag: Tag;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Content;
}

/** Instructions that the user wrote: their own tags may remain (design 5), and variables are filled in. */
export interface OwnText {
  readonly own: string;
  /** The template as it was written, if its conditions are decided in `own`. */
  readonly template?: string;
  /** The value of each variable; all others remain as written (R038). */
  readonly values: Readonly<Record<string, Content>>;
}

/** Text and elements in order; text is escaped when it is written. */
export type Content = readonly (string | Element | OwnText)[];

export function element(tag: Tag, attributes: Readonly<Record<string, string>>, ...children: Content): Element {
  return { tag, attributes, children };
}

/**
 * Writes content as markup. An element is on lines of its own, with one newline before and after its body, so a reader
 * recovers each body by removing those two newlines.
 * @param known elements that were written before, which are not escaped again
 */
export function write(content: Content, known: ReadonlyMap<Element, Written> = noElements): Written {
  const writer = new Writer(known);
  writer.add(content);
  return writer.finish();
}

const noElements: ReadonlyMap<Element, Written> = new Map();

/** Writer: collects text, so that what is written in pieces is escaped as the one text that a reader sees. */
class Writer {
  private text = '';
  private madeVisible = 0;
  private invisible = 0;
  private pending = '';

  constructor(private readonly known: ReadonlyMap<Element, Written>) {}

  add(content: Content): void {
    for (const child of content) {
      if (typeof child === 'string') this.pending += child;
      else if ('own' in child) this.addOwn(child);
      else this.addElement(child);
    }
  }

  finish(): Written {
    this.flush();
    const { text, madeVisible, invisible } = this;
    return { text, madeVisible, invisible };
  }

  private addElement(given: Element): void {
    this.flush();
    const written = this.known.get(given);
    if (written !== undefined) return this.append(written);
    const { tag, attributes, children } = given;
    this.text += `<${tag}`;
    for (const [name, value] of Object.entries(attributes)) {
      this.text += ` ${name}="`;
      this.append(escapeAttribute(value));
      this.text += '"';
    }
    this.text += '>\n';
    this.add(children);
    this.flush();
    this.text += `\n</${tag}>`;
  }

  /** Inserts values only between tags, and never scans them for variables (R039); one without room stays as written. */
  private addOwn({ own, values }: OwnText): void {
    const found = readOwnTags(own, tags);
    const pieces = found.kind === 'kept' ? found.pieces : [{ isTag: false, text: own }];
    let room = maxFilled;
    for (const { isTag, text } of pieces) {
      for (const { written, name } of isTag ? [{ written: text, name: null }] : splitVariables(text)) {
        const value = name !== null && Object.hasOwn(values, name) ? values[name] : undefined;
        const length = value === undefined ? 0 : lengthOf(value);
        const isFilled = value !== undefined && length <= room;
        if (isFilled) room -= length;
        this.add(isFilled ? value : [written]);
      }
    }
  }

  private flush(): void {
    if (this.pending !== '') this.append(makeVisible(escapeTags(this.pending)));
    this.pending = '';
  }

  private append({ text, madeVisible, invisible }: Written): void {
    this.text += text;
    this.madeVisible += madeVisible;
    this.invisible += invisible;
  }
}

function lengthOf(content: Content): number {
  let length = 0;
  for (const child of content) {
    length += typeof child === 'string' ? child.length : 'own' in child ? child.own.length : lengthOf(child.children);
  }
  return length;
}

/** Returns a tool result as the tool returned it, without appended context. */
export function removeAppendedTags(text: string): string {
  return text.split(/\n\n<(?:hook|project)_context[ >]/, 1)[0] ?? '';
}

/**
 * Returns a tag-like name for a path: no `.md`, other characters as `_`, collapsed and trimmed (R169). A label only:
 * two paths may share it, so it never identifies a note.
 */
export function normalizePathToXmlTag(path: string): string {
  return path
    .replace(/\.md$/i, '')
    .replace(/[^a-zA-Z0-9_]/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '');
}

/** A piece of a text: exactly one tag, or the text between tags. */
interface MarkupPiece {
  readonly isTag: boolean;
  readonly text: string;
}

export type OwnTags =
  /** The text contains no tags. */
  | { readonly kind: 'none' }
  | { readonly kind: 'kept'; readonly pieces: readonly MarkupPiece[] }
  /** The whole text must be escaped. */
  | { readonly kind: 'escaped'; readonly reason: 'malformed' | 'reserved'; readonly tag: string };

/** Tags, and anything that begins like one. */
const candidate = /<\/?[A-Za-z_][^<>]*>?/g;
const openingTag = /^<([A-Za-z_][\w.-]*)((?:\s+[A-Za-z_][\w.-]*="[^"<>]*"|\s+[A-Za-z_][\w.-]*='[^'<>]*')*)\s*(\/?)>$/;
const closingTag = /^<\/([A-Za-z_][\w.-]*)\s*>$/;
const attributeName = /([A-Za-z_][\w.-]*)=(?:"[^"]*"|'[^']*')/g;

/**
 * Finds the tags that the user wrote in instructions. They stay tags only if they form a well-formed fragment that uses
 * none of Docent's tags (design 5).
 * @param reserved names that only Docent's own sections may use
 */
export function readOwnTags(text: string, reserved: readonly string[]): OwnTags {
  const pieces: MarkupPiece[] = [];
  const open: string[] = [];
  let broken: string | null = null;
  let end = 0;
  for (const match of text.matchAll(candidate)) {
    const tag = match[0];
    const parsed = parseTag(tag);
    if (parsed === null) {
      broken ??= tag;
      continue;
    }
    const { name, kind } = parsed;
    if (reserved.includes(name.toLowerCase())) return { kind: 'escaped', reason: 'reserved', tag: name };
    if (kind === 'opening') open.push(name);
    const isSound = kind === 'closing' ? open.pop() === name : !repeatsAttribute(parsed.attributes);
    if (!isSound) broken ??= tag;
    pieces.push({ isTag: false, text: text.slice(end, match.index) }, { isTag: true, text: tag });
    end = match.index + tag.length;
  }
  if (pieces.length === 0) return { kind: 'none' };
  const left = open.at(-1);
  if (broken !== null || left !== undefined) {
    return { kind: 'escaped', reason: 'malformed', tag: broken ?? `<${left ?? ''}>` };
  }
  return { kind: 'kept', pieces: [...pieces, { isTag: false, text: text.slice(end) }] };
}

interface ParsedTag {
  readonly name: string;
  readonly kind: 'opening' | 'closing' | 'empty';
  readonly attributes: string;
}

/** Returns null for text that only begins like a tag. */
function parseTag(tag: string): ParsedTag | null {
  const [, name, attributes = '', slash] = openingTag.exec(tag) ?? [];
  if (name !== undefined) return { name, kind: slash === '/' ? 'empty' : 'opening', attributes };
  const closed = closingTag.exec(tag)?.[1];
  return closed === undefined ? null : { name: closed, kind: 'closing', attributes: '' };
}

function repeatsAttribute(attributes: string): boolean {
  const names = Array.from(attributes.matchAll(attributeName), ([, name]) => name);
  return new Set(names).size < names.length;
}

/**
 * Marks text from outside the vault line by line, so that it always reads as quoted (K11).
 * @param source where the text comes from, such as an address or a server's name
 */
export function untrusted(source: string, text: string): Element {
  return element('untrusted', { source }, markLines(text));
}
