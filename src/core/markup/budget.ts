/** How much of a text goes in: measuring it, sharing a budget among many, cutting, and the outline in its place. */
import type { Tokenizer } from '../ports/model';

// Text budgets: how much of a window a listing may take, and the measuring of text against it while it is made.

/** Tokens for a share of the window, and never more than a number of them. */
export function tokensFor(window: number, share: number, most: number): number {
  return Math.floor(Math.min(window * share, most));
}

const lettersPerToken = 7;
const digitsPerToken = 3;

/**
 * Tokens that a text of names and headings takes once it is written as markup, estimated from above: a count by bytes
 * is too low by half where there are dates or ids. Against o200k_base: +4 to +20 % on names, prose and Chinese,
 * up to +45 % on Cyrillic.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let letters = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const isDigit = code >= 0x30 && code <= 0x39;
    const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
    digits = isDigit ? digits + 1 : 0;
    letters = isLetter ? letters + 1 : 0;
    if (isDigit) tokens += digits % digitsPerToken === 1 ? 1 : 0;
    else if (isLetter) tokens += letters % lettersPerToken === 1 ? 1 : 0;
    else tokens += costOf(code);
  }
  return Math.ceil(tokens);
}

/** Tokens of an entity such as `&amp;`, and of a hidden character written as `[U+200B]`. */
const entityTokens = 3;
const shownTokens = 7;

/** What a sign costs that is neither a letter nor a digit of ASCII; a space goes with the word after it. */
function costOf(code: number): number {
  if (code === 0x20) return 0;
  if (code === 0x26 || code === 0x3c || code === 0x0d) return entityTokens;
  if (isHidden(code)) return shownTokens;
  if (code < 0x80) return 1;
  const isAlphabet = code < 0x2000;
  const isCharacter = code >= 0x2e80 && code < 0xd800;
  return isAlphabet ? 0.5 : isCharacter ? 0.8 : 1;
}

/** Roughly what markup makes visible; the first half of a pair stands for the block of tag characters. */
function isHidden(code: number): boolean {
  return (
    (code < 0x20 && code !== 0x09 && code !== 0x0a) ||
    (code >= 0x7f && code <= 0x9f) ||
    code === 0xad ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0xdb40 ||
    code === 0xfeff
  );
}

/** Takes texts until the budget is used up. */
export class Meter {
  /** @param left tokens */
  constructor(private left: number) {}

  /** False, for good, once a text did not fit with the line end after it. */
  take(text: string): boolean {
    return this.spend(estimateTokens(text) + 1);
  }

  spend(tokens: number): boolean {
    this.left -= tokens;
    return this.left >= 0;
  }

  hasRoom(tokens: number): boolean {
    return tokens <= this.left;
  }
}

// Cuts a text to a number of tokens by rule: four bytes of UTF-8 a token, the head kept.

export interface CutText {
  readonly text: string;
  /** Whether anything was left out. */
  readonly cut: boolean;
}

const bytesPerToken = 4;

/** Never splits a character, and looks no further than it keeps. */
export function cutToTokens(text: string, tokens: number): CutText {
  const room = Math.max(0, tokens) * bytesPerToken;
  let used = 0;
  let end = 0;
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0;
    used += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (used > room) return { text: text.slice(0, end), cut: true };
    end += code > 0xffff ? 2 : 1;
  }
  return { text, cut: false };
}

/** Tokens of a text by the same rule, rounded up. */
export function tokensByRule(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return Math.ceil(bytes / bytesPerToken);
}

// Fair shares: how much of a budget each of many texts gets, and the part of a text that fits its share.

export interface Measure {
  count(text: string): number;
}

