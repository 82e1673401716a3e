/** Ranks suggestions by the query, over a hundred thousand names within a key press. */
import UFuzzy from '@leeoniya/ufuzzy';
import { applyEdits, editsBetween, historyOf } from '../../core/base/list-edits';
import { foldText } from '../../core/base/fold';
import { lazy } from '../../core/base/lazy';
import { type Candidate, nameOf } from '../../core/mentions/mention-source';

/** Tolerates one missing letter between two others. */
const fuzzy = new UFuzzy({
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraChars: "[\\p{L}\\d']",
  intraIns: 1,
});

/** Maximum matches whose words are compared; later ones count only if their name begins with the query. */
const comparedMatches = 20_000;
/** Items indexed in one slice of preparation. */
const sliceLines = 4_000;

interface Searchable {
  /** Name and keywords, folded. */
  readonly texts: string[];
  readonly nameLengths: number[];
  /** Bit sets of the letters in each text. */
  readonly letters: number[];
  /** All matches of prefixes of the query, so that the next key press searches only those. */
  readonly typed: { readonly query: string; readonly found: readonly number[] }[];
}

const known = new WeakMap<readonly Candidate[], Searchable>();
/** The last list that was indexed, by what it shares with the lists that replace it. */
const lastIndexed = new WeakMap<object, readonly Candidate[]>();

/** Indexes one slice of the list; returns true while more is left. Without it, the first query indexes all of it. */
export function prepareRanking(candidates: readonly Candidate[]): boolean {
  const searchable = known.get(candidates) ?? followEdits(candidates) ?? newSearchable();
  known.set(candidates, searchable);
  lastIndexed.set(historyOf(candidates), candidates);
  const { texts, nameLengths, letters } = searchable;
  for (const candidate of candidates.slice(texts.length, texts.length + sliceLines)) {
    const { text, nameLength } = indexOne(candidate);
    texts.push(text);
    nameLengths.push(nameLength);
    letters.push(lettersOf(text));
  }
  return texts.length < candidates.length;
}

function newSearchable(): Searchable {
  return { texts: [], nameLengths: [], letters: [], typed: [] };
}

function indexOne(candidate: Candidate): { readonly text: string; readonly nameLength: number } {
  const name = foldText(nameOf(candidate));
  const text = candidate.keywords === undefined ? name : `${name} ${foldText(candidate.keywords)}`;
  return { text, nameLength: name.length };
}

/** Takes over the index of the list that this one replaces; only what was edited is indexed again. */
function followEdits(candidates: readonly Candidate[]): Searchable | undefined {
  const before = lastIndexed.get(historyOf(candidates));
  const searchable = before && known.get(before);
  const batches = before && editsBetween<Candidate>(before, candidates);
  if (searchable === undefined || batches === null || batches === undefined) return undefined;
  known.delete(before as readonly Candidate[]);
  let { texts, nameLengths, letters } = searchable;
  for (const batch of batches) {
    let { length } = texts;
    const edits = [];
    for (const { at, removed, added } of batch) {
      // What is not indexed yet is indexed as it is then.
      if (at >= length) continue;
      length += added.length - Math.min(removed.length, length - at);
      edits.push({ at, removed, added: added.map(indexOne) });
    }
    texts = applyEdits(texts, edits, ({ text }) => text);
    nameLengths = applyEdits(nameLengths, edits, ({ nameLength }) => nameLength);
    letters = applyEdits(letters, edits, ({ text }) => lettersOf(text));
  }
  return { texts, nameLengths, letters, typed: [] };
}

/** Returns the best matches, or the first candidates for an empty query. */
export function rankCandidates(candidates: readonly Candidate[], query: string, limit: number): readonly Candidate[] {
  const wanted = foldText(query.trim());
  if (wanted === '') return candidates.slice(0, limit);
  while (prepareRanking(candidates));
  const searchable = known.get(candidates);
  if (searchable === undefined) return [];
  // A path can be typed too: `folder/name`.
  const terms = wanted.split(/[\s/]+/).filter((term) => term !== '');
  const contained = findContained(searchable, { wanted, terms, limit });
  const best = contained.length > 0 ? contained : findFuzzily(searchable, wanted, terms);
  return best.slice(0, limit).flatMap((index) => candidates[index] ?? []);
}

/** One bit per Latin letter, and one per pair of digits. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 97 && code <= 122) letters |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) letters |= 1 << (26 + ((code - 48) >> 1));
  }
  return letters;
}

interface Query {
  readonly wanted: string;
  readonly terms: readonly string[];
  readonly limit: number;
}

/**
 * Returns the best items that contain every term: the exact name, then names that begin with the query, names with
 * words that do, other names, and matches in keywords only; within each, in list order. Looks no further once enough
 * names begin with the query, except for the exact one.
 */
