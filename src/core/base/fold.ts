/** Folds spellings that mean the same into one key: of places as disks do, of words as people read them. */

import { lazy } from './lazy';

// Places: two spellings that any common file system takes for one file have one key.

/**
 * Returns one key for all spellings of a path that APFS, HFS+, NTFS, or ext4 with case folding may take for the same
 * file: one Unicode form, full case folding (`ß` is `ss`, `ſ` is `s`), and no characters that are ignored in names. A
 * place that is refused is compared by this key; a place that is granted is not, since another disk keeps the spellings
 * apart. Folding a key again changes nothing.
 */
export function foldPlace(path: string): string {
  if (isAscii(path)) return path.toLowerCase();
  return path
    .normalize('NFD')
    .replace(ignored(), '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/\u03c2/g, '\u03c3')
    .normalize('NFC');
}

/** Characters that HFS+ and ext4 skip when they compare names; the engine takes half a millisecond for the set. */
const ignored = lazy(() => /\p{Default_Ignorable_Code_Point}/gu);

/** Whether a text has only characters that no folding changes but for upper case. */
export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 127) return false;
  }
  return true;
}

/**
 * Whether a place is a path, or a folder above it, in any spelling.
 * @param place a folder if it ends in a slash
 */
export function isAtPlace(place: string, path: string): boolean {
  const [folded, own] = [foldPlace(place), foldPlace(path)];
  return folded.endsWith('/') ? own.startsWith(folded) : own === folded;
}

/** Returns the path of a file or folder after it, or a folder above it, was moved; null if it was not. */
export function pathAfterMove(path: string, from: string, to: string): string | null {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : null;
}

/**
 * Returns a folder after a move of it or of one above it: both places, where a disk that keeps spellings apart may still
 * have the first one.
 */
export function folderAfterMove(folder: string, from: string, to: string): string[] {
  const names = folder.split('/').filter((name) => name !== '');
  const count = from.split('/').length;
  const start = names.slice(0, count).join('/');
  if (foldPlace(start) !== foldPlace(from)) return [folder];
  const moved = [to, ...names.slice(count)].join('/');
  return start === from ? [moved] : [folder, moved];
}

// Words: one spelling for letters that differ only in case, accent, width, or pointing.

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

/** Returns the pairs of adjacent characters, for comparing names by what they share. */
export function pairsOf(text: string): Set<string> {
  const characters = Array.from(` ${foldText(text)} `);
  return new Set(characters.slice(1).map((character, index) => (characters[index] ?? '') + character));
}
