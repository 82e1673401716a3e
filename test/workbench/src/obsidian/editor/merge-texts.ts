/** Joins two edits of one text when they touch different places. */

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** The one replaced range that turns `before` into `after`. */
export function findEdit(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let tail = 0;
  while (
    tail < shorter - from &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1;
  }
  return { from, to: before.length - tail, text: after.slice(from, after.length - tail) };
}

/** Null when both sides changed the same stretch. */
export function mergeTexts(base: string, mine: string, theirs: string): string | null {
  if (mine === theirs) return mine;
  const ours = findEdit(base, mine);
  const other = findEdit(base, theirs);
  const [first, second] = ours.from <= other.from ? [ours, other] : [other, ours];
  if (second.from < first.to || (second.from === first.from && second.to === first.to)) return null;
  return (
    base.slice(0, first.from) + first.text + base.slice(first.to, second.from) + second.text + base.slice(second.to)
  );
}
