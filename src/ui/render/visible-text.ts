/** Makes characters that the eye cannot see, or that reorder a line, visible as codes. */

/** Controls, format and tag characters, line separators, lone surrogates, and letters without a shape. */
export const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{e0000}-\u{e0fff}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/u;
const UNSEEN_GLOBAL = new RegExp(UNSEEN.source, 'gu');

export function hasUnseenCharacters(text: string): boolean {
  return UNSEEN.test(text);
}

export function showUnseenCharacters(text: string): string {
  return text.replace(UNSEEN_GLOBAL, (character) => `{U+${codeOf(character)}}`);
}

/** The text cut to a length, with the number of characters left out. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (+${text.length - limit})`;
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
