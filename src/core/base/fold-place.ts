/** Compares places as disks do: two spellings that any common file system takes for one file have one key. */

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
    .replace(ignored, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/\u03c2/g, '\u03c3')
    .normalize('NFC');
}

/** Characters that HFS+ and ext4 skip when they compare names. */
const ignored = /\p{Default_Ignorable_Code_Point}/gu;

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