/** No text gets more than it needs; what small ones leave goes to the others in equal parts. */
export function fairShares(sizes: readonly number[], budget: number): number[] {
  const shares = sizes.map(() => 0);
  let left = Math.max(0, budget);
  const bySize = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size || a.index - b.index);
  bySize.forEach(({ size, index }, done) => {
    const share = Math.min(size, Math.floor(left / (bySize.length - done)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}

/** Tokens of the words that stand for what was left out. */
export const markerTokens = 16;

/** The beginning of a text within the tokens, whole lines where it can be, never half a character; with a marker. */
export function trimText(text: string, tokens: number, measure: Measure): string {
  if (measure.count(text) <= tokens) return text;
  const room = tokens - markerTokens;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure.count(wholePoints(text.slice(0, middle))) <= room) low = middle;
    else high = middle - 1;
  }
  const cut = wholePoints(text.slice(0, low));
  const line = cut.lastIndexOf('\n');
  const kept = line > cut.length / 2 ? cut.slice(0, line + 1) : cut;
  const left = text.length - kept.length;
  return `${kept}${kept === '' || kept.endsWith('\n') ? '' : '\n'}[… ${left} more characters; read_note reads on.]`;
}

function wholePoints(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

// The outline of a text: what stands for it where there is no room for all of it.

const maxLines = 40;
const lineLength = 100;

/** Headings, or the first words of each paragraph where there are none. */
export function outlineText(text: string): string {
  const lines = text.split('\n');
  const headings = lines.filter((line) => /^#{1,6}\s/.test(line));
  const starts =
    headings.length > 0 ? headings : lines.filter((line, at) => line.trim() !== '' && !lines[at - 1]?.trim());
  const rows = starts.slice(0, maxLines).map((line) => wholeStart(line.slice(0, lineLength)));
  return starts.length > maxLines ? [...rows, '…'].join('\n') : rows.join('\n');
}

/** Stands in place of what an outline leaves out of a note. */
export const noteNotShown = '[Not shown to save room; read_note gives its text.]';

export function outlineNote(text: string): string {
  return `${outlineText(text)}\n${noteNotShown}`;
}

/** Without half of a pair at its end. */
export function wholeStart(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

// Where a long text is cut to its beginning and its end; all of it stays within reach through a handle (R243, K35).

/** Share of the tokens that goes to the beginning; the end, where results stand, gets the rest. */
const headShare = 0.2;

/** Lines at the end that are kept however long they are, up to the cap itself. */
export const minTailLines = 30;

/**
 * Characters of the beginning and of the end that stay; null for a text within the cap.
 * @param cap tokens, without what stands in place of the middle
 */
export function cutMiddle(
  text: string,
  cap: number,
  tokenizer: Pick<Tokenizer, 'count'>,
): { readonly head: number; readonly tail: number } | null {
  if (text.length <= cap || tokenizer.count(text) <= cap) return null;
  const head = startWithin(text, Math.floor(cap * headShare), tokenizer).length;
  const tail = endWithin(text.slice(head), cap - Math.floor(cap * headShare), tokenizer).length;
  return head + tail >= text.length ? null : { head, tail };
}

/** The longest beginning of whole lines within the tokens; part of a line when even the first is longer. */
function startWithin(text: string, tokens: number, tokenizer: Pick<Tokenizer, 'count'>): string {
  const length = longest(text.length, (size) => tokenizer.count(wholePoints(text.slice(0, size))) <= tokens);
  const cut = wholePoints(text.slice(0, length));
  const lineEnd = cut.lastIndexOf('\n');
  return lineEnd === -1 ? cut : cut.slice(0, lineEnd + 1);
}

/** The longest end within the tokens, from the start of a line where that keeps the least number of lines. */
function endWithin(text: string, tokens: number, tokenizer: Pick<Tokenizer, 'count'>): string {
  const size = longest(
    text.length,
    (length) => tokenizer.count(withoutHalfAtStart(text.slice(text.length - length))) <= tokens,
  );
  const cut = withoutHalfAtStart(text.slice(text.length - size));
  const lineStart = cut.indexOf('\n') + 1;
  const fromLine = cut.slice(lineStart);
  return lineStart > 0 && fromLine.split('\n').length >= minTailLines ? fromLine : cut;
}

/** The largest size for which the test holds, when it holds for all smaller ones. */
function longest(most: number, holds: (size: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Without half of a pair at the start. */
function withoutHalfAtStart(text: string): string {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}
