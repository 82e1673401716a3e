/** Text budgets: how much of a window a listing may take, and the measuring of text against it while it is made. */

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
