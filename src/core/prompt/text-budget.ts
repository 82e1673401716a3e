/** Text budgets: how much of a window a listing may take, and the measuring of text against it while it is made. */
import { write } from './markup';

/** Tokens for a share of the window, and never more than a number of them. */
export function tokensFor(window: number, share: number, most: number): number {
  return Math.floor(Math.min(window * share, most));
}

/**
 * Tokens that a text of names and headings takes once it is written as markup, estimated from above: a count by bytes
 * is too low by half where there are dates or ids. Against o200k_base: +4 to +20 % on names, prose and Chinese,
 * up to +45 % on Cyrillic.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [run] of write([text]).text.matchAll(/[A-Za-z]+|[0-9]+|[^A-Za-z0-9 ]/g)) tokens += costOf(run);
  return Math.ceil(tokens);
}

const lettersPerToken = 7;
const digitsPerToken = 3;

function costOf(run: string): number {
  const code = run.charCodeAt(0);
  if (code >= 0x30 && code <= 0x39) return Math.ceil(run.length / digitsPerToken);
  if (code < 0x80) return Math.ceil(run.length / lettersPerToken);
  const isAlphabet = code < 0x2000;
  const isCharacter = code >= 0x2e80 && code < 0xd800;
  return isAlphabet ? 0.5 : isCharacter ? 0.8 : 1;
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
