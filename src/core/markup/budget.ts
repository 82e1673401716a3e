/** Token budgets for text: estimating, sharing a budget, truncating, and outlines. */
import { endOf, startOf } from '../base/cut';
import type { Tokenizer } from '../ports/model';
import { toolNames } from './variables';

/** Returns a share of the context window in tokens, up to a maximum. */
export function tokensFor(window: number, share: number, max: number): number {
  return Math.floor(Math.min(window * share, max));
}

const lettersPerToken = 7;
const digitsPerToken = 3;

/**
 * Estimates the tokens of names and headings once they are written as markup, erring on the high side: a count by bytes
 * is too low by half where there are dates or ids. Against o200k_base: +4 to +20 % on names, prose and Chinese, up to
 * +45 % on Cyrillic.
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

/** Tokens of a hidden character written as `[U+200B]`. */
const shownTokens = 7;

/**
 * Returns the tokens of a character that is neither an ASCII letter nor a digit; a space belongs to the word after it.
 */
function costOf(code: number): number {
  if (code === 0x20) return 0;
  if (isHidden(code)) return shownTokens;
  if (code < 0x80) return 1;
  const isAlphabet = code < 0x2000;
  const isCharacter = code >= 0x2e80 && code < 0xd800;
  return isAlphabet ? 0.5 : isCharacter ? 0.8 : 1;
}

/** Roughly the characters that markup makes visible; a high surrogate represents the block of tag characters. */
function isHidden(code: number): boolean {
  return (
    (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) ||
    (code >= 0x7f && code <= 0x9f) ||
    code === 0x200b ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2061 && code <= 0x206f) ||
    code === 0xdb40
  );
}

/** Accepts texts until the budget is used up. */
export class Meter {
  /** @param left tokens */
  constructor(private left: number) {}

  /** Returns false, from then on, once a text and its line ending did not fit. */
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

export interface CutText {
  readonly text: string;
  /** Whether anything was omitted. */
  readonly cut: boolean;
}

const bytesPerToken = 4;

/** Truncates a text to a number of tokens, counted as four bytes of UTF-8 each. */
export function cutToTokens(text: string, tokens: number): CutText {
  return cutToBytes(text, Math.max(0, tokens) * bytesPerToken);
}

/**
 * Truncates a text to a number of bytes of UTF-8. Never splits a character, and reads no further than the text it
 * returns.
 */
export function cutToBytes(text: string, maxBytes: number): CutText {
  let used = 0;
  let end = 0;
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0;
    used += bytesOf(code);
    if (used > maxBytes) return { text: text.slice(0, end), cut: true };
    end += code > 0xffff ? 2 : 1;
  }
  return { text, cut: false };
}

/** Returns the tokens of a text by the same rule, rounded up. */
export function tokensByRule(text: string): number {
  return Math.ceil(countBytes(text, 0, text.length) / bytesPerToken);
}

/** Returns the bytes of UTF-8 between two offsets, neither of which is within a character. */
export function countBytes(text: string, from: number, to: number): number {
  let bytes = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += 1;
    else {
      const point = text.codePointAt(at) ?? 0;
      bytes += bytesOf(point);
      if (point > 0xffff) at += 1;
    }
  }
  return bytes;
}

