/** Merges two texts that came from one, line by line; where both changed the same lines there is no merge. */
import { diff3MergeRegions } from 'node-diff3';

/** Lines that are compared at most, so that no merge holds up the app. */
const mostLines = 20_000;

/**
 * @param mine the text as it stands
 * @param base what both came from
 * @param theirs the text as it should become
 * @returns null when both changed the same place
 */
export function mergeTexts(mine: string, base: string, theirs: string): string | null {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  const [a, o, b] = [linesOf(mine), linesOf(base), linesOf(theirs)];
  const head = sharedCount(a, o, b, (list, index) => list[index]);
  const room = Math.min(a.length, o.length, b.length) - head;
  const tail = Math.min(
    room,
    sharedCount(a, o, b, (list, index) => list[list.length - 1 - index]),
  );
  const middle = (list: string[]): string[] => list.slice(head, list.length - tail);
  const [x, y, z] = [middle(a), middle(o), middle(b)];
  if (Math.max(x.length, y.length, z.length) > mostLines) return null;
  const merged: string[] = [];
  for (const region of diff3MergeRegions(x, y, z)) {
    const lines = region.stable ? region.bufferContent : joinLines(region.aContent, region.oContent, region.bContent);
    if (lines === null) return null;
    merged.push(lines.join(''));
  }
  return o.slice(0, head).join('') + merged.join('') + (tail === 0 ? '' : o.slice(o.length - tail).join(''));
}

/** Both at one place: the same change, or lines added right beside lines that the other changed. */
function joinLines(a: readonly string[], o: readonly string[], b: readonly string[]): readonly string[] | null {
  if (isSame(a, b)) return a;
  return addAround(a, o, b) ?? addAround(b, o, a);
}

/** Null unless the first holds all lines of the base once, in one piece, and only adds to them. */
function addAround(
  added: readonly string[],
  base: readonly string[],
  changed: readonly string[],
): readonly string[] | null {
  if (base.length === 0) return null;
  const room = added.length - base.length;
  const places = Array.from({ length: Math.max(0, room + 1) }, (_, at) => at).filter((at) =>
    isSame(added.slice(at, at + base.length), base),
  );
  const [at] = places;
  if (at === undefined || places.length > 1) return null;
  return [...added.slice(0, at), ...changed, ...added.slice(at + base.length)];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

/** Lines with their ends, so that joining them gives the text back. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function sharedCount(
  a: readonly string[],
  o: readonly string[],
  b: readonly string[],
  at: (list: readonly string[], index: number) => string | undefined,
): number {
  const most = Math.min(a.length, o.length, b.length);
  let count = 0;
  while (count < most && at(a, count) === at(o, count) && at(o, count) === at(b, count)) count += 1;
  return count;
}
