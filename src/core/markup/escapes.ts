/**
 * Escapes: text is sent as it is, except for what would read as one of Docent's tags and for characters that nobody
 * sees. Each escape is reversible, and what a chat has sent escaped is recorded, so that exactly that is decoded in what
 * the model writes.
 */
import { lazy } from '../base/lazy';
import { type AssistantPart, type Message, textOf } from '../ports/message';
import type { RequestPlan } from '../ports/request-plan';
import { endOfTagName, tags } from './tags';

export interface Written {
  readonly text: string;
  /** Characters that were written as their code point, because nobody sees them and no script needs them. */
  readonly madeVisible: number;
  /** Invisible characters that scripts need, sent as they are. */
  readonly invisible: number;
}

/** Returns a text as it is sent. Whoever cuts a text does so before. */
export function escapeText(text: string): string {
  return makeVisible(escapeTags(text)).text;
}

/** Returns an attribute value as it is sent: nothing in it can end the value. */
export function escapeAttribute(value: string): Written {
  return makeVisible(escapeQuotes(escapeTags(value)));
}

/** Undoes `escapeText`, for a text that is known to be escaped as a whole. */
export function decodeText(escaped: string): string {
  return decodeTags(decodeVisible(escaped));
}

/** Undoes `escapeAttribute`. */
export function decodeAttribute(escaped: string): string {
  const text = decodeVisible(escaped);
  return decodeTags(text.replace(escapedQuote, (found) => quotes[found] ?? removeMark(found)));
}

/** Decides whether a spelling is decoded. */
type Accepts = (spelling: string) => boolean;
const always: Accepts = () => true;

// Tags: the `<` of a tag becomes `&lt;`, and text that reads like this escape gains `amp;`.

const tagStart = /<|&(?:amp;)*lt;/g;
const escapedTag = /&(?:amp;)*lt;/g;

/** Escapes what would read as one of our tags. */
export function escapeTags(text: string): string {
  if (!text.includes('<') && !text.includes('lt;')) return text;
  return text.replace(tagStart, (found, offset: number) => {
    if (endOfTagName(text, offset + found.length) === -1) return found;
    return found === '<' ? '&lt;' : addMark(found);
  });
}

function decodeTags(text: string, accepts: Accepts = always): string {
  if (!text.includes('lt;')) return text;
  return text.replace(escapedTag, (found, offset: number) => {
    const end = endOfTagName(text, offset + found.length);
    if (end === -1 || !accepts(text.slice(offset, end))) return found;
    return found === '&lt;' ? '<' : removeMark(found);
  });
}

function addMark(escape: string): string {
  return `&amp;${escape.slice(1)}`;
}

function removeMark(escape: string): string {
  return `&${escape.slice('&amp;'.length)}`;
}

// Attributes: also quotes, tabs and line ends.

