/** Search: the passages of a vault that answer a question, best first, or nothing when it holds nothing on it. */
import type { FileEntry, Vault } from '../ports';
import { orAborted } from '../until-aborted';
import { matchTerms, type MatchedTerm } from './match-terms';
import { passagesOf } from './passages';
import { PassageIndex } from './passage-index';
import { createPace, type Pace } from './pause';
import { foldPhrase, parseQuery, type Query } from './query';
import { scoreNote, type ScoredPassage } from './score-note';
import { termsOf, wordsOf } from './terms';

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

/** The part of a vault that a search needs. */
export type SearchedNotes = Pick<Vault, 'files' | 'read'>;

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
const neededCoverage = 0.51;
/** Passages far below the best one are left out. */
const neededShareOfBest = 0.25;
/** Of several passages of one note, the second and third count for this much. */
const repeatFactors = [1, 0.9, 0.75];
/** How far the question's words side by side, and a name word for word, lift a passage. */
const lifts = { nearness: 0.3, name: 0.2 };
const candidates = 60;
const candidatesWithPhrases = 400;
const readsAtOnce = 16;

/** Searches the given entries through the vault, indexing what is new or changed on the way. */
export async function searchVault(
  vault: SearchedNotes,
  index: PassageIndex,
  question: string,
  options: SearchOptions,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  const first = await searchOnce(vault, index, question, options, signal);
  if (first.outdated.size === 0 || first.outcome.stopped) return first.outcome;
  // A note that was saved meanwhile, as by a plugin that keeps its date, is no reason to miss what it says.
  for (const path of first.outdated) index.forget(path);
  return (await searchOnce(vault, index, question, options, signal)).outcome;
}

interface Attempt {
  readonly outcome: SearchOutcome;
  /** Notes that read otherwise than when they were indexed. */
  readonly outdated: ReadonlySet<string>;
}

async function searchOnce(
  vault: SearchedNotes,
  index: PassageIndex,
  question: string,
  options: SearchOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  const outdated = new Set<string>();
  const pace = createPace(signal);
  const update = (updates.get(index) ?? Promise.resolve()).then(() => {
    forgetLost(vault, index);
    return bringUpToDate(vault, index, options.entries, pace, signal);
  });
  // A search that was stopped, or that failed, holds up no other, even when the disk never answers it.
  const ended = orAborted(update, signal);
  const isOver = (): void => undefined;
  updates.set(index, ended.then(isOver, isOver));
  const unread = await ended;
  const nothing = { notes: 0, unread: [], absent: [], present: [], passages: [], fitting: 0 };
  if (unread === undefined) return { outcome: { ...nothing, stopped: true }, outdated };
  const query = parseQuery(question);
  const terms = matchTerms(query, index);
  const content = terms.filter((term) => !term.asked.light);
  const searched = {
    ...nothing,
    notes: options.entries.length - unread.length,
    unread,
    absent: content.filter((term) => term.numbers.length === 0).map((term) => term.asked.word),
    present: content.filter((term) => term.numbers.length > 0).map((term) => term.asked.word),
  };
  const ranked = await rank(index, options.entries, terms, query, pace);
  const texts = ranked && (await refine(vault, ranked, query, terms, outdated, pace, signal));
  if (texts === null || signal.aborted) return { outcome: { ...searched, stopped: true }, outdated };
  const best = texts[0]?.score ?? 0;
  const fitting = texts.filter((found) => found.score >= best * neededShareOfBest);
  const passages = spreadOverNotes(fitting, options.limit);
  return { outcome: { ...searched, passages, fitting: fitting.length, stopped: false }, outdated };
}

/** The update under way of each index: searches at the same time wait for it and do not read the same notes twice. */
const updates = new WeakMap<PassageIndex, Promise<void>>();

/** Forgets notes that are gone; those replaced one for one are forgotten by whoever hears of the change. */
function forgetLost(vault: SearchedNotes, index: PassageIndex): void {
  const files = vault.files();
  if (index.noteCount <= files.length) return;
  const paths = new Set(files.map((file) => file.path));
  for (const path of [...index.paths()]) if (!paths.has(path)) index.forget(path);
}

/** Reads and indexes entries that are new or changed; returns the paths that could not be read. */
async function bringUpToDate(
  vault: SearchedNotes,
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
      if (!(await index.add(entry, note.value.text, pace))) return unread;
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
  return (
    b.score - a.score || compareText(a.note.path, b.note.path) || a.passage.passage.start - b.passage.passage.start
  );
}

function byScoreAndPlace(a: FoundPassage, b: FoundPassage): number {
  return b.score - a.score || compareText(a.path, b.path) || a.startLine - b.startLine;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Reads the candidates' texts, drops those without the quoted phrases, and lifts those with the words side by side.
 * @param outdated is told the notes whose text has changed since they were indexed
 */
async function refine(
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

/** The best passages, a few a note at most and those behind others, and none that stands inside another. */
function spreadOverNotes(fitting: readonly FoundPassage[], limit: number): FoundPassage[] {
  const kept: FoundPassage[] = [];
  const byNote = new Map<string, FoundPassage[]>();
  for (const found of fitting) {
    const same = byNote.get(found.path) ?? [];
    const factor = repeatFactors[same.length];
    const overlaps = same.some((other) => found.startLine <= other.endLine && other.startLine <= found.endLine);
    if (factor === undefined || (overlaps && !found.cut)) continue;
    byNote.set(found.path, [...same, found]);
    kept.push({ ...found, score: found.score * factor });
  }
  return kept.sort(byScoreAndPlace).slice(0, limit);
}
