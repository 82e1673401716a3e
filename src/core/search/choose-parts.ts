/** Chooses the parts of one long note that match a message best. */
import type { WorkBudget } from '../base/async';
import type { Passage } from './passages';
import { contentWords, parseQuery, type QueryTerm, termsOf } from './query';

/** The weight of a word that says little about the subject, and of a word in a heading. */
const lightWeight = 0.25;
const headingWeight = 1.5;
/** How much the repetition of a word can add. */
const saturation = 1.2;
/** The share of the best score that a part needs. */
const minShare = 0.35;

export interface ChosenParts {
  /** In the order of the note; adjacent ones are not joined. */
  readonly parts: readonly Passage[];
  /** Whether they match the message; else they are the beginning of the note. */
  readonly matched: boolean;
}

/**
 * Returns the passages with the rarest words of the message, best first until the room is used; the beginning of the
 * note if none matches, or if the work was stopped. At least one passage, if there is any. Linear in the text.
 * @param room characters
 * @param extra characters that each part takes in addition to its text
 */
export async function chooseParts(
  text: string,
  passages: readonly Passage[],
  message: string,
  { room, extra }: { readonly room: number; readonly extra: number },
  budget: WorkBudget,
): Promise<ChosenParts> {
  // Words such as "summarize this note" are in every part or in none.
  const asked = contentWords(message).length === 0 ? [] : parseQuery(message).terms;
  const scores = await scorePassages(text, passages, asked, budget);
  const best = scores.reduce((max, score) => Math.max(max, score), 0);
  if (best === 0) return { parts: firstParts(passages, room / 2), matched: false };
  const ranked = passages
    .map((passage, place) => ({ passage, place, score: scores[place] ?? 0 }))
    .filter(({ score }) => score >= best * minShare)
    .sort((a, b) => b.score - a.score || a.place - b.place);
  let left = room;
  const chosen = ranked.filter(({ passage }, rank) => {
    const size = passage.end - passage.start + extra;
    if (rank > 0 && size > left) return false;
    left -= size;
    return true;
  });
  return { parts: chosen.sort((a, b) => a.place - b.place).map(({ passage }) => passage), matched: true };
}

/** Returns the passages before the first one that does not fit. */
function firstParts(passages: readonly Passage[], room: number): readonly Passage[] {
  const [first] = passages;
  if (first === undefined) return [];
  const end = passages.findIndex((passage, index) => index > 0 && passage.end - first.start > room);
  return end === -1 ? passages : passages.slice(0, end);
}

/** Returns a score for each passage; only zeros if the work was stopped. */
async function scorePassages(
  text: string,
  passages: readonly Passage[],
  asked: readonly QueryTerm[],
  budget: WorkBudget,
): Promise<Float64Array> {
  const scores = new Float64Array(passages.length);
  if (asked.length === 0) return scores;
  const places = new Map(asked.flatMap(({ term, joined }, index) => [term, ...joined].map((each) => [each, index])));
  const found: { readonly place: number; readonly term: number; readonly value: number }[] = [];
  const spread = new Uint32Array(asked.length);
  for (const [place, passage] of passages.entries()) {
    const going = budget.spend(passage.end - passage.start);
    if (going !== true && !(await going)) return scores;
    for (const [term, value] of valuesIn(text, passage, places)) {
      found.push({ place, term, value });
      spread[term] = (spread[term] ?? 0) + 1;
    }
  }
  for (const { place, term, value } of found) {
    const rarity = Math.log(1 + (passages.length + 0.5) / ((spread[term] ?? 0) + 0.5));
    const weight = asked[term]?.light === true ? lightWeight : 1;
    scores[place] = (scores[place] ?? 0) + value * rarity * weight;
  }
  return scores;
}

/** Returns how often a passage and its own heading have each of the words, more and more of them counting less. */
function valuesIn(text: string, passage: Passage, places: ReadonlyMap<string, number>): Map<number, number> {
  const counts = new Map<number, number>();
  const add = (words: readonly string[], weight: number): void => {
    for (const word of words) {
      const term = places.get(word);
      if (term !== undefined) counts.set(term, (counts.get(term) ?? 0) + weight);
    }
  };
  add(termsOf(text.slice(passage.start, passage.end)), 1);
  add(termsOf(passage.trail.at(-1) ?? ''), headingWeight);
  for (const [term, count] of counts) counts.set(term, (count * (saturation + 1)) / (count + saturation));
  return counts;
}
