/** Note parts: the lines of a heading's section or of a block, and words that name what is there when it is missing. */
import { words } from '../../text';
import { foldText, pairsOf } from '../base/fold-text';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { NoteStructure, TextHeading } from '../search/passages';

/** One-based lines, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The section of a heading: from its line to the next heading of its level or a higher one. */
export function headingRange(structure: NoteStructure, path: string, asked: string): Outcome<LineRange> {
  const { headings, lines } = structure;
  const at = findHeading(headings, asked);
  const heading = headings[at];
  if (heading === undefined) return fail(headingMissing(headings, path, asked));
  const next = headings.slice(at + 1).find((each) => each.level <= heading.level);
  return succeed({ start: heading.line + 1, end: next?.line ?? lines.length });
}

function findHeading(headings: readonly TextHeading[], asked: string): number {
  const whole = plainHeading(asked);
  const direct = headings.findIndex((heading) => plainHeading(heading.text) === whole);
  if (direct !== -1) return direct;
  const steps = asked
    .split(/\s›\s|#/)
    .map(plainHeading)
    .filter((step) => step !== '');
  if (steps.length < 2) return -1;
  return headings.findIndex(
    (heading, index) => plainHeading(heading.text) === steps.at(-1) && isUnder(headings, index, steps),
  );
}

/** Whether the headings above one hold the steps before the last, in order. */
function isUnder(headings: readonly TextHeading[], index: number, steps: readonly string[]): boolean {
  let level = headings[index]?.level ?? 0;
  let step = steps.length - 2;
  for (let above = index - 1; above >= 0 && step >= 0; above -= 1) {
    const heading = headings[above];
    if (heading === undefined || heading.level >= level) continue;
    level = heading.level;
    if (plainHeading(heading.text) === steps[step]) step -= 1;
  }
  return step < 0;
}

/** As a link to the heading compares it: folded, with signs that links leave out as spaces. */
function plainHeading(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

function headingMissing(headings: readonly TextHeading[], path: string, asked: string): Failure {
  const wanted = pairsOf(asked);
  const shared = (heading: TextHeading): number => [...pairsOf(heading.text)].filter((pair) => wanted.has(pair)).length;
  const near = headings
    .slice(0, 1_000)
    .map((heading) => ({ text: heading.text, score: shared(heading) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 5)
    .map((each) => each.text);
  return {
    kind: 'not-found',
    words: words.tools.headingMissing(asked, path),
    remedy: near.length === 0 ? words.tools.noHeadingsRemedy : words.tools.headingMissingRemedy(near),
  };
}

/** The lines of a block: from the block id back to the empty line before it. */
export function blockRange(text: string, structure: NoteStructure, path: string, asked: string): Outcome<LineRange> {
  const id = asked.trim().replace(/^#?\^/, '');
  const lineAt = (index: number): string => {
    const line = structure.lines[index];
    return line === undefined ? '' : text.slice(line.start, line.end);
  };
  const ids: string[] = [];
  for (let index = 0; index < structure.lines.length; index += 1) {
    const found = /(?:^|\s)\^([A-Za-z0-9-]+)\s*$/.exec(lineAt(index))?.[1];
    if (found === undefined) continue;
    ids.push(`^${found}`);
    if (found.toLowerCase() !== id.toLowerCase()) continue;
    let end = index;
    if (lineAt(index).trim() === `^${found}`) {
      end = index - 1;
      while (end > 0 && lineAt(end).trim() === '') end -= 1;
    }
    let start = Math.max(0, end);
    const isItem = /^\s*(?:[-*+]|\d+[.)])\s/.test(lineAt(start));
    while (!isItem && start > 0 && !/^\s*$|^#{1,6}\s/.test(lineAt(start - 1))) start -= 1;
    return succeed({ start: start + 1, end: index + 1 });
  }
  return fail({
    kind: 'not-found',
    words: words.tools.blockMissing(id, path),
    remedy: words.tools.blockMissingRemedy(ids.slice(0, 20)),
  });
}
