/** Matches the terms of a query with those of an index, and weighs them. */
import { remember } from '../base/lazy';
import { compareText } from '../base/list-edits';
import type { PassageIndex } from './passage-index';
import { type Query, type QueryTerm, stem } from './query';

export interface MatchedTerm {
  readonly asked: QueryTerm;
  /** Matching terms of the index, with how well each matches. */
  readonly spellings: readonly { readonly term: string; readonly factor: number }[];
  /** Inverse document frequency: high for words that few notes contain. */
  readonly rarity: number;
  /** The part of the rarity that counts toward coverage. */
  readonly weight: number;
}

/** Virtual notes added to the count, so that rarity is meaningful even in a vault of three notes. */
const background = 100;
const lightWeight = 0.25;
const joinedFactor = 0.8;
const nearFactor = 0.5;

/** Matches the terms of a query with those of the index, with the rarity of each. */
export function matchTerms(query: Query, index: PassageIndex, isGuide: boolean): MatchedTerm[] {
  const notes = index.noteCount + background;
  // Many words of a long query begin with the same character, and each list is long.
  const termsFrom = remember(maxLists, (first) => index.termsLike(first));
  const isMute = isGuide || isInOtherLanguage(query, index);
  const matched = query.terms.map((asked): MatchedTerm => {
    const spellings: { term: string; factor: number }[] = [];
    let spread = 1;
    const add = (term: string, factor: number): void => {
      const found = index.spreadOf(term);
      if (found === 0) return;
      spellings.push({ term, factor });
      spread = Math.max(spread, found);
    };
    add(asked.term, 1);
    for (const spelling of asked.joined) add(spelling, joinedFactor);
    if (spellings.length === 0 && !asked.light) {
      for (const term of nearSpellings(asked.term, index, termsFrom)) add(term, nearFactor);
    }
    const rarity = Math.log(1 + (notes - spread + 0.5) / (spread + 0.5));
    const weight = spellings.length > 0 || !(asked.light || isMute) ? rarity : 0;
    return { asked, spellings, rarity, weight };
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
  return marks.some((words) => words.every((word) => index.spreadOf(stem(word)) < limit));
}

/**
 * Drops character pairs that only arise where two words of an unspaced script meet: absent pairs whose characters both
 * belong to adjacent pairs that are present.
 */
function withoutSeams(matched: readonly MatchedTerm[]): MatchedTerm[] {
  return matched.filter((each, place) => {
    if (each.asked.run === undefined || each.spellings.length > 0) return true;
    const before = matched[place - 1];
    const after = matched[place + 1];
    const present = (other: MatchedTerm | undefined): boolean =>
      other !== undefined && other.asked.run === each.asked.run && other.spellings.length > 0;
    return !(present(before) && present(after));
  });
}

/** How many near spellings of a word count, those in most notes first. */
const maxNear = 5;

/** Lists of terms that are made for one query at most. */
const maxLists = 100;

/** Returns terms that start with the given one, or differ by one extra, missing, or transposed letter. */
function nearSpellings(term: string, index: PassageIndex, termsFrom: (first: string) => ReadonlySet<string>): string[] {
  if (term.length < 5 || /\d/.test(term)) return [];
  const near: { readonly known: string; readonly spread: number }[] = [];
  const [first = ''] = term;
  for (const known of termsFrom(first)) {
    if (Math.abs(known.length - term.length) > 3) continue;
    if (!known.startsWith(term) && (term.length < 6 || !isOneSlip(known, term))) continue;
    near.push({ known, spread: index.spreadOf(known) });
  }
  near.sort((a, b) => b.spread - a.spread || compareText(a.known, b.known));
  return near.slice(0, maxNear).map(({ known }) => known);
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
