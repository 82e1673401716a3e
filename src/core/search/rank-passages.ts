/** Ranks the passages of an index for a query, then checks the texts of the best candidates. */
import type { WorkBudget } from '../base/async';
import { compareText } from '../base/list-edits';
import type { FileEntry } from '../ports/vault';
import type { MatchedTerm } from './match-terms';
import { dataIn, numberIn, termIn } from './note-block';
import { type IndexedNote, type IndexedPassage, readNote } from './note-terms';
import { type IndexedBlock, type PassageIndex, readsAtOnce, type SearchedNotes } from './passage-index';
import { type Passage, passagesOf } from './passages';
import { contentWords, foldPhrase, type Query, subjectOf, termsOf, wordsOf } from './query';

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
  readonly path: string;
  /** Its place among the passages of the note. */
  readonly place: number;
  readonly passage: IndexedPassage;
  readonly score: number;
  /** Share of the query, weighted by rarity, that the passage, its headings, or the names of its note contain. */
  readonly coverage: number;
  /** How well the best name of its note matches the query, up to 1. */
  readonly nameFit: number;
}

export interface RankedPassages {
  /** The best candidates by the index alone. */
  readonly best: readonly ScoredPassage[];
  /** How many more there are. */
  readonly left: number;
  /** The terms that some searched note contains. */
  readonly present: ReadonlySet<MatchedTerm>;
  /** Whether one searched note contains all content terms that any of them contains. */
  readonly isTogether: boolean;
}

/** Share of the query, weighted by rarity, that a passage must cover. */
const neededCoverage = { vault: 0.51, guide: 0.2 };
/**
 * How much adjacent query words, a name spelled out in the query, a title that is its subject, and being the beginning of
 * the note that it asks about raise a score.
 */
const lifts = { nearness: 0.3, name: 0.2, subject: 0.5, introduction: 2 };
const candidates = 60;
const candidatesWithPhrases = 4_000;
/** Candidates whose texts are read at once. */
const round = 400;

/** Ranks the passages of these entries; null if the search was stopped. */
export async function rankPassages(
  index: PassageIndex,
  entries: readonly FileEntry[],
  terms: readonly MatchedTerm[],
  query: Query,
  isGuide: boolean,
  budget: WorkBudget,
): Promise<RankedPassages | null> {
  const needed = isGuide ? neededCoverage.guide : neededCoverage.vault;
  const { averageLength } = index;
  const total = terms.reduce((sum, term) => sum + term.weight, 0);
  const best: ScoredPassage[] = [];
  const maxCandidates = query.phrases.length > 0 ? candidatesWithPhrases : candidates;
  let count = 0;
  const prune = (): void => {
    best.sort(byScore);
    best.length = Math.min(best.length, maxCandidates);
  };
  const met = new MetTerms();
  for (const [owner, places] of groupByBlock(index, entries)) {
    const { block, current } = owner;
    const local = localTerms(owner, terms);
    const going = budget.spend(places.length * (1 + local.length));
    if (going !== true && !(await going)) return null;
    for (const place of places) {
      if (current[place] !== 1) continue;
      const own = ownTerms(owner, place, local);
      met.add(own);
      // No passage covers more than its note.
      if (coverageOf(own, total) < needed) continue;
      const numbers = new Map(own.map(({ number, term }) => [number, term]));
      const note = readNote(dataIn(block, place), numbers);
      const reading = budget.spend(20 + note.passages.length * terms.length * 4);
      if (reading !== true && !(await reading)) return null;
      const path = block.paths[place] ?? '';
      const scored = scoreNote(path, note, { own, numbers, total, averageLength });
      // A long note has more passages than a call takes arguments.
      const enough = scored.filter(({ coverage }) => coverage >= needed);
      for (const each of enough) best.push(each);
      count += enough.length;
      if (best.length > maxCandidates * 8) prune();
    }
  }
  prune();
  return { best, left: count - best.length, present: met.terms, isTogether: met.isTogether };
}

