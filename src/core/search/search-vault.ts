/**
 * Search: returns the passages of a vault that answer a question, best first, or none if the vault has nothing on it.
 */
import { createWorkBudget } from '../base/async';
import type { FileEntry } from '../ports/vault';
import { matchTerms } from './match-terms';
import { type PassageIndex, type SearchedNotes, updateIndex } from './passage-index';
import { parseQuery } from './query';
import { byScoreAndPlace, type FoundPassage, rankPassages, refineEnough, refinePassages } from './rank-passages';

export interface SearchOptions {
  /** Only these files are searched. */
  readonly entries: readonly FileEntry[];
  readonly limit: number;
  /** Whether every question belongs to the notes: words that none of them has count nothing. False unless given. */
  readonly isGuide?: boolean;
  /** Whether a file is no note of the user's on a subject, such as a saved prompt: others come before it. */
  readonly ranksLower?: (path: string) => boolean;
}

export interface SearchOutcome {
  readonly passages: readonly FoundPassage[];
  /** Passages that fit, shown or not; a lower bound in very large vaults. */
  readonly fitting: number;
  /** Those that a search without a limit would return; the others are in the same notes. */
  readonly selected: number;
  /** Passages with words of the question that were not looked through for its quoted phrases. */
  readonly unchecked: number;
  /** Notes searched. */
  readonly notes: number;
  /** Notes that are not searched yet, because the index has not reached them. */
  readonly waiting: number;
  /** Notes that could not be read. */
  readonly unread: readonly string[];
  /** Content words of the question that no searched note contains. */
  readonly absent: readonly string[];
  /** Content words of the question that some note contains. */
  readonly present: readonly string[];
  /** Whether one searched note contains all of these. */
  readonly isTogether: boolean;
  readonly stopped: boolean;
}

/** Passages that score below this share of the best one are left out. */
const neededShareOfBest = 0.25;
/** Score factor for the passages of files that rank lower. */
const lowerFactor = 0.4;
/** Score factors for the first and further passages of one note; more are left out. A page of a guide has many subjects. */
const repeatFactors = { vault: [1, 0.9, 0.75], guide: [1, 0.95, 0.9, 0.85, 0.8] };

/** Searches the given entries, indexing new and changed ones first. */
export async function searchVault(
  vault: SearchedNotes,
  index: PassageIndex,
  question: string,
  options: SearchOptions,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  const first = await searchOnce(vault, index, question, options, signal);
  if (first.outdated.size === 0 || first.outcome.stopped) return first.outcome;
  // Search again: a note saved during the search, such as by a plugin that updates its date, must still be found.
  for (const path of first.outdated) index.forget(path);
  return (await searchOnce(readOnce(vault, first.outdated), index, question, options, signal)).outcome;
}

/** Returns a vault that reads each of these notes once, so that its text matches its index entry. */
function readOnce(vault: SearchedNotes, paths: ReadonlySet<string>): SearchedNotes {
  const reads = new Map<string, ReturnType<SearchedNotes['read']>>();
  return {
    files: () => vault.files(),
    read: (path, signal) => {
      const read = reads.get(path) ?? vault.read(path, signal);
      if (paths.has(path)) reads.set(path, read);
      return read;
    },
  };
}

interface Attempt {
  readonly outcome: SearchOutcome;
  /** Notes whose text changed since they were indexed. */
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
  const budget = createWorkBudget(signal);
  const { entries, limit, isGuide = false, ranksLower } = options;
  const query = parseQuery(question);
  const words = query.terms.flatMap(({ word, light }) => (light ? [] : [word]));
  const update = await updateIndex(vault, index, entries, words, budget, signal);
  const nothing = { notes: 0, waiting: 0, unread: [], absent: [], present: [], isTogether: true };
  const stopped = {
    outcome: { ...nothing, passages: [], fitting: 0, selected: 0, unchecked: 0, stopped: true },
    outdated,
  };
  if (update === undefined) return stopped;
  const { unread, waiting } = update;
  const ready = waiting.size === 0 ? entries : entries.filter(({ path }) => !waiting.has(path));
  const terms = matchTerms(query, index, isGuide);
  const ranked = await rankPassages(index, ready, terms, query, isGuide, budget);
  const refined =
    ranked &&
    (await refineEnough(ranked.best, (some) => refinePassages(vault, some, query, terms, outdated, budget, signal)));
  if (ranked === null || refined === null || signal.aborted) return stopped;
  const texts = ranksLower === undefined ? refined : withoutLead(refined, ranksLower);
  const content = terms.filter((term) => !term.asked.light);
  const searched = {
    notes: ready.length - unread.length,
    waiting: waiting.size,
    unread,
    absent: content.filter((term) => !ranked.present.has(term)).map((term) => term.asked.word),
    present: content.filter((term) => ranked.present.has(term)).map((term) => term.asked.word),
    isTogether: ranked.isTogether,
  };
  // A file that ranks lower leaves out nothing that would be found without it.
  const best = (texts.find(({ path }) => ranksLower?.(path) !== true) ?? texts[0])?.score ?? 0;
  const fitting = texts.filter((found) => found.score >= best * neededShareOfBest);
  const selected = spreadOverNotes(fitting, isGuide ? repeatFactors.guide : repeatFactors.vault);
  const unchecked = query.phrases.length > 0 && texts.length < limit ? ranked.left : 0;
  const counts = { fitting: fitting.length, selected: selected.length, unchecked };
  return { outcome: { ...searched, ...counts, passages: selected.slice(0, limit), stopped: false }, outdated };
}

function withoutLead(found: readonly FoundPassage[], ranksLower: (path: string) => boolean): FoundPassage[] {
  const weighted = found.map((each) => (ranksLower(each.path) ? { ...each, score: each.score * lowerFactor } : each));
  return weighted.sort(byScoreAndPlace);
}

/**
 * Selects passages, best first: some per note, each later one scoring less, without overlaps except in a long line.
 */
function spreadOverNotes(fitting: readonly FoundPassage[], factors: readonly number[]): FoundPassage[] {
  const selected: FoundPassage[] = [];
  const byNote = new Map<string, FoundPassage[]>();
  for (const found of fitting) {
    const same = byNote.get(found.path) ?? [];
    const factor = factors[same.length];
    const overlaps = same.some((other) => found.startLine <= other.endLine && other.startLine <= found.endLine);
    if (factor === undefined || (overlaps && !found.cut)) continue;
    byNote.set(found.path, [...same, found]);
    selected.push({ ...found, score: found.score * factor });
  }
  return selected.sort(byScoreAndPlace);
}
