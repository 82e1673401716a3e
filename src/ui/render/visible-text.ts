/** Makes characters that the eye cannot see, or that reorder a line, visible as codes. */

/** Controls, zero-width and bidirectional marks, tag characters, line separators, lone surrogates. */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff]|[\u{e0000}-\u{e0fff}]/u;
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
