/** Query: parses a search query into terms and exact phrases. */
import { foldText } from '../base/fold';
import { lazy } from '../base/lazy';
import { definingWords, introducingWords, type QuestionWords, questionWordsOf } from './question-words';

export interface QueryTerm {
  readonly term: string;
  /** The word as written, folded; shown to people. */
  readonly word: string;
  /** Whether the word says little about the subject: it weighs less and may be missing. */
  readonly light: boolean;
  /** Number of the run of unspaced script that the term was cut from. */
  readonly run?: number;
  /** Alternative terms: joined with a neighbor, such as "setup" for "set up", or the number in a date. */
  readonly joined: readonly string[];
}

export interface Query {
  readonly text: string;
  readonly terms: readonly QueryTerm[];
  /** Folded texts in double quotes, which a passage must contain verbatim. */
  readonly phrases: readonly string[];
  /** All words in order, folded. */
  readonly words: readonly string[];
  /** The stems of all words, function words included, to find neighbors. */
  readonly sequence: readonly string[];
  /** The stems of what it only names, or asks the meaning of; null if it asks for more. */
  readonly subject: string | null;
  /** Common words of each language other than the default that the question uses. */
  readonly marks: readonly (readonly string[])[];
}

/** Nothing between two marks opens again, so that marks without an end cost no more than their number. */
const quoted = /"([^"\n]+)"|“([^“”\n]+)”|„([^„“”\n]+)[“”]|«([^«»\n]+)»|「([^「」\n]+)」/g;

export function parseQuery(text: string): Query {
  const phrases = Array.from(text.matchAll(quoted), (match) =>
    foldPhrase(match.slice(1).find((part) => part !== undefined) ?? ''),
  ).filter((phrase) => phrase !== '');
  const words = wordsOf(text);
  const asked = questionWordsOf(words);
  const dated = datedWords(words);
  const places = [...words.keys()].filter((place) => dated.has(place) || !asked.isStop(words[place] ?? ''));
  const terms = termsOfQuestion(words, places.length === 0 ? [...words.keys()] : places, dated, asked);
  const named = words.filter((each) => !definingWords().has(each));
  const subject = named.length === 0 || named.some(asked.isStop) ? null : named.map(stem).join(' ');
  return { text, terms, phrases, words, sequence: words.map(stem), subject, marks: asked.marks };
}

/** Returns the words of a name that are no function words; all of them if it has no others. */
export function nameWords(text: string): string[] {
  const words = wordsOf(text);
  const { isStop } = questionWordsOf(words);
  const content = words.filter((word) => !isStop(word));
  return content.length === 0 ? words : content;
}

/** Returns the stems of what a note is about by its name, as in the subject of a query. */
export function subjectOf(name: string): string {
  const own = nameWords(name).filter((each) => !introducingWords().has(each));
  return own.map(stem).join(' ');
}

/** Folds a text and replaces each run of white space with one space. */
export function foldPhrase(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim();
}

/** Returns the words that carry the subject of a text, folded and in order. */
export function contentWords(text: string): string[] {
  const words = wordsOf(text);
  const { isStop, isLight } = questionWordsOf(words);
  return words.filter((word) => !isStop(word) && !isLight(word));
}

