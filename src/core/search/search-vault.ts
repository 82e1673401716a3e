/** Search: the passages of a vault that answer a question, best first, or nothing when it holds nothing on it. */
import type { FileEntry, Vault } from '../ports';
import { matchTerms, type MatchedTerm } from './match-terms';
import { passagesOf } from './passages';
import { PassageIndex } from './passage-index';
import { createPace, type Pace } from './pause';
import { foldPhrase, parseQuery, type Query } from './query';
import { scoreNote, type ScoredPassage } from './score-note';
import { termsOf } from './terms';

export interface FoundPassage {
  readonly path: string;
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

export interface SearchOptions {
  /** Only these files are searched. */
  readonly entries: readonly FileEntry[];
  readonly limit: number;
}

export interface SearchOutcome {
  readonly passages: readonly FoundPassage[];
  /** Passages that fit, shown or not; a lower bound in very large vaults. */
  readonly fitting: number;
  /** Notes searched. */
  readonly notes: number;
  /** Notes that could not be read. */
  readonly unread: readonly string[];
  /** Content words of the question that no searched note holds. */
  readonly absent: readonly string[];
  /** Content words of the question that some note holds. */
  readonly present: readonly string[];
  readonly stopped: boolean;
}

/** Larger notes are left out of the search. */
export const searchableBytes = 5_000_000;
/** Share of the question, weighted by rarity, that a passage has to cover. */
const neededCoverage = 0.5;
/** Passages far below the best one are left out. */
const neededShareOfBest = 0.25;
const perNote = 2;
const candidates = 60;
const candidatesWithPhrases = 400;
const readsAtOnce = 16;

/** Searches the given entries through the vault, indexing what is new or changed on the way. */
export async function searchVault(
  vault: Vault,
  index: PassageIndex,
  question: string,
  options: SearchOptions,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  const pace = createPace(signal);
  const unread = await bringUpToDate(vault, index, options.entries, pace, signal);
  const query = parseQuery(question);
  const terms = matchTerms(query, index);
  const content = terms.filter((term) => !term.asked.light);
  const outcome = {
    notes: options.entries.length - unread.length,
    unread,
    absent: content.filter((term) => term.numbers.length === 0).map((term) => term.asked.word),
    present: content.filter((term) => term.numbers.length > 0).map((term) => term.asked.word),
  };
  const nothing = { ...outcome, passages: [], fitting: 0 };
  const ranked = await rank(index, options.entries, terms, query, pace);
  if (ranked === null || signal.aborted) return { ...nothing, stopped: true };
  const texts = await refine(vault, ranked, query, terms, signal);
  if (signal.aborted) return { ...nothing, stopped: true };
  const best = texts[0]?.score ?? 0;
  const fitting = texts.filter((found) => found.score >= best * neededShareOfBest);
  return { ...outcome, passages: spreadOverNotes(fitting, options.limit), fitting: fitting.length, stopped: false };
}

/** Reads and indexes entries that are new or changed; returns the paths that could not be read. */
async function bringUpToDate(
  vault: Vault,
  index: PassageIndex,
  entries: readonly FileEntry[],
  pace: Pace,
  signal: AbortSignal,
): Promise<string[]> {
  const unread: string[] = [];
  const stale: FileEntry[] = [];
  for (const entry of entries) {
    if (entry.size > searchableBytes) unread.push(entry.path);
    else if (!index.isCurrent(entry)) stale.push(entry);
  }
  for (let from = 0; from < stale.length; from += readsAtOnce) {
    if (signal.aborted) break;
    const batch = stale.slice(from, from + readsAtOnce);
    const notes = await Promise.all(batch.map((entry) => vault.read(entry.path, signal)));
    for (const [place, entry] of batch.entries()) {
      const note = notes[place];
      if (note?.ok !== true || note.value.text.length > searchableBytes) {
        index.forget(entry.path);
        unread.push(entry.path);
        continue;
      }
      const { text, size, modified } = note.value;
      const done = await index.add({ ...entry, size, modified }, text, pace);
      if (!done) return unread;
      // Read while the file was changing: what was listed and what was read differ, so it is read again next time.
    }
  }
  return unread;
}

async function rank(
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
  return b.score - a.score || compareText(a.note.path, b.note.path) || a.passage.passage.start - b.passage.passage.start;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Reads the candidates' texts, drops those without the quoted phrases, and lifts those with the words side by side. */
async function refine(
  vault: Vault,
  ranked: readonly ScoredPassage[],
  query: Query,
  terms: readonly MatchedTerm[],
  signal: AbortSignal,
): Promise<FoundPassage[]> {
  const texts = new Map<string, { text: string; starts: Map<number, number> }>();
  for (const { note } of ranked) {
    if (texts.has(note.path)) continue;
    if (signal.aborted) return [];
    const read = await vault.read(note.path, signal);
    if (!read.ok) continue;
    const passages = passagesOf(read.value.text);
    texts.set(note.path, { text: read.value.text, starts: new Map(passages.map((each) => [each.start, each.end])) });
  }
  const pairs = neighbours(query, terms);
  const found: FoundPassage[] = [];
  for (const { note, passage, score } of ranked) {
    const source = texts.get(note.path);
    const { trail, startLine, endLine, start, end, cut } = passage.passage;
    if (source?.starts.get(start) !== end) continue;
    const text = source.text.slice(start, end);
    const named = `${note.path} ${trail.join(' ')}\n${text}`;
    if (query.phrases.length > 0) {
      const folded = foldPhrase(named);
      if (!query.phrases.every((phrase) => folded.includes(phrase))) continue;
    }
    const lift = 1 + 0.3 * nearness(named, pairs);
    found.push({ path: note.path, trail, startLine, endLine, text, cut, score: score * lift });
  }
  return found.sort((a, b) => b.score - a.score || compareText(a.path, b.path) || a.startLine - b.startLine);
}

/** Pairs of content terms that stand side by side in the question, or with grammar between them. */
function neighbours(query: Query, terms: readonly MatchedTerm[]): [string, string][] {
  const content = new Set(terms.map((term) => term.asked.term));
  const sequence = query.sequence.filter((each) => content.has(each));
  return sequence.slice(1).map((each, place) => [sequence[place] ?? '', each]);
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

/** The best passages, at most a few a note, and none that stands inside another. */
function spreadOverNotes(fitting: readonly FoundPassage[], limit: number): FoundPassage[] {
  const shown: FoundPassage[] = [];
  for (const found of fitting) {
    const same = shown.filter((other) => other.path === found.path);
    const overlaps = same.some((other) => found.startLine <= other.endLine && other.startLine <= found.endLine && !found.cut);
    if (same.length < perNote && !overlaps) shown.push(found);
    if (shown.length === limit) break;
  }
  return shown;
}
