/** Ranks the passages of an index for a query, then checks the texts of the best candidates. */
import type { WorkBudget } from '../base/async';
import type { FileEntry } from '../ports/vault';
import {
  type IndexedNote,
  type IndexedPassage,
  type PassageIndex,
  readsAtOnce,
  type SearchedNotes,
} from './passage-index';
import { passagesOf } from './passages';
import { contentWords, foldPhrase, type Query, type QueryTerm, stem, termsOf, wordsOf } from './query';

export interface FoundPassage {
  readonly path: string;
  /** Headings above the passage, outermost first. */
  readonly trail: readonly string[];
  /** One-based, both included. */
  readonly startLine: number;
  readonly endLine: number;
  /** The text of the passage as in the note. */
  readonly text: string;
  /** Whether it starts or ends inside a line. */
  readonly cut: boolean;
  readonly score: number;
}

interface ScoredPassage {
  readonly note: IndexedNote;
  readonly passage: IndexedPassage;
  readonly score: number;
  /** Share of the query, weighted by rarity, that the passage, its headings, or the names of its note contain. */
  readonly coverage: number;
}

interface MatchedTerm {
  readonly asked: QueryTerm;
  /** Numbers of matching terms in the index, with how well each matches. */
  readonly numbers: readonly { readonly number: number; readonly factor: number }[];
  /** Inverse document frequency: high for words that few notes contain. */
  readonly rarity: number;
  /** The part of the rarity that counts toward coverage. */
  readonly weight: number;
}

/** Share of the query, weighted by rarity, that a passage must cover. */
const neededCoverage = { vault: 0.51, guide: 0.2 };
/** How much adjacent query words, a name spelled out in the query, and a title that is its subject raise a score. */
const lifts = { nearness: 0.3, name: 0.2, subject: 0.5 };
const candidates = 60;
const candidatesWithPhrases = 400;

