/** Tokenizer extensions for what Obsidian adds to Markdown: wikilinks, embeds, highlights and math. */
import type { Tokens, TokenizerThis } from 'marked';

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

const WIKILINK = /^(!?)\[\[([^[\]|\n]{1,500})(?:\|([^[\]\n]{0,500}))?\]\]/;
const HIGHLIGHT = /^==(?![\s=])((?:[^=\n]|=(?!=)){1,2000})==(?!=)/;
const INLINE_MATH = /^\$(?![\s$])((?:\\[^\n]|[^$\\\n]){1,1000})\$(?!\d)/;
const DISPLAY_MATH = /^\$\$((?:\\[\s\S]|[^$\\]|\$(?!\$)){1,10000})\$\$/;
const MATH_BLOCK = /^ {0,3}\$\$((?:\\[^\n]|[^$\\\n]|\$(?!\$)|\n(?![ \t]*\n)){1,10000})\$\$[ \t]*(?:\n|$)/;
const MATH_BLOCK_START = /\n {0,3}\$\$/g;
/** What emphasis marks inside must not be seen: links between double brackets, and formulas. */
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
  const display = DISPLAY_MATH.exec(source);
  if (display?.[1]?.trim()) return { type: 'math', raw: display[0], source: display[1].trim(), display: true };
  const inline = INLINE_MATH.exec(source);
  if (!inline?.[1] || /\s$/.test(inline[1])) return undefined;
  return { type: 'math', raw: inline[0], source: inline[1], display: false };
}

function readMathBlock(source: string): MathToken | undefined {
  const match = MATH_BLOCK.exec(source);
  if (!match?.[1]?.trim()) return undefined;
  return { type: 'math', raw: match[0], source: match[1].trim(), display: true };
}

/** Where the next formula between paragraphs begins, so that a paragraph ends before it. */
function findMathBlock(source: string): number {
  for (const match of source.matchAll(MATH_BLOCK_START)) {
    if (readMathBlock(source.slice(match.index + 1))) return match.index + 1;
  }
  return -1;
}

export const obsidianSyntax = {
  renderers: {},
  childTokens: {},
  block: [readMathBlock],
  startBlock: [findMathBlock],
  inline: [readWikilink, readHighlight, readMath],
  startInline: [(source: string) => source.indexOf('=='), (source: string) => source.indexOf('$')],
};

/** Same length, with the inside of links and formulas hidden from the search for emphasis. */
export function maskOpaqueText(source: string): string {
  if (!source.includes('[[') && !source.includes('$')) return source;
  return source.replace(OPAQUE, (match) => 'a'.repeat(match.length));
}
