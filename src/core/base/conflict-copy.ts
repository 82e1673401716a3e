/**
 * Conflict copies: names that sync services give to the second version of a file when two devices changed it. Names are
 * compared without folders; a copy is next to its original.
 */
import { lazy } from './lazy';

/** Marks that only a sync service writes, each before the ending of the name. */
const sureMarks: readonly RegExp[] = [
  // Syncthing, with the day, the time, and the device.
  /\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?$/i,
  // Obsidian Sync, Dropbox, iCloud, and Nextcloud, with a device, a person, or a day.
  / \((?:[^\n]{0,120}[ ’'])?conflicted copy(?: [^\n]{0,120})?\)$/i,
  // ownCloud, Seafile, and Resilio.
  /_conflict-\d{8}-\d{6}$/i,
  / \(SFConflict [^()\n]{1,120}\)$/i,
  /\.Conflict$/,
  // OneDrive, with the name that Windows gives to a new device.
  /-(?:DESKTOP|LAPTOP)-[A-Z0-9]{7}$/,
];

/** Marks that people write as well: a number, as iCloud and Google Drive add it, or any device, as OneDrive does. */
const likelyMarks = lazy(() => [/ \d{1,3}$/, / \(\d{1,3}\)$/, /-[\p{L}\d][\p{L}\d_ -]{0,62}$/u]);

/** What each sure mark has in it, to pass over nearly all names at once. */
const hint = /conflict|-(?:DESKTOP|LAPTOP)-/i;

/** Characters of a name; a longer one is none that a disk takes. */
const maxName = 255;

/** Returns the name of the file that this one is a conflict copy of, whether or not it exists; null for any other name. */
export function originalOf(name: string): string | null {
  const [base, ending] = split(name);
  const mark =
    name.length > maxName || !hint.test(name)
      ? null
      : sureMarks.map((each) => each.exec(base)).find((found) => found !== null);
  return mark == null || mark.index === 0 ? null : base.slice(0, mark.index) + ending;
}

/** Whether a file next to one of Docent’s own files is a conflict copy of it, also by a mark that people write. */
export function isConflictCopyOf(name: string, own: string): boolean {
  if (originalOf(name) === own) return true;
  const [base, ending] = split(own);
  if (!name.startsWith(base) || !name.endsWith(ending) || name.length <= own.length) return false;
  const mark = name.slice(base.length, name.length - ending.length);
  return likelyMarks().some((each) => each.exec(mark)?.index === 0);
}

/** Returns the conflict copies among these paths whose originals are there too, by the path of the original. */
export function conflictCopiesIn(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const copies = new Map<string, string[]>();
  for (const path of paths) {
    const start = path.lastIndexOf('/') + 1;
    const original = originalOf(path.slice(start));
    if (original === null) continue;
    const place = path.slice(0, start) + original;
    copies.set(place, [...(copies.get(place) ?? []), path]);
  }
  if (copies.size === 0) return copies;
  const there = new Set(paths);
  return new Map([...copies].filter(([original]) => there.has(original)));
}

/** Returns a name without its ending, and the ending with its dot. */
function split(name: string): readonly [string, string] {
  const dot = name.lastIndexOf('.');
  const isEnding = dot > 0 && /^\.[a-z\d]{1,8}$/i.test(name.slice(dot)) && name.slice(dot) !== '.Conflict';
  return isEnding ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
}
