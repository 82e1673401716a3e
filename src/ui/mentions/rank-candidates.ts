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
/** Items that are compared before it is asked whether enough were found; the engine compiles what it calls often. */
const comparedAtOnce = 2_000;
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
  const asked = { wanted, terms, limit };
  const contained = findContained(searchable, asked);
  const best = contained.length > 0 ? contained : findFuzzily(searchable, asked);
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
  const { letters, typed } = searchable;
  const { wanted, limit } = query;
  while (typed.length > 0 && !wanted.startsWith(typed.at(-1)?.query ?? '')) typed.pop();
  const within = typed.at(-1)?.found;
  const needed = lettersOf(wanted);
  const possible = within === undefined ? allWithLetters(letters, needed) : withLetters(within, letters, needed);
  const ranks: Ranks = { same: [], beginning: [], wordwise: [], named: [], rest: [] };
  // The items with one Latin letter are found again as fast by the sets of letters.
  const found = isLatinLetter(wanted) ? null : [];
  const at = rankAll(possible, searchable, query, found, ranks);
  if (at < possible.length) addSame(ranks, searchable, wanted, possible, at);
  else if (found !== null) typed.push({ query: wanted, found });
  const { same, beginning, wordwise, named, rest } = ranks;
  return [same, beginning, wordwise, named, rest].flatMap((list) => list.slice(0, limit));
}

// Short loops, each over one list: the first keys run them before they are compiled.

/** Where these loops put the indices, until the next one of them runs: each key would need memory for most of the list. */
let indices = new Uint32Array(0);

/** Returns the indices of the items that have all of these letters. */
function allWithLetters(letters: readonly number[], needed: number): Uint32Array {
  if (indices.length < letters.length) indices = new Uint32Array(letters.length);
  let count = 0;
  for (let index = 0; index < letters.length; index += 1) {
    if (((letters[index] as number) & needed) === needed) indices[count++] = index;
  }
  return indices.subarray(0, count);
}

/** The same of some of the items. */
function withLetters(within: readonly number[], letters: readonly number[], needed: number): Uint32Array {
  if (indices.length < within.length) indices = new Uint32Array(within.length);
  let count = 0;
  for (const index of within) if (((letters[index] as number) & needed) === needed) indices[count++] = index;
  return indices.subarray(0, count);
}

/**
 * Ranks items in list order, some at a time, until enough names begin with the query.
 * @param found gets the items that contain every term; null where the query is one Latin letter
 * @returns how many of the possible items were compared
 */
function rankAll(
  possible: Uint32Array,
  searchable: Searchable,
  query: Query,
  found: number[] | null,
  ranks: Ranks,
): number {
  const { wanted, limit } = query;
  const find = found === null ? withLetter : withTerms;
  let at = 0;
  let matches = 0;
  for (; at < possible.length && ranks.beginning.length < limit; at += comparedAtOnce) {
    const { containing, early } = find(possible.subarray(at, at + comparedAtOnce), searchable.texts, query);
    for (const index of early) {
      if (!beginsName(searchable, index, wanted)) continue;
      (searchable.nameLengths[index] === wanted.length ? ranks.same : ranks.beginning).push(index);
    }
    if (matches < comparedMatches) addLater(ranks, containing, searchable, query);
    matches += containing.length;
    found?.push(...containing);
  }
  return Math.min(at, possible.length);
}

interface Containing {
  /** The items that contain every term. */
  readonly containing: readonly number[] | Uint32Array;
  /** Those among them whose name may begin with the query. Most do not, and are not looked at again for it. */
  readonly early: number[];
}

function withTerms(some: Uint32Array, texts: readonly string[], { wanted, terms }: Query): Containing {
  const [term = '', ...others] = terms;
  const latest = wanted.indexOf(term);
  const containing: number[] = [];
  const early: number[] = [];
  for (let at = 0; at < some.length; at += 1) {
    const index = some[at] as number;
    const place = (texts[index] as string).indexOf(term);
    if (place < 0) continue;
    containing.push(index);
    if (place <= latest) early.push(index);
  }
  if (others.length === 0) return { containing, early };
  const hasOthers = (index: number): boolean => others.every((other) => (texts[index] as string).includes(other));
  return { containing: containing.filter(hasOthers), early };
}

/** Whether a query is a letter whose bit in the sets of letters is set by nothing else. */
function isLatinLetter(wanted: string): boolean {
  return /^[a-z]$/.test(wanted);
}

/** The same for a query of one Latin letter, which all of the given items contain. */
function withLetter(some: Uint32Array, texts: readonly string[], { wanted }: Query): Containing {
  const code = wanted.charCodeAt(0);
  const early: number[] = [];
  for (let at = 0; at < some.length; at += 1) {
    const index = some[at] as number;
    if ((texts[index] as string).charCodeAt(0) === code) early.push(index);
  }
  return { containing: some, early };
}

function beginsName({ texts, nameLengths }: Searchable, index: number, wanted: string): boolean {
  return wanted.length <= (nameLengths[index] as number) && (texts[index] as string).startsWith(wanted);
}

/** Adds the exact names among the possible items from a place on. */
function addSame({ same }: Ranks, searchable: Searchable, wanted: string, possible: Uint32Array, at: number) {
  const { nameLengths } = searchable;
  for (let next = at; next < possible.length; next += 1) {
    const index = possible[next] as number;
    if (nameLengths[index] === wanted.length && beginsName(searchable, index, wanted)) same.push(index);
  }
}

/** Adds the items whose name does not begin with the query, until enough have words that do. */
function addLater(ranks: Ranks, containing: Containing['containing'], searchable: Searchable, query: Query): void {
  for (const index of containing) {
    if (ranks.wordwise.length >= query.limit) return;
    if (!beginsName(searchable, index, query.wanted)) addOne(ranks, index, searchable, query);
  }
}

function addOne(ranks: Ranks, index: number, searchable: Searchable, { terms, limit }: Query): void {
  const text = searchable.texts[index] as string;
  const nameLength = searchable.nameLengths[index] as number;
  // Another match in the keywords alone would not be shown.
  if (ranks.rest.length >= limit && text.indexOf(terms[0] ?? '') >= nameLength) return;
  let [isNamed, isWordwise] = [true, true];
  for (const term of terms) {
    const place = placeOf(text, term);
    isNamed &&= place.from < nameLength;
    isWordwise &&= place.beginsWord;
  }
  (!isNamed ? ranks.rest : isWordwise ? ranks.wordwise : ranks.named).push(index);
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

/** Returns the first items that contain every term, tolerating missing letters, in list order. */
function findFuzzily({ texts, letters }: Searchable, { wanted, terms, limit }: Query): readonly number[] {
  if (fuzzy.split(wanted).length === 0) return [];
  const tolerated = terms.filter((term) => fuzzy.split(term).length > 0);
  const possible = allWithLetters(letters, lettersOf(wanted));
  const found: number[] = [];
  for (let start = 0; start < possible.length && found.length < limit; start += comparedAtOnce) {
    let some = Array.from(possible.subarray(start, start + comparedAtOnce));
    for (const term of tolerated) if (some.length > 0) some = fuzzy.filter(texts, term, some) ?? [];
    found.push(...some);
  }
  return found;
}