/** Returns the best candidates by the index alone; null if the search was stopped. */
export async function rankPassages(
  index: PassageIndex,
  entries: readonly FileEntry[],
  terms: readonly MatchedTerm[],
  query: Query,
  isGuide: boolean,
  budget: WorkBudget,
): Promise<ScoredPassage[] | null> {
  const needed = isGuide ? neededCoverage.guide : neededCoverage.vault;
  const best: ScoredPassage[] = [];
  const maxCandidates = query.phrases.length > 0 ? candidatesWithPhrases : candidates;
  const prune = (): void => {
    best.sort(byScore);
    best.length = Math.min(best.length, maxCandidates);
  };
  for (const entry of entries) {
    const note = index.get(entry.path);
    if (note === undefined) continue;
    const going = budget.spend(20 + note.passages.length * terms.length * 4);
    if (going !== true && !(await going)) return null;
    for (const scored of scoreNote(note, terms, index.averageLength)) {
      if (scored.coverage >= needed) best.push(scored);
    }
    if (best.length > maxCandidates * 8) prune();
  }
  prune();
  return best;
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
 * Reads the candidates' texts, drops those without the quoted phrases, and raises those with adjacent query words.
 * Returns null if the search was stopped.
 * @param outdated collects the notes whose text changed since they were indexed
 */
export async function refinePassages(
  vault: SearchedNotes,
  ranked: readonly ScoredPassage[],
  query: Query,
  terms: readonly MatchedTerm[],
  outdated: Set<string>,
  budget: WorkBudget,
  signal: AbortSignal,
): Promise<FoundPassage[] | null> {
  const texts = await readTexts(vault, [...new Set(ranked.map(({ note }) => note.path))], budget, signal);
  if (texts === null) return null;
  const pairs = neighbours(query, terms);
  const subject = contentWords(query.text).join(' ');
  const found: FoundPassage[] = [];
  for (const { note, passage, score } of ranked) {
    const source = texts.get(note.path);
    const { trail, startLine, endLine, start, end, cut } = passage.passage;
    if (source?.ends.get(start) !== end) {
      if (source !== undefined) outdated.add(note.path);
      continue;
    }
    const going = budget.spend(end - start);
    if (going !== true && !(await going)) return null;
    const text = source.text.slice(start, end);
    const named = `${note.path} ${trail.join(' ')}\n${text}`;
    if (!hasPhrases(named, query)) continue;
    const spelledOut = [trail.at(-1) ?? '', nameOfNote(note.path)].filter((name) => isSpelledOut(name, query)).length;
    const isSubject = subject !== '' && subject === contentWords(nameOfNote(note.path)).join(' ');
    const lift =
      1 + lifts.nearness * nearness(named, pairs) + lifts.name * spelledOut + (isSubject ? lifts.subject : 0);
    found.push({ path: note.path, trail, startLine, endLine, text, cut, score: score * lift });
  }
  return found.sort(byScoreAndPlace);
}

interface SourceText {
  readonly text: string;
  /** The end offset of each passage, by its start offset. */
  readonly ends: ReadonlyMap<number, number>;
}

/** Returns the texts by path, without unreadable notes; null if the search was stopped. */
async function readTexts(
  vault: SearchedNotes,
  paths: readonly string[],
  budget: WorkBudget,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, SourceText> | null> {
  const texts = new Map<string, SourceText>();
  for (let from = 0; from < paths.length; from += readsAtOnce) {
    if (signal.aborted) return null;
    const reads = await Promise.all(paths.slice(from, from + readsAtOnce).map((path) => vault.read(path, signal)));
    for (const read of reads) {
      if (!read.ok) continue;
      const { path, text } = read.value;
      const going = budget.spend(text.length / 8);
      if (going !== true && !(await going)) return null;
      texts.set(path, { text, ends: new Map(passagesOf(text).map((each) => [each.start, each.end])) });
    }
  }
  return texts;
}

function hasPhrases(text: string, { phrases }: Query): boolean {
  if (phrases.length === 0) return true;
  const folded = foldPhrase(text);
  return phrases.every((phrase) => folded.includes(phrase));
}

/** Returns the pairs of content terms that are adjacent in the query, ignoring function words between them. */
function neighbours(query: Query, terms: readonly MatchedTerm[]): [string, string][] {
  const content = new Set(terms.map((term) => term.asked.term));
  const sequence = query.sequence.filter((each) => content.has(each));
  return sequence.slice(1).map((each, place) => [sequence[place] ?? '', each]);
}

function nameOfNote(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}

/** Whether the query contains a heading or title verbatim, function words included. */
function isSpelledOut(name: string, query: Query): boolean {
  const words = wordsOf(name).join(' ');
  return words !== '' && ` ${query.words.join(' ')} `.includes(` ${words} `);
}

/** Returns the share of the pairs that occur within three words of each other. */
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

const saturation = 1.2;
const lengthInfluence = 0.6;
/** Weight of a term by where it occurs; in the text it weighs at most 1 + saturation. */
const worth = { heading: 1.6, above: 0.6, title: 1.2, alias: 1, tag: 0.8, folder: 0.4 };
/** A term in several names weighs as in its best one, plus this share of the others. */
const extraName = 0.2;
/** Weight of names that a query contains completely. */
const wholeName = { heading: 2, title: 1.5 };
const propertiesFactor = 0.6;
/** How much a note's other passages count toward coverage. */
const elsewhere = 0.5;

/** Scores how well each passage of a note answers a query. */
function scoreNote(note: IndexedNote, terms: readonly MatchedTerm[], averageLength: number): ScoredPassage[] {
  const total = terms.reduce((sum, term) => sum + term.weight, 0);
  if (total === 0) return [];
  const inNote = new Set<MatchedTerm>();
  const numbers = new Map<number, MatchedTerm>();
  for (const term of terms) {
    for (const { number } of term.numbers) {
      numbers.set(number, term);
      if (placeOf(note.all, number, 0, note.all.length) !== -1) inNote.add(term);
    }
  }
  if (inNote.size === 0) return [];
  const noteCoverage = share([...inNote], total);
  const nameFit = Math.max(0, ...note.names.map((name) => fitOf(name, numbers, terms, total)));
  return note.passages.map((passage) => {
    let score = 0;
    const found: MatchedTerm[] = [];
    for (const term of inNote) {
      let best = 0;
      for (const { number, factor } of term.numbers) {
        const value = factor * valueOf(note, passage, number, averageLength);
        if (value > best) best = value;
      }
      if (best === 0) continue;
      found.push(term);
      score += best * term.rarity * (term.asked.light ? 0.4 : 1);
    }
    const own = share(found, total);
    const coverage = own === 0 ? 0 : own + elsewhere * (noteCoverage - own);
    score *= 0.2 + 0.8 * coverage ** 1.5;
    const headingFit = fitOf(passage.headingContent, numbers, terms, total);
    const isOpening = passage.passage.trail.length <= 1;
    score += total * wholeName.title * nameFit * (isOpening && nameFit > 0.9 ? 1.3 : 0.8);
    score += total * wholeName.heading * (isOpening && headingFit === nameFit ? 0.3 : 1) * headingFit;
    if (passage.passage.kind === 'properties') score *= propertiesFactor;
    return { note, passage, score, coverage };
  });
}

function valueOf(note: IndexedNote, passage: IndexedPassage, number: number, averageLength: number): number {
  let value = 0;
  const place = placeOf(note.terms, number, passage.from, passage.to);
  if (place !== -1) {
    const count = note.counts[place] ?? 0;
    const length = 1 - lengthInfluence + (lengthInfluence * passage.length) / averageLength;
    value += (count * (saturation + 1)) / (count + saturation * length);
  }
  let named = 0;
  const add = (isNamed: boolean, value: number): void => {
    if (isNamed) named = Math.max(named, value) + extraName * Math.min(named, value);
  };
  add(passage.heading.includes(number), worth.heading);
  add(passage.above.includes(number), worth.above);
  add(note.title.includes(number), worth.title);
  add(
    note.aliases.some((alias) => alias.includes(number)),
    worth.alias,
  );
  add(note.tags.includes(number), worth.tag);
  add(note.folder.includes(number), worth.folder);
  value += named;
  return value;
}

/**
 * Returns how well a name matches the query: the share of the name found in it times the share that it covers.
 */
function fitOf(
  name: readonly number[],
  numbers: ReadonlyMap<number, MatchedTerm>,
  terms: readonly MatchedTerm[],
  total: number,
): number {
  if (name.length === 0 || terms.length === 0) return 0;
  const hit = new Set<MatchedTerm>();
  let asked = 0;
  for (const number of name) {
    const term = numbers.get(number);
    if (term === undefined) continue;
    asked += 1;
    hit.add(term);
  }
  return asked === 0 ? 0 : (asked / name.length) * share([...hit], total);
}

function share(found: readonly MatchedTerm[], total: number): number {
  return found.reduce((sum, term) => sum + term.weight, 0) / total;
}

/** Searches a sorted range; returns -1 if it does not contain the number. */
function placeOf(sorted: Uint32Array, number: number, from: number, to: number): number {
  let low = from;
  let high = to - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] ?? 0;
    if (value === number) return middle;
    if (value < number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Virtual notes added to the count, so that rarity is meaningful even in a vault of three notes. */
const background = 100;
const lightWeight = 0.25;
const joinedFactor = 0.8;
const nearFactor = 0.5;

/** Matches the terms of a query with those of the index, with the rarity of each. */
export function matchTerms(query: Query, index: PassageIndex, isGuide: boolean): MatchedTerm[] {
  const notes = index.noteCount + background;
  const isMute = isGuide || isInOtherLanguage(query, index);
  const matched = query.terms.map((asked): MatchedTerm => {
    const numbers: { number: number; factor: number }[] = [];
    const exact = index.numberOf(asked.term);
    if (exact !== undefined) numbers.push({ number: exact, factor: 1 });
    for (const spelling of asked.joined) {
      const number = index.numberOf(spelling);
      if (number !== undefined) numbers.push({ number, factor: joinedFactor });
    }
    if (numbers.length === 0 && !asked.light) {
      for (const number of nearSpellings(asked.term, index)) numbers.push({ number, factor: nearFactor });
    }
    const spread = Math.max(1, ...numbers.map(({ number }) => index.spreadOf(number)));
    const rarity = Math.log(1 + (notes - spread + 0.5) / (spread + 0.5));
    const weight = numbers.length > 0 || !(asked.light || isMute) ? rarity : 0;
    return { asked, numbers, rarity, weight };
  });
  return withoutSeams(withLessOfLight(matched));
}

/** Lets no word that says little about the subject weigh more than a part of the words that do, however rare it is. */
function withLessOfLight(matched: readonly MatchedTerm[]): MatchedTerm[] {
  const rarest = matched.reduce((max, { asked, weight }) => (asked.light ? max : Math.max(max, weight)), 0);
  return matched.map((each) => {
    if (!each.asked.light) return each;
    const rarity = rarest === 0 ? each.rarity : Math.min(each.rarity, rarest);
    return { ...each, rarity, weight: each.weight === 0 ? 0 : rarity * lightWeight };
  });
}

/** The share of notes with a common word of a language above which some notes are written in it. */
const minShareOfNotes = 0.1;

/** Whether the question is in a language that the notes are not in, so that a word that none has means nothing. */
function isInOtherLanguage({ marks }: Query, index: PassageIndex): boolean {
  const limit = minShareOfNotes * index.noteCount;
  const spreadOf = (word: string): number => index.spreadOf(index.numberOf(word) ?? -1);
  return marks.some((words) => words.every((word) => spreadOf(stem(word)) < limit));
}

/**
 * Drops character pairs that only arise where two words of an unspaced script meet: absent pairs whose characters both
 * belong to adjacent pairs that are present.
 */
function withoutSeams(matched: readonly MatchedTerm[]): MatchedTerm[] {
  return matched.filter((each, place) => {
    if (each.asked.run === undefined || each.numbers.length > 0) return true;
    const before = matched[place - 1];
    const after = matched[place + 1];
    const present = (other: MatchedTerm | undefined): boolean =>
      other !== undefined && other.asked.run === each.asked.run && other.numbers.length > 0;
    return !(present(before) && present(after));
  });
}

/** Returns terms that start with the given one, or differ by one extra, missing, or transposed letter. */
function nearSpellings(term: string, index: PassageIndex): number[] {
  if (term.length < 5 || /\d/.test(term)) return [];
  const near: number[] = [];
  for (const [known, number] of index.knownTerms()) {
    if (known.charCodeAt(0) !== term.charCodeAt(0) || Math.abs(known.length - term.length) > 3) continue;
    const begins = known.startsWith(term);
    if ((begins || (term.length >= 6 && isOneSlip(known, term))) && index.spreadOf(number) > 0) near.push(number);
    if (near.length === 5) break;
  }
  return near;
}

function isOneSlip(known: string, asked: string): boolean {
  let from = 0;
  while (from < known.length && known[from] === asked[from]) from += 1;
  const restKnown = known.slice(from);
  const restAsked = asked.slice(from);
  if (restKnown.length === restAsked.length) {
    return (
      restKnown.slice(0, 2) === (restAsked[1] ?? '') + (restAsked[0] ?? '') && restKnown.slice(2) === restAsked.slice(2)
    );
  }
  return restKnown.slice(1) === restAsked || restKnown === restAsked.slice(1);
}
