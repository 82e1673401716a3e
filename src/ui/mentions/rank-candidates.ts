/** Ranks suggestions by the query, over a hundred thousand names within a key press. */
import UFuzzy from '@leeoniya/ufuzzy';
import { applyEdits, editsBetween, historyOf } from '../../core/base/list-edits';
import { foldText } from '../../core/base/fold-text';
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
  /** Results for the prefixes of the query, so that each key press searches only those. */
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
  const contained = findContained(searchable, wanted, terms);
  const best =
    contained.length > 0
      ? likeliest(searchable, contained, wanted, terms, limit)
      : findFuzzily(searchable, wanted, terms);
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

/** Returns the indices of the items that contain every term. */
function findContained({ texts, letters, typed }: Searchable, wanted: string, terms: readonly string[]) {
  while (typed.length > 0 && !wanted.startsWith(typed.at(-1)?.query ?? '')) typed.pop();
  const before = typed.at(-1);
  if (before?.query === wanted) return before.found;
  const needed = lettersOf(wanted);
  const found: number[] = [];
  const check = (index: number): void => {
    if (((letters[index] ?? 0) & needed) !== needed) return;
    const text = texts[index] ?? '';
    for (const term of terms) if (!text.includes(term)) return;
    found.push(index);
  };
  if (before === undefined) for (let index = 0; index < texts.length; index += 1) check(index);
  else for (const index of before.found) check(index);
  typed.push({ query: wanted, found });
  return found;
}

/**
 * Returns the best matches: the exact name, then names that begin with the query, names with words that do, other
 * names, and matches in keywords only; within each, in list order.
 */
function likeliest(
  { texts, nameLengths }: Searchable,
  found: readonly number[],
  wanted: string,
  terms: readonly string[],
  limit: number,
): readonly number[] {
  const [same, beginning, wordwise, named, rest]: number[][] = [[], [], [], [], []];
  const isFull = (list: readonly number[] = []): boolean => list.length >= limit;
  for (const [place, index] of found.entries()) {
    const text = texts[index] ?? '';
    const nameLength = nameLengths[index] ?? 0;
    if (text.startsWith(wanted) && wanted.length <= nameLength) {
      (wanted.length === nameLength ? same : beginning)?.push(index);
    } else if (place < comparedMatches && !isFull(beginning) && !isFull(wordwise)) {
      const places = terms.map((term) => placeOf(text, term));
      const isNamed = places.every(({ from }) => from < nameLength);
      (!isNamed ? rest : places.every(({ beginsWord }) => beginsWord) ? wordwise : named)?.push(index);
    }
  }
  return [same, beginning, wordwise, named, rest].flatMap((list) => list?.slice(0, limit) ?? []);
}

const letter = lazy(() => /[\p{L}\p{N}]/u);

/** Returns the first position where the term begins a word, else its first position. */
function placeOf(text: string, term: string): { readonly from: number; readonly beginsWord: boolean } {
  const first = text.indexOf(term);
  for (let from = first; from >= 0; from = text.indexOf(term, from + 1)) {
    if (from === 0 || !letter().test(text.charAt(from - 1))) return { from, beginsWord: true };
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
