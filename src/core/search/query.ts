/** Query: the terms and exact phrases of a question. */
import { foldText } from './fold';
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
  /** Terms of spellings joined with a neighbour, as "setup" for "set up". */
  readonly joined: readonly string[];
}

export interface Query {
  readonly text: string;
  readonly terms: readonly QueryTerm[];
  /** Folded texts in double quotes, which a passage must hold word for word. */
  readonly phrases: readonly string[];
  /** All stems in order, grammar included, to recognise neighbours. */
  readonly sequence: readonly string[];
}

const quoted = /"([^"\n]+)"|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»|「([^」\n]+)」/g;

export function parseQuery(text: string): Query {
  const phrases = Array.from(text.matchAll(quoted), (match) =>
    foldPhrase(match.slice(1).find((part) => part !== undefined) ?? ''),
  ).filter((phrase) => phrase !== '');
  const words = wordsOf(text);
  const stop = stopWordsFor(words);
  const content = words.filter((word) => !stop.has(word));
  const terms = termsOfQuestion(content.length === 0 ? words : content, words);
  return { text, terms, phrases, sequence: words.map(stem) };
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

function termsOfQuestion(content: readonly string[], words: readonly string[]): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  let runs = 0;
  for (const word of content) {
    for (const part of partsOf(word)) {
      if (!part.unspaced) {
        const term = stem(part.text);
        if (!terms.has(term)) terms.set(term, { term, word, light: isLight(word), joined: joinedSpellings(word, words) });
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

function joinedSpellings(word: string, words: readonly string[]): string[] {
  const at = words.indexOf(word);
  const before = words[at - 1];
  const after = words[at + 1];
  const joined: string[] = [];
  if (before !== undefined && before.length > 1) joined.push(stem(before + word));
  if (after !== undefined && after.length > 1) joined.push(stem(word + after));
  return joined;
}