function termsOfQuestion(
  words: readonly string[],
  places: readonly number[],
  dated: ReadonlyMap<number, string>,
  { isLight }: QuestionWords,
): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const add = (term: QueryTerm): void => {
    if (!terms.has(term.term)) terms.set(term.term, term);
  };
  let runs = 0;
  for (const place of places) {
    const word = words[place] ?? '';
    for (const part of partsOf(word)) {
      if (!part.unspaced) {
        const term = stem(part.text);
        const number = dated.get(place);
        const joined = number === undefined ? joinedSpellings(words, place) : [number];
        add({ term, word, light: isLight(word), joined });
        continue;
      }
      runs += 1;
      for (const gram of gramsOf(part.text, false)) {
        add({ term: gram, word: gram, light: isLight(gram), run: runs, joined: [] });
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

// Dates: month names in a question as numbers, since notes are named like `2026-05-02`.

const months: readonly (readonly string[])[] = [
  ['january', 'jan', 'januar', 'janvier', 'enero'],
  ['february', 'feb', 'februar', 'fevrier', 'febrero'],
  ['march', 'mar', 'marz', 'mars', 'marzo'],
  ['april', 'apr', 'avril', 'abril'],
  ['may', 'mai', 'mayo'],
  ['june', 'jun', 'juni', 'juin', 'junio'],
  ['july', 'jul', 'juli', 'juillet', 'julio'],
  ['august', 'aug', 'aout', 'agosto'],
  ['september', 'sep', 'sept', 'septembre', 'septiembre'],
  ['october', 'oct', 'oktober', 'okt', 'octobre', 'octubre'],
  ['november', 'nov', 'novembre', 'noviembre'],
  ['december', 'dec', 'dezember', 'dez', 'decembre', 'diciembre'],
];

/**
 * Returns the two-digit numbers of the words that form a date with a named month and a year, by word index. A day must
 * be adjacent to its month.
 */
export function datedWords(words: readonly string[]): ReadonlyMap<number, string> {
  const dated = new Map<number, string>();
  words.forEach((word, at) => {
    const month = months.findIndex((names) => names.includes(word));
    if (month === -1) return;
    const dayBefore = dayOf(words[at - 1]);
    const dayAfter = dayOf(words[at + 1]);
    const yearAt = isYear(words[at + 1]) ? at + 1 : dayAfter !== undefined && isYear(words[at + 2]) ? at + 2 : -1;
    if (yearAt === -1) return;
    dated.set(at, String(month + 1).padStart(2, '0'));
    if (dayBefore !== undefined) dated.set(at - 1, dayBefore);
    else if (yearAt === at + 2 && dayAfter !== undefined) dated.set(at + 1, dayAfter);
  });
  return dated;
}

function dayOf(word: string | undefined): string | undefined {
  const day = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? '')?.[1];
  return day !== undefined && Number(day) >= 1 && Number(day) <= 31 ? day.padStart(2, '0') : undefined;
}

function isYear(word: string | undefined): boolean {
  return /^(?:19|20)\d\d$/.test(word ?? '');
}

// Terms: the units by which notes and questions are compared, in any script.

const word = lazy(() => /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu);
/** English endings after an apostrophe; otherwise an apostrophe separates two words, as in French. */
const contraction = /['’ʼ](?:s|t|re|ve|ll|d|m)\b/g;
/** Scripts written without spaces between words, or with particles that cling to them. */
const unspaced = lazy(
  () =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu,
);
const hasUnspaced = lazy(() => new RegExp(unspaced().source, 'u'));

/** Returns words and pictographs in order, folded but not stemmed; runs of unspaced script are one word each. */
export function wordsOf(text: string): string[] {
  const folded = foldText(text);
  return (/['’ʼ]/.test(folded) ? folded.replace(contraction, '') : folded).match(word()) ?? [];
}

/** Returns the terms of a searched text: stems, and for unspaced scripts each character and each pair. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const each of wordsOf(text)) {
    if (isSpaced(each)) terms.push(stem(each));
    else for (const term of termsOfMixed(each)) terms.push(term);
  }
  return terms;
}

/** Returns the terms of a word that contains unspaced script. */
export function termsOfMixed(folded: string): string[] {
  return partsOf(folded).flatMap((part) => (part.unspaced ? gramsOf(part.text, true) : [stem(part.text)]));
}

/** Whether a word contains no unspaced script. */
export function isSpaced(folded: string): boolean {
  return isPlain(folded) || !hasUnspaced().test(folded);
}

interface Part {
  readonly text: string;
  readonly unspaced: boolean;
}

/** Splits a word where spaced and unspaced scripts meet. */
function partsOf(folded: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of folded.matchAll(unspaced())) {
    if (match.index > end) parts.push({ text: folded.slice(end, match.index), unspaced: false });
    parts.push({ text: match[0], unspaced: true });
    end = match.index + match[0].length;
  }
  if (end < folded.length) parts.push({ text: folded.slice(end), unspaced: false });
  return parts;
}

/** Returns the adjacent pairs of a run; with singles also each character, so that a one-character query matches. */
function gramsOf(run: string, singles: boolean): string[] {
  const characters = Array.from(run);
  const grams = characters.slice(1).map((character, index) => (characters[index] ?? '') + character);
  return singles || characters.length === 1 ? [...characters, ...grams] : grams;
}

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) >= 0x0e00) return false;
  return true;
}

/** Letters; what is longer is no word, such as a sequence of bases. */
const maxWordLength = 64;

/**
 * Returns a light English stem: removes plural, -ing and -ed endings, a final e, y or doubled letter. It need not be a
 * word, only equal for the forms of one word. Words with characters other than a-z are returned unchanged.
 */
export function stem(folded: string): string {
  if (folded.length < 4 || folded.length > maxWordLength || !/^[a-z]+$/.test(folded)) return folded;
  let root = withoutPlural(folded);
  for (let shorter = withoutEnding(root); shorter !== root; shorter = withoutEnding(root)) root = shorter;
  if (root.length > 3 && root.endsWith('e')) root = root.slice(0, -1);
  // Both spellings of a verb, and the noun it comes from: summarise, summarize, summary.
  if (root.length > 6 && /i[sz]$/.test(root)) root = root.slice(0, -1);
  if (root.length > 3 && root.endsWith('y')) root = `${root.slice(0, -1)}i`;
  return withoutDoubling(root);
}

// Each looks at the last letters first, since an expression that looks for an end tries the whole word from each letter.
function withoutPlural(text: string): string {
  if (!text.endsWith('s')) return text;
  if (text.length > 4 && text.endsWith('ies')) return `${text.slice(0, -3)}y`;
  if (/(?:[sxz]|[cs]h)es$/.test(text)) return text.slice(0, -2);
  return /[siu]s$/.test(text) ? text : text.slice(0, -1);
}

function withoutEnding(text: string): string {
  if (!text.endsWith('ing') && !text.endsWith('ed')) return text;
  const match = /^(.*[aeiouy].*)(?:ing|ed)$/.exec(text);
  const root = match?.[1];
  return root === undefined || root.length < 3 ? text : withoutDoubling(root);
}

function withoutDoubling(text: string): string {
  const last = text.at(-1);
  return text.length > 3 && last === text.at(-2) && last !== undefined && !'aeiou'.includes(last)
    ? text.slice(0, -1)
    : text;
}
