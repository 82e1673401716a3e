/**
 * Passages: a note split into short texts, each with its trail of headings; its sentences, and the parts that match a
 * message.
 */
import { type Steps, takeSteps, type WorkBudget } from '../base/async';
import { startOf } from '../base/cut';
import { type Line, type NoteStructure, structureOf, type TextHeading } from '../markdown/structure';
import { contentWords, parseQuery, type QueryTerm, stem, termsOf } from './query';

/** Characters after which a passage ends at the next empty line. */
const softLength = 700;
/** Characters after which a passage ends at any line. */
const hardLength = 1_400;

/** Characters of a heading in the trail of each passage below it; a longer one is searched as text, once. */
const maxStep = 300;

export interface Passage {
  readonly kind: 'properties' | 'text';
  /** Headings above it, outermost first; empty before the first heading. */
  readonly trail: readonly string[];
  /** One-based, both included. */
  readonly startLine: number;
  readonly endLine: number;
  /** Offsets in the note's text, without the last line's end. */
  readonly start: number;
  readonly end: number;
  /** Whether it starts or ends inside a line. */
  readonly cut: boolean;
  /** Whether the text belongs to the heading itself; else it is a preview of the text under its subheadings. */
  readonly own: boolean;
}

export function passagesOf(text: string, structure: NoteStructure = structureOf(text)): Passage[] {
  return takeSteps(passageSteps(text, structure));
}

/** Finds the same in steps, for texts of any length. */
export function* passageSteps(text: string, structure: NoteStructure): Steps<Passage[]> {
  const { lines, propertyLines, headings } = structure;
  const passages: Passage[] = [];
  const note = { text, lines };
  if (propertyLines > 2) yield* pieceSteps(passages, note, [1, propertyLines - 1], [], 'properties');
  yield* pieceSteps(passages, note, [propertyLines, headings[0]?.line ?? lines.length], [], 'text');
  const open: TextHeading[] = [];
  for (const [index, heading] of headings.entries()) {
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    open.push(heading);
    const trail = open.map((each) => startOf(each.text, maxStep));
    const next = headings[index + 1]?.line ?? lines.length;
    const before = passages.length;
    // A text above a rule is a heading too, though its author may not mean it.
    const isText = heading.isUnderlined === true || heading.text.length > maxStep;
    const from = isText ? heading.line : heading.line + 1;
    yield* pieceSteps(passages, note, [from, next], trail, 'text');
    if (passages.length > before) continue;
    const preview = previewOf(note, headings, index, trail);
    if (preview !== undefined) passages.push({ ...preview, own: false });
  }
  return passages;
}

interface NoteLines {
  readonly text: string;
  readonly lines: readonly Line[];
}

/** Returns the beginning of what is under the subheadings of a heading without text, or the heading itself. */
function previewOf(
  note: NoteLines,
  headings: readonly TextHeading[],
  index: number,
  trail: readonly string[],
): Passage | undefined {
  const { level, line } = headings[index] ?? { level: 0, line: 0 };
  let after = index + 1;
  while ((headings[after]?.level ?? 0) > level) after += 1;
  const sectionEnd = headings[after]?.line ?? note.lines.length;
  const shown: Passage[] = [];
  addPieces(shown, note, line + 1, Math.min(sectionEnd, line + 40), trail, 'text');
  if (shown.length === 0) addPieces(shown, note, line, line + 1, trail, 'text');
  return shown[0];
}

/** Pieces that one step adds, a millisecond of work, and the units of each. */
const stepPieces = 100;
const stepLines = 4_000;
const unitsPerPiece = 250;

/** Adds the text of lines from..to in steps. */
function* pieceSteps(
  passages: Passage[],
  note: NoteLines,
  [from, to]: readonly [number, number],
  trail: readonly string[],
  kind: Passage['kind'],
): Steps<void> {
  for (let index = from; index < to;) {
    const before = passages.length;
    index = addPieces(passages, note, index, to, trail, kind);
    yield (passages.length - before + 1) * unitsPerPiece;
  }
}

/**
 * Adds the text of lines from..to (zero-based, end excluded) in pieces of a readable length; returns the line to go on
 * from.
 */
