/** Score: how well each passage of a note answers a query. */
import type { MatchedTerm } from './match-terms';
import type { IndexedNote, IndexedPassage } from './passage-index';

export interface ScoredPassage {
  readonly note: IndexedNote;
  readonly passage: IndexedPassage;
  readonly score: number;
  /** Share of the question, weighted by rarity, that stands in the passage, its headings or the names of its note. */
  readonly coverage: number;
}

const saturation = 1.2;
const lengthInfluence = 0.6;
/** Worth of a term by where it stands; in the text it is worth at most 1 + saturation. */
const worth = { heading: 1.6, above: 0.6, title: 1.2, alias: 1, tag: 0.8, folder: 0.4 };
/** A term in several names is worth its best place and this share of the others. */
const extraName = 0.2;
/** Worth of names that a question spells out whole. */
const wholeName = { heading: 1.5, title: 1.1 };
const propertiesFactor = 0.6;
/** How far a note's other passages count towards coverage. */
const elsewhere = 0.5;

export function scoreNote(note: IndexedNote, terms: readonly MatchedTerm[], averageLength: number): ScoredPassage[] {
  const total = terms.reduce((sum, term) => sum + term.weight, 0);
  if (total === 0) return [];
  const inNote = new Set<MatchedTerm>();
  const numbers = new Map<number, MatchedTerm>();
  for (const term of terms) {
    for (const { number } of term.numbers) {
      numbers.set(number, term);
      if (placeOf(note.all, number, 0, note.all.length) !== -1) inNote.add(term);
    }
  }
  if (inNote.size === 0) return [];
  const noteCoverage = share([...inNote], total);
  const nameFit = Math.max(0, ...[note.title, ...note.aliases].map((name) => fitOf(name, numbers, terms, total)));
  return note.passages.map((passage) => {
    let score = 0;
    const found: MatchedTerm[] = [];
    for (const term of inNote) {
      let best = 0;
      for (const { number, factor } of term.numbers) {
        const value = factor * valueOf(note, passage, number, averageLength);
        if (value > best) best = value;
      }
      if (best === 0) continue;
      found.push(term);
      score += best * term.rarity * (term.asked.light ? 0.4 : 1);
    }
    const own = share(found, total);
    const coverage = own === 0 ? 0 : own + elsewhere * (noteCoverage - own);
    score *= 0.2 + 0.8 * coverage ** 1.5;
    const headingFit = fitOf(passage.heading, numbers, terms, total);
    const isOpening = passage.passage.trail.length <= 1;
    score += total * wholeName.title * nameFit * (isOpening && nameFit > 0.95 ? 1.3 : 0.8);
    score += total * wholeName.heading * (isOpening && headingFit === nameFit ? 0.3 : 1) * headingFit;
    if (passage.passage.kind === 'properties') score *= propertiesFactor;
    return { note, passage, score, coverage };
  });
}

function valueOf(note: IndexedNote, passage: IndexedPassage, number: number, averageLength: number): number {
  let value = 0;
  const place = placeOf(note.terms, number, passage.from, passage.to);
  if (place !== -1) {
    const count = note.counts[place] ?? 0;
    const length = 1 - lengthInfluence + (lengthInfluence * passage.length) / averageLength;
    value += (count * (saturation + 1)) / (count + saturation * length);
  }
  let named = 0;
  const add = (stands: boolean, value: number): void => {
    if (stands) named = Math.max(named, value) + extraName * Math.min(named, value);
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

/** How far a name and the question are the same: the share of the name that is asked for times the share it covers. */
function fitOf(
  name: readonly number[],
  numbers: ReadonlyMap<number, MatchedTerm>,
  terms: readonly MatchedTerm[],
  total: number,
): number {
  if (name.length === 0 || terms.length === 0) return 0;
  const hit = new Set<MatchedTerm>();
  let asked = 0;
  for (const number of name) {
    const term = numbers.get(number);
    if (term === undefined) continue;
    asked += 1;
    hit.add(term);
  }
  return asked === 0 ? 0 : (asked / name.length) * Math.sqrt(share([...hit], total));
}

function share(found: readonly MatchedTerm[], total: number): number {
  return found.reduce((sum, term) => sum + term.weight, 0) / total;
}

/** Binary search of a sorted stretch; -1 when the number is not there. */
function placeOf(sorted: Uint32Array, number: number, from: number, to: number): number {
  let low = from;
  let high = to - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] ?? 0;
    if (value === number) return middle;
    if (value < number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
