/** Nearest lines: where in a note a passage that was not found may have been meant, for the words of a refusal. */
import { linesOf } from '../markdown/structure';

export interface NumberedLine {
  /** One-based. */
  readonly number: number;
  readonly text: string;
}

const most = 3;
const longestShown = 160;
/** Lines compared at most, and characters of each. */
const linesCompared = 20_000;
const charactersCompared = 400;

/** The lines that share the most with the first line of a passage that says anything, best first. */
export function nearestLines(text: string, passage: string): NumberedLine[] {
  const wanted = passage
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');
  if (wanted === undefined) return [];
  const pairs = pairsOf(wanted);
  return linesOf(text)
    .slice(0, linesCompared)
    .map((line, index) => {
      const own = text.slice(line.start, Math.min(line.end, line.start + charactersCompared));
      return { number: index + 1, text: own, score: likeness(pairs, pairsOf(own.trim())) };
    })
    .filter(({ score }) => score > 0.35)
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, most)
    .map(({ number, text: line }) => ({ number, text: shorten(line) }));
}

export function shorten(line: string): string {
  const trimmed = line.trim();
  return trimmed.length <= longestShown ? trimmed : `${trimmed.slice(0, longestShown)}…`;
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}

function pairsOf(line: string): Set<string> {
  const folded = line.slice(0, charactersCompared).toLowerCase();
  const pairs = new Set<string>();
  for (let index = 0; index < folded.length - 1; index += 1) pairs.add(folded.slice(index, index + 2));
  if (folded.length === 1) pairs.add(folded);
  return pairs;
}
