/** Finds formulas with so many groups inside one another that an app may end when it draws them. In linear time. */

/** Far more than people write; the browser ends at about a hundred. */
const maxDepth = 40;

/** Marks of a group that begins or ends, and what is no mark for its backslash. */
const marks = /\\(begin|left|end|right)(?![a-z])|\\[\s\S]|[{}]/g;
const opening: ReadonlySet<string> = new Set(['{', 'begin', 'left']);
const closing: ReadonlySet<string> = new Set(['}', 'end', 'right']);

/** Characters of a passage. */
const maxPassage = 200;

/** Returns the start of each such passage, from its outermost group on. Every text is read as a formula. */
export function deepFormulasIn(text: string): string[] {
  const found: string[] = [];
  let [depth, start, deepest] = [0, 0, 0];
  for (const { 0: whole, 1: command, index } of text.matchAll(marks)) {
    const mark = command ?? whole;
    if (opening.has(mark)) {
      if (depth === 0) [start, deepest] = [index, 0];
      depth += 1;
      if (depth === maxDepth + 1 && deepest < depth) found.push(text.slice(start, start + maxPassage));
      deepest = Math.max(deepest, depth);
    } else if (closing.has(mark)) depth = Math.max(0, depth - 1);
  }
  return found;
}