/** The content terms that notes contain, and whether one note contains them all. */
class MetTerms {
  readonly terms = new Set<MatchedTerm>();
  private max = 0;

  get isTogether(): boolean {
    return this.max === [...this.terms].filter(({ asked }) => !asked.light).length;
  }

  /** @param own the terms of one note */
  add(own: readonly LocalTerm[]): void {
    const content = new Set<MatchedTerm>();
    for (const { term } of own) {
      this.terms.add(term);
      if (!term.asked.light) content.add(term);
    }
    this.max = Math.max(this.max, content.size);
  }
}

/** Returns the places of the entries that the index has, by their block. */
function groupByBlock(
  index: PassageIndex,
  entries: readonly FileEntry[],
): ReadonlyMap<IndexedBlock, readonly number[]> {
  const groups = new Map<IndexedBlock, number[]>(index.blocks.map((owner) => [owner, []]));
  for (const { path } of entries) {
    const known = index.placeOf(path);
    if (known !== undefined) groups.get(known.owner)?.push(known.place);
  }
  return groups;
}

/** A spelling of the query in a block or in a note. */
interface LocalTerm {
  readonly term: MatchedTerm;
  readonly number: number;
  readonly factor: number;
}

/** Returns the spellings that a block has. */
function localTerms({ block }: IndexedBlock, terms: readonly MatchedTerm[]): readonly LocalTerm[] {
  return terms.flatMap((term) =>
    term.spellings.flatMap(({ term: spelling, factor }) => {
      const number = termIn(block, spelling);
      return number === -1 ? [] : [{ term, number, factor }];
    }),
  );
}

/** Returns those that a note has, with the numbers by which it knows them. */
function ownTerms({ block }: IndexedBlock, place: number, local: readonly LocalTerm[]): readonly LocalTerm[] {
  const own: LocalTerm[] = [];
  for (const { term, number, factor } of local) {
    const known = numberIn(block, place, number);
    if (known !== -1) own.push({ term, number: known, factor });
  }
  return own;
}

/** Returns 0 for a query without weight. */
function coverageOf(own: readonly LocalTerm[], total: number): number {
  return own.length === 0 || total === 0 ? 0 : share([...new Set(own.map(({ term }) => term))], total);
}

function byScore(a: ScoredPassage, b: ScoredPassage): number {
  return b.score - a.score || compareText(a.path, b.path) || a.passage.start - b.passage.start;
}

export function byScoreAndPlace(a: FoundPassage, b: FoundPassage): number {
  return b.score - a.score || compareText(a.path, b.path) || a.startLine - b.startLine;
}

/**
 * Refines candidates, best first, until as many are found as have a chance without quoted phrases, which most may lack.
 * Returns null if the search was stopped.
 */
export async function refineEnough(
  ranked: readonly ScoredPassage[],
  refine: (some: readonly ScoredPassage[]) => Promise<FoundPassage[] | null>,
): Promise<FoundPassage[] | null> {
  const found: FoundPassage[] = [];
  for (let from = 0; from < ranked.length && found.length < candidates; from += round) {
    const some = await refine(ranked.slice(from, from + round));
    if (some === null) return null;
    found.push(...some);
  }
  return found.sort(byScoreAndPlace);
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
  const texts = await readTexts(vault, [...new Set(ranked.map(({ path }) => path))], budget, signal);
  if (texts === null) return null;
  const asked = { query, pairs: neighbours(query, terms), content: contentWords(query.text).join(' ') };
  const found: FoundPassage[] = [];
  for (const { path, place, passage, score, nameFit } of ranked) {
    const source = texts.get(path);
    const { start, end } = passage;
    const written = source?.passages[place];
    if (source === undefined || written?.start !== start || written.end !== end) {
      if (source !== undefined) outdated.add(path);
      continue;
    }
    const { trail, startLine, endLine, cut } = written;
    const going = budget.spend(end - start);
    if (going !== true && !(await going)) return null;
    const text = source.text.slice(start, end);
    const named = `${path} ${trail.join(' ')}\n${text}`;
    if (!hasPhrases(named, query)) continue;
    const isIntroduction = place === source.passages.findIndex(({ kind }) => kind !== 'properties');
    const lift = liftOf({ path, trail, named, nameFit, isIntroduction }, asked);
    found.push({ path, trail, startLine, endLine, text, cut, score: score * lift });
  }
  return found.sort(byScoreAndPlace);
}