function addPieces(
  passages: Passage[],
  { text, lines }: NoteLines,
  from: number,
  to: number,
  trail: readonly string[],
  kind: Passage['kind'],
): number {
  const blank = (index: number): boolean => {
    const line = lines[index];
    return line === undefined || text.slice(line.start, line.end).trim() === '';
  };
  const add = (first: number, last: number, start: number, end: number): void => {
    const cut = start !== lines[first]?.start || end !== lines[last]?.end;
    passages.push({ kind, trail, startLine: first + 1, endLine: last + 1, start, end, cut, own: true });
  };
  const enough = passages.length + stepPieces;
  const stop = Math.min(to, from + stepLines);
  let index = from;
  while (index < stop && passages.length < enough) {
    const first = lines[index];
    if (first === undefined) return to;
    if (blank(index)) {
      index += 1;
      continue;
    }
    if (first.end - first.start > hardLength) {
      for (const [start, end] of cutLine(text, first)) add(index, index, start, end);
      index += 1;
      continue;
    }
    let last = index;
    for (let next = index + 1; next < to; next += 1) {
      const line = lines[next];
      if (line === undefined) break;
      const length = line.end - first.start;
      if (length > hardLength || (length > softLength && blank(next))) break;
      if (!blank(next)) last = next;
    }
    add(index, last, first.start, lines[last]?.end ?? first.end);
    index = last + 1;
  }
  return index;
}

/** Splits one long line, after a sentence where possible. */
function cutLine(text: string, line: Line): [number, number][] {
  const parts: [number, number][] = [];
  let start = line.start;
  while (line.end - start > hardLength) {
    const window = text.slice(start, start + hardLength);
    const sentence = Math.max(
      ...['. ', '! ', '? ', '。', '！', '？'].map((mark) => window.lastIndexOf(mark) + mark.length),
    );
    const space = window.lastIndexOf(' ') + 1;
    let length = sentence > softLength / 2 ? sentence : space > softLength / 2 ? space : softLength;
    if (/[\ud800-\udbff]/.test(window.charAt(length - 1))) length -= 1;
    parts.push([start, start + length]);
    start += length;
  }
  parts.push([start, line.end]);
  return parts;
}

// Sentences: splitting a text into them, and selecting the most representative ones.

/** Splits a text into sentences with their trailing white space; joined, they are the text again. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  const mark = /([.!?…])[.!?…]*["”’)\]*_]*(\s+|$)?|[。！？]+|\n+/g;
  for (let start = 0, from = 1; start < text.length;) {
    mark.lastIndex = from;
    const [found, point, space] = mark.exec(text) ?? [];
    from = found === undefined ? text.length : mark.lastIndex;
    // A point within a word, such as in `note.md`, ends nothing.
    if (point !== undefined && space === undefined) continue;
    sentences.push(text.slice(start, from));
    start = from;
    from += 1;
  }
  return sentences;
}

const shortestSentence = 25;
const maxSentenceLength = 400;

/** Returns the sentences of prose, without code, tables, embeds, and rules. */
export function proseOf(text: string): string[] {
  const prose: string[] = [];
  let fence = false;
  for (const line of text.replace(/\r/g, '').split('\n')) {
    if (/^[\s>]*(?:`{3,}|~{3,})/.test(line)) {
      fence = !fence;
      continue;
    }
    if (fence || /^\s*(?:\||!\[|%%|[-*_]{3,}\s*$|>\s*\[!|#{1,6}\s)/.test(line)) continue;
    const bare = line.replace(/^[\s>]*(?:[-*+]\s+(?:\[.\]\s+)?|\d+[.)]\s+)?/, '');
    for (const sentence of sentencesOf(bare)) {
      const shown = sentence.trim();
      if (shown.length >= shortestSentence && shown.length <= maxSentenceLength) prose.push(shown);
    }
  }
  return prose;
}

/** Counts the content words of a text by stem. */
export function weightsOf(text: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const word of contentWords(text)) weights.set(stem(word), (weights.get(stem(word)) ?? 0) + 1);
  return weights;
}

/** Returns the mean weight of a sentence's words; sentences early in a section weigh more. */
export function weigh(sentence: string, weights: ReadonlyMap<string, number>, before: number): number {
  const terms = [...new Set(contentWords(sentence).map(stem))];
  if (terms.length === 0) return 0;
  const sum = terms.reduce((total, term) => total + Math.log(1 + (weights.get(term) ?? 0)), 0);
  return (sum / (terms.length + 3)) * (1 + 0.6 / (1 + before));
}

/** Returns the heaviest sentences of several texts, each once, in their original order. */
export function heaviestSentences(texts: readonly string[], max: number): string[] {
  const weights = weightsOf(texts.join('\n'));
  const sentences = [...new Set(texts.flatMap(proseOf))].map((text, place) => ({ text, place }));
  return sentences
    .map((sentence) => ({ ...sentence, weight: weigh(sentence.text, weights, 1) }))
    .sort((a, b) => b.weight - a.weight || a.place - b.place)
    .slice(0, max)
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text);
}

// Parts: choosing the passages of one long note that match a message best.

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