const quotes: Readonly<Record<string, string>> = { '&quot;': '"', '&#9;': '\t', '&#10;': '\n', '&#13;': '\r' };
const quoteEscapes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(quotes).map(([escape, character]) => [character, escape]),
);
const escapedQuote = /&(?:amp;)*(?:quot|#9|#10|#13);/g;

function escapeQuotes(value: string): string {
  return value.replace(/["\t\n\r]|&(?:amp;)*(?:quot|#9|#10|#13);/g, (found) => quoteEscapes[found] ?? addMark(found));
}

// Invisible characters: written as their code point, such as `[U+200B]`; text that reads like this gains a `+`.

/**
 * Control characters, lone surrogates and non-characters, and what hides text from a reader: bidi controls, zero width
 * spaces, fillers, the tag block. Joiners, direction marks, soft hyphens, byte order marks, CR and variation selectors
 * are sent, since scripts, emoji and files need them.
 */
const hidden = new RegExp(
  '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u115f\\u1160\\u180e\\u200b' +
    '\\u202a-\\u202e\\u2061-\\u206f\\u3164\\uffa0\\ufff9-\\ufffb\\ufffe\\uffff\\ud800-\\udfff\\u{e0000}-\\u{e007f}]|\\u17b4|\\u17b5',
  'gu',
);
const neededByScripts = /[\r\u00ad\u061c\u200c-\u200f\u2060\ufeff]|\u034f/g;

/** A fast check that matches every text with such a character: anything outside the common visible ranges. */
const maybeInvisible = new RegExp(
  '[^\\t\\n -~\\u00a0-\\u00ac\\u00ae-\\u02ff\\u0370-\\u061b\\u061d-\\u10ff\\u1e00-\\u200a\\u2010-\\u2029\\u2030-\\u205f' +
    '\\u2070-\\u3163\\u3165-\\ud7ff]',
);

const visibleLike = /\[U\+(?=\+*[0-9A-F]{4,6}\])/g;
const visibleMark = /\[U\+(\+*)([0-9A-F]{4,6})\]/g;

/** Writes each character that must not be sent as its code point in brackets. */
export function makeVisible(text: string): Written {
  const marked = text.includes('[U+') ? text.replace(visibleLike, '[U++') : text;
  if (!maybeInvisible.test(marked)) return { text: marked, madeVisible: 0, invisible: 0 };
  let madeVisible = 0;
  const visible = marked.replace(hidden, (character) => {
    madeVisible += 1;
    return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
  });
  return { text: visible, madeVisible, invisible: visible.match(neededByScripts)?.length ?? 0 };
}

function decodeVisible(text: string, accepts: Accepts = always): string {
  if (!text.includes('[U+')) return text;
  return text.replace(visibleMark, (found, more: string, digits: string) => {
    if (!accepts(found)) return found;
    const code = Number.parseInt(digits, 16);
    if (more !== '') return found.replace('+', '');
    return code > 0x10_ffff ? found : String.fromCodePoint(code);
  });
}

// Untrusted text: each line that is not empty begins with a mark. Lines end wherever a reader may see an end.

const lineMark = '| ';
const lineStart = /(^|[\n\r\v\f\u0085\u2028\u2029])(?=[^\n\r\v\f\u0085\u2028\u2029])/g;
const markedLine = /(^|[\n\r\v\f\u0085\u2028\u2029])(\| [^\n\r\v\f\u0085\u2028\u2029]*)/g;

/** Prefixes each line that is not empty with `| `, so that all of it reads as quoted. */
export function markLines(text: string): string {
  return text.replace(lineStart, `$1${lineMark}`);
}

function unmarkLines(text: string, accepts: Accepts): string {
  if (!text.includes(lineMark)) return text;
  return text.replace(markedLine, (found, end: string, line: string) =>
    accepts(line) ? end + line.slice(lineMark.length) : found,
  );
}

// What was sent escaped: found in the requests themselves, so that nothing has to be recorded when text is written.

const ourTag = lazy(() => new RegExp(`<(${tags.join('|')})((?: [a-z]+="[^"]*")+)>\n`, 'g'));
const attribute = / [a-z]+="([^"]*)"/g;
const untrustedStart = '<untrusted source="';
const untrustedEnd = '\n</untrusted>';

/** Splits a text that was sent into its untrusted elements and everything else. */
function splitUntrusted(text: string): { readonly elements: readonly string[]; readonly rest: readonly string[] } {
  const [elements, rest]: [string[], string[]] = [[], []];
  let end = 0;
  for (let start = text.indexOf(untrustedStart); start !== -1; start = text.indexOf(untrustedStart, end)) {
    const close = text.indexOf(untrustedEnd, start);
    if (close === -1) break;
    rest.push(text.slice(end, start));
    elements.push(text.slice(start, close));
    end = close + untrustedEnd.length;
  }
  return { elements, rest: [...rest, text.slice(end)] };
}

function markedLinesIn(text: string): string[] {
  return text.includes(lineMark) ? [...decodeText(text).matchAll(markedLine)].map(([, , line = '']) => line) : [];
}

/** SentEscapes: the spellings that a chat has sent escaped, and nothing else is decoded. */
export class SentEscapes {
  /** Escaped tags and characters, as they were sent. */
  private readonly spellings = new Set<string>();
  /** Whole attribute values that were sent escaped, with what they spell. */
  private readonly attributes = new Map<string, string>();
  /** Lines of untrusted text with their mark, and lines that were sent with such a mark of their own. */
  private readonly marked = new Set<string>();
  private readonly plain = new Set<string>();

  /** @param used spellings that earlier answers of the chat used, as `used` returned them */
  constructor(used: readonly string[] = []) {
    for (const each of used) (each.startsWith(lineMark) ? this.marked : this.spellings).add(each);
  }

  /** Records what a request sends; the model's own answers in it are not sent escaped. */
  addRequest({ system, messages, tools }: Pick<RequestPlan, 'system' | 'messages' | 'tools'>): void {
    const sent = [system, ...messages.flatMap(sentTexts), ...tools.map(({ description }) => description)];
    for (const text of sent) this.add(text);
    if (this.marked.size > 0) for (const text of sent) this.addPlainLines(text);
  }

  /** Records what a text sends. */
  add(text: string): void {
    const record: Accepts = (spelling) => this.spellings.add(spelling).size > 0;
    const visible = decodeVisible(text, record);
    decodeTags(visible, record);
    if (text.includes('="')) this.addAttributes(text);
    for (const line of splitUntrusted(text).elements.flatMap(markedLinesIn)) this.marked.add(line);
  }

  private addAttributes(text: string): void {
    for (const [, , attributes = ''] of text.matchAll(ourTag())) {
      for (const [, value = ''] of attributes.matchAll(attribute)) {
        const decoded = decodeAttribute(value);
        if (decoded !== value) this.attributes.set(value, decoded);
      }
    }
  }

  private addPlainLines(text: string): void {
    for (const line of splitUntrusted(text).rest.flatMap(markedLinesIn)) {
      if (this.marked.has(line)) this.plain.add(line);
    }
  }

  /** Returns a text of the model with the spellings that were sent escaped decoded. */
  decode(text: string): string {
    return this.decodeAs(text, (each) => this.spellings.has(each) || this.isMarked(each));
  }

  /** Returns the spellings in texts of the model that `decode` would decode. */
  used(texts: readonly string[]): string[] {
    const used = new Set<string>();
    for (const text of texts) {
      this.decodeAs(text, (each) => {
        const isSent = this.spellings.has(each) || this.isMarked(each);
        if (isSent) used.add(each);
        return isSent;
      });
    }
    return [...used];
  }

  private decodeAs(text: string, accepts: Accepts): string {
    const decoded = decodeTags(decodeVisible(text, accepts), accepts);
    return this.marked.size === 0 ? decoded : unmarkLines(decoded, accepts);
  }

  private isMarked(line: string): boolean {
    return this.marked.has(line) && !this.plain.has(line);
  }

  /**
   * Returns the arguments of a tool call with every text in them decoded.
   * @param isName whether a text names a file or a folder as it is, and so stays
   */
  decodeArguments(value: unknown, isName: (text: string) => boolean, depth = 0): unknown {
    const decodeOne = (text: string): string => {
      const decoded = this.attributes.get(text) ?? this.decode(text);
      return decoded === text || isName(text) ? text : decoded;
    };
    if (typeof value === 'string') return decodeOne(value);
    if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
    if (Array.isArray(value)) return value.map((each) => this.decodeArguments(each, isName, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [decodeOne(key), this.decodeArguments(each, isName, depth + 1)]),
    );
  }
}

/** Returns the text of an answer as it is meant, with the escapes decoded that it copied. */
export function textOfAnswer(answer: {
  readonly parts: readonly AssistantPart[];
  readonly escapes?: readonly string[];
}): string {
  return new SentEscapes(answer.escapes).decode(textOf(answer.parts));
}

/** Arguments that are nested deeper are not decoded; no tool takes them. */
const maxDepth = 64;

function sentTexts(message: Message): string[] {
  if (message.role === 'assistant') return [];
  if (message.role === 'tool') return message.parts.map(({ text }) => text);
  return message.parts.flatMap((part) =>
    part.type === 'text' ? [part.text] : [part.label, part.text, part.missingText, part.olderText],
  );
}
