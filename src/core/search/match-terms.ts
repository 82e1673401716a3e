/** Matched terms: the terms of a query as the index knows them, with how rare each is. */
import type { PassageIndex } from './passage-index';
import type { Query, QueryTerm } from './query';

export interface MatchedTerm {
  readonly asked: QueryTerm;
  /** Numbers in the index that stand for it, with how well each does. */
  readonly numbers: readonly { readonly number: number; readonly factor: number }[];
  /** Inverse document frequency: high for words that few notes hold. */
  readonly rarity: number;
  /** Part of the rarity that counts when asking how much of the question a passage covers. */
  readonly weight: number;
}

/** Notes added in thought, so that rarity means something in a vault of three notes. */
const background = 100;
const lightWeight = 0.25;
const joinedFactor = 0.8;
const nearFactor = 0.5;

export function matchTerms(query: Query, index: PassageIndex): MatchedTerm[] {
  const notes = index.noteCount + background;
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
    const weight = !asked.light ? rarity : numbers.length === 0 ? 0 : rarity * lightWeight;
    return { asked, numbers, rarity, weight };
  });
  return withoutSeams(matched);
}

/**
 * Pairs of characters that only arise where two words of an unspaced script meet say nothing: an absent pair whose
 * two characters both belong to neighbouring pairs that are present.
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

/** Terms that begin with the one asked for, or differ by one letter too many, too few, or two in the wrong order. */
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
