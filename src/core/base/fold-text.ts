import { isAscii } from './fold-place';

/** Returns the text in lowercase, without accents, in one Unicode form. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(marks, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u00e6\u0153\u00f8\u00df\u0111\u00f0\u00fe\u0142\u0131]/g, (letter) => singles[letter] ?? letter);
}

/**
 * Combining marks of Latin, Greek, Cyrillic, Hebrew, and Arabic. Marks of other scripts are letters there, so they
 * stay.
 */
const marks = new RegExp(
  '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a' +
    '\\u064b-\\u065f\\u0670\\u06d6-\\u06dc]|[\\u00ad\\u0640\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069]|[\\ufe0e\\ufe0f]',
  'g',
);

/** Letters that Unicode does not decompose. */
const singles: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};

/** Folds text to one spelling for letters that differ only in case, accent, width, or pointing. */

/** Returns the pairs of adjacent characters, for comparing names by what they share. */
export function pairsOf(text: string): Set<string> {
  const characters = Array.from(` ${foldText(text)} `);
  return new Set(characters.slice(1).map((character, index) => (characters[index] ?? '') + character));
}
