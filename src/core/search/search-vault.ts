/** Search: the passages of a vault that answer a question, best first, or nothing when it holds nothing on it. */
import { createWorkBudget } from '../base/async';
import type { FileEntry } from '../ports/vault';
import { type PassageIndex, type SearchedNotes, updateIndex } from './passage-index';
import { parseQuery } from './query';
import { byScoreAndPlace, type FoundPassage, matchTerms, rankPassages, refinePassages } from './rank-passages';

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

/** Passages far below the best one are left out. */
const neededShareOfBest = 0.25;
/** Of several passages of one note, the second and third count for this much. */
const repeatFactors = [1, 0.9, 0.75];

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
  return (await searchOnce(readOnce(vault, first.outdated), index, question, options, signal)).outcome;
}

/** Gives what was read of these notes first again, so that they are found as they were indexed. */
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
  const pace = createWorkBudget(signal);
  const unread = await updateIndex(vault, index, options.entries, pace, signal);
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
  const ranked = await rankPassages(index, options.entries, terms, query, pace);
  const texts = ranked && (await refinePassages(vault, ranked, query, terms, outdated, pace, signal));
  if (texts === null || signal.aborted) return { outcome: { ...searched, stopped: true }, outdated };
  const best = texts[0]?.score ?? 0;
  const fitting = texts.filter((found) => found.score >= best * neededShareOfBest);
  const passages = spreadOverNotes(fitting, options.limit);
  return { outcome: { ...searched, passages, fitting: fitting.length, stopped: false }, outdated };
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
