/** Turns Markdown into tokens: the only place that knows the tokenizer library, with its behavior pinned. */
import { Hooks, Lexer, type Links, type Token, Tokenizer, type TokenizerThis, type Tokens } from 'marked';

/** Reference definitions by normalized label; without a prototype, since labels are free text. */
export type Definitions = Links;

export interface TokenizedBlock {
  readonly tokens: readonly Token[];
  /** The definitions that this block itself contains. */
  readonly definitions: Definitions;
  /** Returns the tokens of inline text; labels that it may refer to are added to `labels`. */
  readonly inline: (text: string) => Token[];
  /** Normalized labels between brackets in the inline text seen so far. */
  readonly labels: ReadonlySet<string>;
}

// Limits that keep the time to draw a text proportional to its length, for any text.

/** Characters. Longer texts are shown as they are, without Markdown. */
export const TEXT_LIMIT = 1_100_000;
/** Maximum depth of nested quotes, lists, and texts of footnotes. */
export const NESTING_LIMIT = 20;
/** Maximum depth of nested emphasis, links, and highlights. */
export const INLINE_NESTING_LIMIT = 40;

/** Characters that the block tokenizer may read in one block, each counted as often as it is read. */
const BLOCK_WORK_LIMIT = 8_000_000;

/** Cells of a table. Laying out one of 150,000 cells takes seconds. */
export const CELL_LIMIT = 20_000;

/** Cells that a table may have beyond one for each of its characters, and of these for each character. */
const UNWRITTEN_CELLS = 1_000;
const UNWRITTEN_SHARE = 3;

/** Characters of the destination of a definition, which each link that refers to it has for itself. */
const DESTINATION_LIMIT = 2_000;