/** Returns the bytes of a code point in UTF-8. */
function bytesOf(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

export type Measure = Pick<Tokenizer, 'count'>;

/**
 * Shares a budget among texts. No text gets more than it needs; what small ones leave is split equally among the
 * others.
 */
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

/** Tokens of the marker for omitted text. */
const markerTokens = 16;

/**
 * Truncates a text to the tokens, at the end of a line if possible and never within a character, and appends a marker.
 * @param how how to get the rest, if the model can
 * @param size the text's tokens, which take long to count again
 */
export function trimText(
  text: string,
  tokens: number,
  measure: Measure,
  how?: string,
  size = measure.count(text),
): string {
  if (size <= tokens) return text;
  const cut = maxStart(text, tokens - markerTokens, measure, size);
  const line = cut.lastIndexOf('\n');
  const shown = line > cut.length / 2 ? cut.slice(0, line + 1) : cut;
  const left = text.length - shown.length;
  return `${shown}${shown === '' || shown.endsWith('\n') ? '' : '\n'}[… ${left} more characters${how === undefined ? '' : `; ${how}`}.]`;
}

/** Returns a title and as many names as fit, on one line, with the number of those that do not; else their number. */
export function namesWithin(
  title: string,
  named: readonly { readonly name: string }[],
  tokens: number,
  measure: Measure,
): string {
  const line = (shown: number): string => {
    const names = named.slice(0, shown).map(({ name }) => name);
    const left = named.length - shown;
    if (shown === 0) return `${title} ${left}`;
    return `${title} ${names.join(', ')}${left > 0 ? ` … and ${left} more` : ''}`;
  };
  return line(findMax(named.length, (shown) => measure.count(line(shown)) <= tokens));
}

/** Returns the longest start of a text within the tokens, to a step of the text, never with half a character. */
function maxStart(text: string, tokens: number, measure: Measure, size: number): string {
  const start = (length: number): string => startOf(text, length);
  return start(maxLength(text.length, tokens, (length) => measure.count(start(length)), size));
}

/** Long texts are cut at one of this many places, so that few counts find the place. */
const maxPlaces = 4_096;

/**
 * Returns the maximum length whose count is within the tokens, by interpolation: counting a part of a long text is slow,
 * and a count that is only estimated at first leads to other parts once it is exact.
 */
function maxLength(length: number, tokens: number, count: (length: number) => number, all = count(length)): number {
  if (all <= tokens) return length;
  const step = Math.ceil(length / maxPlaces);
  let [low, lowTokens] = [0, 0];
  let [high, highTokens] = [Math.ceil(length / step), all];
  for (let probe = 1; high - low > 1; probe += 1) {
    const share = (tokens - lowTokens) / (highTokens - lowTokens);
    // Each third time in the middle, for texts whose parts differ much.
    const place = probe % 3 === 0 ? (low + high) >> 1 : low + Math.floor(share * (high - low));
    const probed = Math.min(high - 1, Math.max(low + 1, place));
    const tokensThere = count(probed * step);
    if (tokensThere <= tokens) [low, lowTokens] = [probed, tokensThere];
    else [high, highTokens] = [probed, tokensThere];
  }
  return low * step;
}

const maxLines = 40;
const lineLength = 100;

/**
 * Returns a text's outline, for when its full text does not fit: its headings, or the first words of each paragraph if
 * it has none.
 */
export function outlineText(text: string): string {
  const lines = text.split('\n');
  const headings = lines.filter((line) => /^#{1,6}\s/.test(line));
  const starts =
    headings.length > 0 ? headings : lines.filter((line, at) => line.trim() !== '' && !lines[at - 1]?.trim());
  const rows = starts.slice(0, maxLines).map((line) => startOf(line, lineLength));
  return starts.length > maxLines ? [...rows, '…'].join('\n') : rows.join('\n');
}

/** Replaces what an outline omits from a note; every chat has this tool, at each level and in each permission mode. */
export const noteNotShown = `[Not shown to save tokens. Call ${toolNames.readNote} for its text.]`;

export function outlineNote(text: string): string {
  return `${outlineText(text)}\n${noteNotShown}`;
}

/** Share of the tokens for the start; the end, where results are, gets the rest. */
const headShare = 0.2;

/** Minimum lines at the end, however long they are, up to the cap itself. */
export const minTailLines = 30;

/**
 * Returns the characters to send from the start and the end of a long text; null for a text within the cap. The full
 * text stays available through a handle (R243, K35).
 * @param cap tokens, without the marker that replaces the middle
 */
export function cutMiddle(
  text: string,
  cap: number,
  measure: Measure,
): { readonly head: number; readonly tail: number } | null {
  if (text.length <= cap) return null;
  const size = measure.count(text);
  if (size <= cap) return null;
  const head = startWithin(text, Math.floor(cap * headShare), measure, size).length;
  const tail = endWithin(text.slice(head), cap - Math.floor(cap * headShare), measure).length;
  return head + tail >= text.length ? null : { head, tail };
}

/** Returns the longest start of whole lines within the tokens, or part of the first line if that is too long. */
function startWithin(text: string, tokens: number, measure: Measure, size: number): string {
  const cut = maxStart(text, tokens, measure, size);
  const lineEnd = cut.lastIndexOf('\n');
  return lineEnd === -1 ? cut : cut.slice(0, lineEnd + 1);
}

/**
 * Returns the longest end within the tokens, from the start of a line if at least the minimum number of lines remains.
 */
function endWithin(text: string, tokens: number, measure: Measure): string {
  const end = (length: number): string => endOf(text, length);
  const cut = end(maxLength(text.length, tokens, (length) => measure.count(end(length))));
  const lineStart = cut.indexOf('\n') + 1;
  const fromLine = cut.slice(lineStart);
  return lineStart > 0 && fromLine.split('\n').length >= minTailLines ? fromLine : cut;
}

/** Returns the maximum size that passes the test, given that all smaller ones pass it. */
function findMax(limit: number, holds: (size: number) => boolean): number {
  let low = 0;
  let high = limit;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
