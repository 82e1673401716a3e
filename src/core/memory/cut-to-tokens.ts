/** Cuts a text to a number of tokens by rule: four bytes of UTF-8 a token, the head kept. */

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
