/** Ranks the passages of an index by a question, then looks at the texts of the best. */
import type { Pace } from '../base/async';
import type { FileEntry } from '../ports/vault';
import type { MatchedTerm } from './match-terms';
import type { PassageIndex } from './passage-index';
import { passagesOf } from './passages';
import { foldPhrase, type Query } from './query';
import { type ScoredPassage, scoreNote } from './score-note';
import { termsOf, wordsOf } from './terms';
import { readsAtOnce, type SearchedNotes } from './update-index';

export interface FoundPassage {
  readonly path: string;
  /** Headings above the passage, outermost first. */
  readonly trail: readonly string[];
  /** One-based, both included. */
  readonly startLine: number;
  readonly endLine: number;
  /** The passage as it stands in the note. */
  readonly text: string;
  /** Whether it starts or ends inside a line. */
  readonly cut: boolean;
  readonly score: number;
}

/** Share of the question, weighted by rarity, that a passage has to cover. */
const neededCoverage = 0.51;
/** How far the question's words side by side, and a name word for word, lift a passage. */
const lifts = { nearness: 0.3, name: 0.2 };
const candidates = 60;
const candidatesWithPhrases = 400;

/** The best candidates by the index alone; null when the search was stopped. */
export async function rankPassages(
  index: PassageIndex,
  entries: readonly FileEntry[],
  terms: readonly MatchedTerm[],
  query: Query,
  pace: Pace,
): Promise<ScoredPassage[] | null> {
  const kept: ScoredPassage[] = [];
  const most = query.phrases.length > 0 ? candidatesWithPhrases : candidates;
  const prune = (): void => {
    kept.sort(byScore);
    kept.length = Math.min(kept.length, most);
  };
  for (const entry of entries) {
    const note = index.get(entry.path);
    if (note === undefined) continue;
    const going = pace.spend(20 + note.passages.length * terms.length * 4);
    if (going !== true && !(await going)) return null;
    for (const scored of scoreNote(note, terms, index.averageLength)) {
      if (scored.coverage >= neededCoverage) kept.push(scored);
    }
    if (kept.length > most * 8) prune();
  }
  prune();
  return kept;
}

function byScore(a: ScoredPassage, b: ScoredPassage): number {
  return (
    b.score - a.score || compareText(a.note.path, b.note.path) || a.passage.passage.start - b.passage.passage.start
  );
}

export function byScoreAndPlace(a: FoundPassage, b: FoundPassage): number {
  return b.score - a.score || compareText(a.path, b.path) || a.startLine - b.startLine;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Reads the candidates' texts, drops those without the quoted phrases, and lifts those with the words side by side.
 * Null when the search was stopped.
 * @param outdated is told the notes whose text has changed since they were indexed
 */
export async function refinePassages(
  vault: SearchedNotes,
  ranked: readonly ScoredPassage[],
  query: Query,
  terms: readonly MatchedTerm[],
  outdated: Set<string>,
  pace: Pace,
  signal: AbortSignal,
): Promise<FoundPassage[] | null> {
  const paths = [...new Set(ranked.map(({ note }) => note.path))];
  const texts = new Map<string, { text: string; ends: ReadonlyMap<number, number> }>();
  for (let from = 0; from < paths.length; from += readsAtOnce) {
    if (signal.aborted) return null;
    const reads = await Promise.all(paths.slice(from, from + readsAtOnce).map((path) => vault.read(path, signal)));
    for (const read of reads) {
      if (!read.ok) continue;
      const { path, text } = read.value;
      const going = pace.spend(text.length / 8);
      if (going !== true && !(await going)) return null;
      texts.set(path, { text, ends: new Map(passagesOf(text).map((each) => [each.start, each.end])) });
    }
  }
  const pairs = neighbours(query, terms);
  const found: FoundPassage[] = [];
  for (const { note, passage, score } of ranked) {
    const source = texts.get(note.path);
    const { trail, startLine, endLine, start, end, cut } = passage.passage;
    if (source?.ends.get(start) !== end) {
      if (source !== undefined) outdated.add(note.path);
      continue;
    }
    const going = pace.spend(end - start);
    if (going !== true && !(await going)) return null;
    const text = source.text.slice(start, end);
    const named = `${note.path} ${trail.join(' ')}\n${text}`;
    if (query.phrases.length > 0) {
      const folded = foldPhrase(named);
      if (!query.phrases.every((phrase) => folded.includes(phrase))) continue;
    }
    const spelledOut = [trail.at(-1) ?? '', nameOfNote(note.path)].filter((name) => isSpelledOut(name, query)).length;
    const lift = 1 + lifts.nearness * nearness(named, pairs) + lifts.name * spelledOut;
    found.push({ path: note.path, trail, startLine, endLine, text, cut, score: score * lift });
  }
  return found.sort(byScoreAndPlace);
}

/** Pairs of content terms that stand side by side in the question, or with grammar between them. */
function neighbours(query: Query, terms: readonly MatchedTerm[]): [string, string][] {
  const content = new Set(terms.map((term) => term.asked.term));
  const sequence = query.sequence.filter((each) => content.has(each));
  return sequence.slice(1).map((each, place) => [sequence[place] ?? '', each]);
}

function nameOfNote(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}

/** Whether a heading or title stands in the question word for word, grammar included. */
function isSpelledOut(name: string, query: Query): boolean {
  const words = wordsOf(name).join(' ');
  return words !== '' && ` ${query.words.join(' ')} `.includes(` ${words} `);
}

/** Share of the pairs that stand within three words of each other. */
function nearness(text: string, pairs: readonly [string, string][]): number {
  if (pairs.length === 0) return 0;
  const terms = termsOf(text);
  const hits = pairs.filter(([first, second]) => {
    for (let at = terms.indexOf(first); at !== -1; at = terms.indexOf(first, at + 1)) {
      if (terms.slice(at + 1, at + 4).includes(second)) return true;
    }
    return false;
  });
  return hits.length / pairs.length;
}
