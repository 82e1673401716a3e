/** Where a long text is cut to its beginning and its end; all of it stays within reach through a handle (R243, K35). */
import type { Tokenizer } from '../../ports/model';

/** Share of the tokens that goes to the beginning; the end, where results stand, gets the rest. */
const headShare = 0.2;

/** Lines at the end that are kept however long they are, up to the cap itself. */
export const leastTailLines = 30;

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
    (length) => tokenizer.count(wholeStart(text.slice(text.length - length))) <= tokens,
  );
  const cut = wholeStart(text.slice(text.length - size));
  const lineStart = cut.indexOf('\n') + 1;
  const fromLine = cut.slice(lineStart);
  return lineStart > 0 && fromLine.split('\n').length >= leastTailLines ? fromLine : cut;
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

/** Without half of a pair at the end. */
function wholePoints(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

/** Without half of a pair at the start. */
function wholeStart(text: string): string {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}