function findContained(searchable: Searchable, query: Query): readonly number[] {
  const { texts, letters, typed } = searchable;
  const { wanted, terms, limit } = query;
  while (typed.length > 0 && !wanted.startsWith(typed.at(-1)?.query ?? '')) typed.pop();
  const within = typed.at(-1)?.found;
  const needed = lettersOf(wanted);
  // The bit of a Latin letter is set by nothing else.
  const others = /^[a-z]$/.test(wanted) ? [] : terms;
  const ranks: Ranks = { same: [], beginning: [], wordwise: [], named: [], rest: [] };
  const found: number[] = [];
  const count = within?.length ?? texts.length;
  let at = 0;
  for (; at < count && ranks.beginning.length < limit; at += 1) {
    const index = indexAt(within, at);
    // Checked first, and without a call: most items are ruled out here.
    if (((letters[index] as number) & needed) !== needed || !hasAll(texts[index] as string, others)) continue;
    const place = found.push(index);
    addRanked(ranks, index, place, searchable, query);
  }
  if (at === count) typed.push({ query: wanted, found });
  else addSame(ranks, searchable, wanted, { within, at, count });
  const { same, beginning, wordwise, named, rest } = ranks;
  return [same, beginning, wordwise, named, rest].flatMap((list) => list.slice(0, limit));
}

interface Scope {
  /** Indices of items; all if absent. */
  readonly within: readonly number[] | undefined;
  readonly at: number;
  readonly count: number;
}

function addSame({ same }: Ranks, searchable: Searchable, wanted: string, { within, at, count }: Scope): void {
  const { texts, nameLengths } = searchable;
  for (let next = at; next < count; next += 1) {
    const index = indexAt(within, next);
    if (nameLengths[index] === wanted.length && texts[index]?.startsWith(wanted) === true) same.push(index);
  }
}

function indexAt(within: readonly number[] | undefined, at: number): number {
  return within === undefined ? at : (within[at] as number);
}

/** @param place how many were found up to this item */
function addRanked(ranks: Ranks, index: number, place: number, searchable: Searchable, query: Query): void {
  const { wanted, terms, limit } = query;
  const text = searchable.texts[index] as string;
  const nameLength = searchable.nameLengths[index] as number;
  if (wanted.length <= nameLength && text.startsWith(wanted)) {
    (wanted.length === nameLength ? ranks.same : ranks.beginning).push(index);
  } else if (place <= comparedMatches && ranks.wordwise.length < limit) {
    // Another match in the keywords alone would not be shown.
    if (ranks.rest.length >= limit && terms.length === 1 && text.indexOf(wanted) >= nameLength) return;
    const places = terms.map((term) => placeOf(text, term));
    const isNamed = places.every(({ from }) => from < nameLength);
    (!isNamed ? ranks.rest : places.every(({ beginsWord }) => beginsWord) ? ranks.wordwise : ranks.named).push(index);
  }
}

function hasAll(text: string, terms: readonly string[]): boolean {
  return terms.length === 1 ? text.includes(terms[0] ?? '') : terms.every((term) => text.includes(term));
}

/** Indices of items, the best first. */
interface Ranks {
  readonly same: number[];
  readonly beginning: number[];
  readonly wordwise: number[];
  readonly named: number[];
  readonly rest: number[];
}

/** Whether a character of a folded text is a letter or a digit. */
function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 127 ? letter().test(text.charAt(at)) : (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

const letter = lazy(() => /[\p{L}\p{N}]/u);

/** Returns the first position where the term begins a word, else its first position. */
function placeOf(text: string, term: string): { readonly from: number; readonly beginsWord: boolean } {
  const first = text.indexOf(term);
  for (let from = first; from >= 0; from = text.indexOf(term, from + 1)) {
    if (from === 0 || !isLetter(text, from - 1)) return { from, beginsWord: true };
  }
  return { from: first, beginsWord: false };
}

/** Returns the items that contain every term, tolerating missing letters, in list order. */
function findFuzzily({ texts, letters }: Searchable, wanted: string, terms: readonly string[]): readonly number[] {
  if (fuzzy.split(wanted).length === 0) return [];
  const needed = lettersOf(wanted);
  let found: number[] = [];
  for (let index = 0; index < texts.length; index += 1) {
    if (((letters[index] ?? 0) & needed) === needed) found.push(index);
  }
  for (const term of terms) {
    if (found.length > 0 && fuzzy.split(term).length > 0) found = fuzzy.filter(texts, term, found) ?? [];
  }
  return found;
}
