/** Query: the terms and exact phrases of a question. */
import { foldText } from '../base/fold-text';
import { datedWords } from './dates';
import { isLight, stopWordsFor } from './stop-words';
import { gramsOf, partsOf, stem, wordsOf } from './terms';

export interface QueryTerm {
  readonly term: string;
  /** As asked, folded; what people are shown. */
  readonly word: string;
  /** Says little of the subject: ranks a little, and may be missing. */
  readonly light: boolean;
  /** Place in the list of terms of the run of unspaced script it is cut from. */
  readonly run?: number;
  /** Terms that stand for it as well: joined with a neighbour, as "setup" for "set up", or as numbers in a date. */
  readonly joined: readonly string[];
}

export interface Query {
  readonly text: string;
  readonly terms: readonly QueryTerm[];
  /** Folded texts in double quotes, which a passage must hold word for word. */
  readonly phrases: readonly string[];
  /** All words in order, folded. */
  readonly words: readonly string[];
  /** Their stems, grammar included, to recognise neighbours. */
  readonly sequence: readonly string[];
}

const quoted = /"([^"\n]+)"|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»|「([^」\n]+)」/g;

export function parseQuery(text: string): Query {
  const phrases = Array.from(text.matchAll(quoted), (match) =>
    foldPhrase(match.slice(1).find((part) => part !== undefined) ?? ''),
  ).filter((phrase) => phrase !== '');
  const words = wordsOf(text);
  const stop = stopWordsFor(words);
  const dated = datedWords(words);
  const places = [...words.keys()].filter((place) => dated.has(place) || !stop.has(words[place] ?? ''));
  const terms = termsOfQuestion(words, places.length === 0 ? [...words.keys()] : places, dated);
  return { text, terms, phrases, words, sequence: words.map(stem) };
}

/** Folded, with every run of white space as one space. */
export function foldPhrase(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim();
}

/** The words of a question that say what it is about, folded, in order. */
export function contentWords(text: string): string[] {
  const words = wordsOf(text);
  const stop = stopWordsFor(words);
  return words.filter((word) => !stop.has(word) && !isLight(word));
}

function termsOfQuestion(
  words: readonly string[],
  places: readonly number[],
  dated: ReadonlyMap<number, string>,
): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  let runs = 0;
  for (const place of places) {
    const word = words[place] ?? '';
    for (const part of partsOf(word)) {
      if (!part.unspaced) {
        const term = stem(part.text);
        const number = dated.get(place);
        const joined = number === undefined ? joinedSpellings(words, place) : [number];
        if (!terms.has(term)) terms.set(term, { term, word, light: isLight(word), joined });
        continue;
      }
      runs += 1;
      for (const gram of gramsOf(part.text, false)) {
        if (!terms.has(gram)) terms.set(gram, { term: gram, word: gram, light: isLight(gram), run: runs, joined: [] });
      }
    }
  }
  const all = [...terms.values()];
  return all.every((each) => each.light) ? all.map((each) => ({ ...each, light: false })) : all;
}

function joinedSpellings(words: readonly string[], place: number): string[] {
  const word = words[place] ?? '';
  const around = [words[place - 1], words[place + 1]];
  return around.flatMap((other, side) =>
    other === undefined || other.length < 2 ? [] : [stem(side === 0 ? other + word : word + other)],
  );
}