const INLINE_CHARACTER_LIMIT = 1_000;
const INLINE_WORK_LIMIT = 4_000_000;
const ACTIVE_CHARACTERS = /[\\`*_~[\]()<!&@=$:]|www\./g;
const CONTAINER_MARKER = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)|\[\^[^\s[\]^]{1,100}\]:)/y;
const RULE_OF_MARKERS = /^[ \t]*([-*])[ \t]*(?:\1[ \t]*)+$/;

const QUOTE_START = /^ {0,3}>/;

/** Thrown for a block that would take the tokenizer more than linear time. */
export class TooMuchWork extends Error {}

/** Treats HTML as text and footnotes as no link definitions, and counts the work. */
class TextTokenizer extends Tokenizer {
  private work = 0;

  constructor(private readonly plain: (masked: string) => string) {
    super();
  }

  /** The block lexer calls this first for every step, so it counts each of them. */
  override space(source: string): Tokens.Space | undefined {
    this.work += source.length;
    if (this.work > BLOCK_WORK_LIMIT) throw new TooMuchWork();
    return super.space(source);
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    if (!QUOTE_START.test(source)) return undefined;
    // A quote is read again from each line that continues it without a marker.
    const [paragraph = ''] = source.split(/\n[ \t]*\n/, 1);
    const lines = paragraph.split('\n');
    const lazy = lines.filter((line) => !QUOTE_START.test(line)).length;
    this.work += lines.length * lazy;
    return super.blockquote(source);
  }

  override table(source: string): Tokens.Table | undefined {
    const [raw = '', header = '', , rows = ''] = this.rules.block.table.exec(source) ?? [];
    // Every row gets as many cells as the header has, written or not: short lines would make millions of them.
    const cells = countOf('|', header) * countOf('\n', rows);
    const written = raw.length + Math.min(UNWRITTEN_CELLS, UNWRITTEN_SHARE * raw.length);
    if (cells > Math.min(written, CELL_LIMIT)) throw new TooMuchWork();
    return super.table(source);
  }

  override code(source: string): Tokens.Code | undefined {
    return this.withTabs(super.code(source));
  }

  override fences(source: string): Tokens.Code | undefined {
    return this.withTabs(super.fences(source));
  }

  private withTabs(token: Tokens.Code | undefined): Tokens.Code | undefined {
    return token && { ...token, text: this.plain(token.text) };
  }

  override lheading(source: string): Tokens.Heading | undefined {
    const token = super.lheading(source);
    if (token?.text.includes('$$') !== true) return token;
    // A line of `=` or `-` inside of a formula underlines nothing.
    const formula = findMathBlock(source);
    return formula !== -1 && formula < token.raw.length ? undefined : token;
  }

  override html(): undefined {
    return undefined;
  }

  override tag(source: string): Tokens.Tag | undefined {
    const raw = this.rules.inline.tag.exec(source)?.[0];
    if (raw === undefined) return undefined;
    return { type: 'html', raw, text: raw, block: false, inLink: false, inRawBlock: false };
  }

  override def(source: string): Tokens.Def | undefined {
    const token = super.def(source);
    if (token === undefined || token.tag.startsWith('^') || token.href.length > DESTINATION_LIMIT) return undefined;
    return token;
  }
}

/** A character that is none, for a tab in code: at the start of a line in a list, the tokenizer makes spaces of tabs. */
const MASKED_TAB = '\ufdd0';
const CODE_FENCE = /^((?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*[ \t]*)(`{3,}(?=[^`]*$)|~{3,})/;

interface CodeFence {
  readonly column: number;
  readonly marker: string;
}

/** Masks the tabs with which lines of fenced code begin, behind the column of the fence. */
function maskTabs(source: string): string {
  if (!source.includes('\t') || source.includes(MASKED_TAB)) return source;
  let fence: CodeFence | null = null;
  const lines: string[] = [];
  for (const line of source.split('\n')) {
    const after = fenceAfter(line, fence);
    const start: number = fence !== null && after === fence ? endOfColumns(line, fence.column) : -1;
    const masked = line.slice(start).replace(/^[ \t]+/, (white) => white.replaceAll('\t', MASKED_TAB));
    lines.push(start === -1 ? line : line.slice(0, start) + masked);
    fence = after;
  }
  return lines.join('\n');
}

/** Returns the fence that is open after a line; null for none. */
function fenceAfter(line: string, fence: CodeFence | null): CodeFence | null {
  const [whole = '', before = '', marker] = CODE_FENCE.exec(line) ?? [];
  if (fence !== null && (line.trim() === '' || endOfColumns(line, fence.column) !== -1)) {
    const isEnd = marker?.startsWith(fence.marker) === true && line.trim() === whole.trim();
    return isEnd ? null : fence;
  }
  return marker === undefined ? null : { column: columnsOf(before), marker };
}

function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns = columnAfter(character, columns);
  return columns;
}

/** Returns where the white space ends that reaches to a column; -1 if that of the line does not. */
function endOfColumns(line: string, column: number): number {
  let at = 0;
  for (let reached = 0; reached < column; at += 1) {
    if (!/[ \t]/.test(line.charAt(at))) return -1;
    reached = columnAfter(line.charAt(at), reached);
  }
  return at;
}

function columnAfter(character: string, column: number): number {
  return column + (character === '\t' ? 4 - (column % 4) : 1);
}

class OpaqueText extends Hooks {
  override emStrongMask(source: string): string {
    return maskOpaqueText(source);
  }
}

/** Tokenizes one block; `known` are the definitions of earlier blocks, which take precedence over its own. */
export function tokenizeBlock(source: string, known: Definitions): TokenizedBlock {
  const masked = maskTabs(source);
  const plain = (text: string): string => (masked === source ? text : text.replaceAll(MASKED_TAB, '\t'));
  const lexer = new Lexer({
    gfm: true,
    breaks: true,
    tokenizer: new TextTokenizer(plain),
    hooks: new OpaqueText(),
    extensions: obsidianSyntax,
  });
  const tokens = lexer.blockTokens(masked, lexer.tokens);
  // The writer tokenizes inline text when it gets there; the lexer's own queue would do it a second time.
  lexer.inlineQueue = [];
  const definitions = lexer.tokens.links;
  const hasOwn = Object.keys(definitions).length > 0;
  lexer.tokens.links = hasOwn ? Object.assign(noDefinitions(), definitions, known) : known;

  const labels = new Set<string>();
  const inline = (written: string): Token[] => {
    const text = plain(written);
    collectLabels(text, labels);
    return tokenizeInline(lexer, text);
  };
  return { tokens, definitions, inline, labels };
}

export function noDefinitions(): Definitions {
  return Object.create(null) as Definitions;
}

/** Tokenizes dense text line by line, long formulas apart; a line that is still too dense becomes plain text. */
function tokenizeInline(lexer: Lexer, text: string): Token[] {
  const tokens: Token[] = [];
  let rest = text;
  // Not counted again for each formula, of which a text may have thousands.
  let active = countActive(text);
  while (isTooDense(active, rest.length)) {
    const formula = findLongFormula(rest);
    if (formula === null) return tokens.concat(tokenizeLines(lexer, rest));
    const { start, token } = formula;
    const end = start + token.raw.length;
    for (const each of tokenizeInline(lexer, rest.slice(0, start))) tokens.push(each);
    tokens.push(token);
    active -= countActive(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return tokens.concat(lexer.inlineTokens(rest));
}

function tokenizeLines(lexer: Lexer, text: string): Token[] {
  if (!text.includes('\n')) return [{ type: 'escape', raw: text, text }];
  return text.split('\n').flatMap((line, index) => {
    const tokens = tokenizeInline(lexer, line);
    return index === 0 ? tokens : [{ type: 'br', raw: '\n' }, ...tokens];
  });
}

/** Characters of a formula that is dense by itself. */
const LONG_FORMULA = 1_000;

function findLongFormula(text: string): { readonly start: number; readonly token: MathToken } | null {
  const signs = /\\[^\n]|\$/g;
  for (let sign = signs.exec(text); sign !== null; sign = signs.exec(text)) {
    // No formula begins at an escaped sign; from each of many, the rest of the line would be searched for its end.
    if (sign[0] !== '$') continue;
    const token = readMath(text.slice(sign.index));
    if (token !== undefined && token.raw.length > LONG_FORMULA) return { start: sign.index, token };
    signs.lastIndex = sign.index + (token?.raw.length ?? 1);
  }
  return null;
}

function collectLabels(text: string, labels: Set<string>): void {
  if (!text.includes('[')) return;
  for (const [, label] of text.matchAll(/\[((?:\\[\s\S]|[^[\]\\]){1,999})\]/g)) {
    if (label !== undefined) labels.add(normalizeLabel(label));
  }
}

function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase();
}

export interface WikilinkToken extends Tokens.Generic {
  type: 'wikilink';
  /** The part before `|`: note, heading, block. */
  target: string;
  alias: string;
  embed: boolean;
}

export interface MathToken extends Tokens.Generic {
  type: 'math';
  source: string;
  display: boolean;
}

/** A reference to a footnote by its label, or a footnote in the line with its text. */
export interface FootnoteToken extends Tokens.Generic {
  type: 'footnote-reference';
  label: string;
  text?: string;
}

/** The text of a footnote, at the start of a line, as blocks of its own. */
export interface FootnoteTextToken extends Tokens.Generic {
  type: 'footnote';
  label: string;
  tokens: Token[];
}

const FOOTNOTE_REFERENCE = /^\[\^([^\s[\]^]{1,100})\](?!:)/;
const INLINE_FOOTNOTE = /^\^\[((?:\\[^\n]|[^[\]\\\n]|\[[^[\]\n]{0,300}\]){1,2000})\]/;
const FOOTNOTE_TEXT =
  /^\[\^([^\s[\]^]{1,100})\]:[ \t]?([^\n]*(?:\n(?!\[\^[^\s[\]^]{1,100}\]:)[^\n]*\S[^\n]*|\n[ \t]*(?=\n(?: {4}|\t)))*)(?:\n|$)/;
const WIKILINK = /^(!?)\[\[([^[\]|\n]{1,500})(?:\|([^[\]\n]{0,500}))?\]\]/;
const HIGHLIGHT = /^==(?![\s=])((?:[^=\n]|=(?!=)){1,2000})==(?!=)/;
const MATH_BLOCK_START = /\n {0,3}\$\$/g;
/** What the search for emphasis must not see: links between double brackets, and formulas. */
const OPAQUE =
  /\[\[[^[\]\n]{1,1000}\]\]|\$\$(?:\\[\s\S]|[^$\\]){1,2000}\$\$|\$(?![\s$])(?:\\[^\n]|[^$\\\n]){1,1000}\$(?!\d)/g;

function readWikilink(source: string): WikilinkToken | undefined {
  const match = WIKILINK.exec(source);
  const target = match?.[2]?.trim();
  if (!match || !target) return undefined;
  const alias = match[3]?.trim() ?? '';
  return { type: 'wikilink', raw: match[0], target: target.replace(/\\$/, ''), alias, embed: match[1] === '!' };
}

function readHighlight(this: TokenizerThis, source: string): Tokens.Generic | undefined {
  const match = HIGHLIGHT.exec(source);
  const text = match?.[1];
  if (!match || text === undefined || /\s$/.test(text)) return undefined;
  return { type: 'highlight', raw: match[0], text, tokens: this.lexer.inlineTokens(text) };
}

function readMath(source: string): MathToken | undefined {
  if (!source.startsWith('$')) return undefined;
  if (source.startsWith('$$')) {
    const end = findDollar(source, 2, true);
    const inside = source.slice(2, Math.max(end, 2)).trim();
    if (inside !== '') return { type: 'math', raw: source.slice(0, end + 2), source: inside, display: true };
  }
  const end = findDollar(source, 1, false);
  const inside = source.slice(1, Math.max(end, 1));
  if (!/^[^\s$](?:.*\S)?$/s.test(inside) || /^\d/.test(source.charAt(end + 1))) return undefined;
  return { type: 'math', raw: source.slice(0, end + 1), source: inside, display: false };
}

function readMathBlock(source: string): MathToken | undefined {
  const start = /^ {0,3}\$\$/.exec(source)?.[0].length;
  if (start === undefined) return undefined;
  const end = findDollar(source, start, true);
  const after = end === -1 ? null : /^[ \t]*(?:\n|$)/.exec(source.slice(end + 2));
  const inside = source.slice(start, Math.max(end, start)).trim();
  if (!after || inside === '') return undefined;
  return { type: 'math', raw: source.slice(0, end + 2 + after[0].length), source: inside, display: true };
}

/** Returns where a formula ends: at a dollar sign in its line, or at two of them before a blank line; -1 for none. */
function findDollar(source: string, from: number, isDisplay: boolean): number {
  for (let at = from; at < source.length; at += 1) {
    const sign = source.charCodeAt(at);
    if (sign === 36 && (!isDisplay || source.charCodeAt(at + 1) === 36)) return at;
    if (sign === 10 && (!isDisplay || /^[ \t]*(?:\n|$)/.test(source.slice(at + 1, at + 200)))) return -1;
    // A sign after a backslash is part of the formula.
    if (sign === 92 && source.charCodeAt(at + 1) !== 10) at += 1;
  }
  return -1;
}

function readFootnoteReference(source: string): FootnoteToken | undefined {
  const match = FOOTNOTE_REFERENCE.exec(source);
  if (match) return { type: 'footnote-reference', raw: match[0], label: match[1] ?? '' };
  const inline = INLINE_FOOTNOTE.exec(source);
  if (!inline?.[1]?.trim()) return undefined;
  return { type: 'footnote-reference', raw: inline[0], label: '', text: inline[1].trim() };
}

function readFootnoteText(this: TokenizerThis, source: string): FootnoteTextToken | undefined {
  const match = FOOTNOTE_TEXT.exec(source);
  if (!match?.[2]?.trim()) return undefined;
  const text = match[2].replace(/\n(?: {4}|\t)/g, '\n');
  return { type: 'footnote', raw: match[0], label: match[1] ?? '', tokens: this.lexer.blockTokens(text, []) };
}

/** Returns where the next formula between paragraphs begins, so that a paragraph ends before it. */
function findMathBlock(source: string): number {
  for (const match of source.matchAll(MATH_BLOCK_START)) {
    if (readMathBlock(source.slice(match.index + 1))) return match.index + 1;
  }
  return -1;
}

/** Tokenizer extensions for what Obsidian adds to Markdown: wikilinks, embeds, highlights, footnotes, and math. */
const obsidianSyntax = {
  renderers: {},
  childTokens: {},
  block: [readMathBlock, readFootnoteText],
  startBlock: [findMathBlock],
  inline: [readWikilink, readHighlight, readMath, readFootnoteReference],
  startInline: [
    (source: string) => source.indexOf('=='),
    (source: string) => source.indexOf('$'),
    (source: string) => source.indexOf('^['),
  ],
};

/** Returns a text of the same length, with the inside of links and formulas masked from the search for emphasis. */
function maskOpaqueText(source: string): string {
  if (!source.includes('[[') && !source.includes('$')) return source;
  return source.replace(OPAQUE, (match) => 'a'.repeat(match.length));
}

/** Whether a block nests quotes, lists, and footnotes deeper than the tokenizer handles in linear time. */
export function nestsTooDeep(source: string): boolean {
  const indents: number[] = [];
  for (const line of source.split('\n')) {
    if (RULE_OF_MARKERS.test(line)) continue;
    const markers = leadingMarkers(line);
    const first = markers[0];
    if (first === undefined) continue;
    while (indents.length > 0 && (indents.at(-1) ?? 0) >= first) indents.pop();
    indents.push(first);
    if (indents.length + markers.length - 1 > NESTING_LIMIT) return true;
  }
  return false;
}

export function countOf(character: string, text: string): number {
  return text.split(character).length - 1;
}

function countActive(text: string): number {
  return text.match(ACTIVE_CHARACTERS)?.length ?? 0;
}

/** Whether a run of inline text is too long and too dense for the tokenizer, whose worst case is quadratic. */
function isTooDense(active: number, length: number): boolean {
  return active > INLINE_CHARACTER_LIMIT || active * length > INLINE_WORK_LIMIT;
}

/** Returns the columns of the markers of quotes, lists, and footnotes that begin a line; stops counting past the limit. */
function leadingMarkers(line: string): number[] {
  const columns: number[] = [];
  CONTAINER_MARKER.lastIndex = 0;
  for (let match = CONTAINER_MARKER.exec(line); match; match = CONTAINER_MARKER.exec(line)) {
    columns.push(match.index + match[0].search(/\S/));
    if (columns.length > NESTING_LIMIT) break;
  }
  return columns;
}