interface SourceText {
  readonly text: string;
  readonly passages: readonly Passage[];
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
      texts.set(path, { text, passages: passagesOf(text) });
    }
  }
  return texts;
}

interface ReadCandidate extends Pick<ScoredPassage, 'path' | 'nameFit'> {
  readonly trail: readonly string[];
  /** Its text below the names of its note. */
  readonly named: string;
  /** Whether it is the first passage of its note below the properties. */
  readonly isIntroduction: boolean;
}

/** Returns the factor by which what a passage says and is called raises its score. */
function liftOf(
  { path, trail, named, nameFit, isIntroduction }: ReadCandidate,
  { query, pairs, content }: { query: Query; pairs: readonly [string, string][]; content: string },
): number {
  const name = nameOfNote(path);
  const spelledOut = [trail.at(-1) ?? '', name].filter((each) => isSpelledOut(each, query)).length;
  let lift = 1 + lifts.nearness * nearness(named, pairs) + lifts.name * spelledOut;
  if (content !== '' && content === contentWords(name).join(' ')) lift += lifts.subject;
  if (isIntroduction && isAbout(path, nameFit, query)) lift += lifts.introduction;
  return lift;
}

/** Whether a query only names a note, or asks what it is. An alias counts if the query says nothing else. */
function isAbout(path: string, nameFit: number, { subject }: Query): boolean {
  return subject !== null && (nameFit > 0.9 || subject === subjectOf(nameOfNote(path)));
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

/** A query in one note. */
interface OwnQuery {
  readonly own: readonly LocalTerm[];
  readonly numbers: ReadonlyMap<number, MatchedTerm>;
  /** The weight of all terms of the query. */
  readonly total: number;
  /** Of the passages of the vault. */
  readonly averageLength: number;
}

/** Scores how well each passage of a note answers a query. */
function scoreNote(path: string, note: IndexedNote, query: OwnQuery): ScoredPassage[] {
  const { own, numbers, total, averageLength } = query;
  const noteCoverage = coverageOf(own, total);
  const nameFit = note.names.reduce((max, name) => Math.max(max, fitOf(name, numbers, total)), 0);
  return note.passages.map((passage, place) => {
    const found = new Map<MatchedTerm, number>();
    for (const { term, number, factor } of own) {
      const value = factor * valueOf(note, passage, number, averageLength);
      if (value > (found.get(term) ?? 0)) found.set(term, value);
    }
    let score = 0;
    for (const [term, best] of found) score += best * term.rarity * (term.asked.light ? 0.4 : 1);
    const covered = share([...found.keys()], total);
    const coverage = covered === 0 ? 0 : covered + elsewhere * (noteCoverage - covered);
    score *= 0.2 + 0.8 * coverage ** 1.5;
    const headingFit = fitOf(passage.headingContent, numbers, total);
    const { isOpening } = passage;
    score += total * wholeName.title * nameFit * (isOpening && nameFit > 0.9 ? 1.3 : 0.8);
    score += total * wholeName.heading * (isOpening && headingFit === nameFit ? 0.3 : 1) * headingFit;
    if (passage.isProperties) score *= propertiesFactor;
    return { path, place, passage, score, coverage, nameFit };
  });
}

function valueOf(note: IndexedNote, passage: IndexedPassage, number: number, averageLength: number): number {
  let value = 0;
  const count = passage.counts.get(number);
  if (count !== undefined) {
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
function fitOf(name: readonly number[], numbers: ReadonlyMap<number, MatchedTerm>, total: number): number {
  if (name.length === 0) return 0;
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
