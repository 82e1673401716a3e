/** Questions about a vault that its own notes answer: a line of a note, asked for by its rarer words. */
import type { FileEntry, Vault } from '../../../src/core/ports/vault';
import { structureOf } from '../../../src/core/markdown/structure';
import { contentWords, termsOf } from '../../../src/core/search/query';
import { seededRandom } from '../make-texts';

export interface TurnQuestion {
  /** The note that has the line. */
  readonly path: string;
  /** The line without the blanks around it. No other line of the note, and no other note, has all of the words. */
  readonly line: string;
  /** The words of the line that fewest notes have, as written and in their order. */
  readonly words: readonly string[];
}

interface ReadNote {
  readonly path: string;
  readonly text: string;
  /** The words of the note in the form in which a search compares them. */
  readonly terms: ReadonlySet<string>;
}

/** Characters of a line that is asked for. */
const [minLength, maxLength] = [40, 240];
const wordsPerQuestion = 4;
const fixedSeed = 20_261_123;

/**
 * Draws notes, the same ones each time, and a line of each; notes without such a line are passed over.
 * @param isAsked whether a note may be asked for; all if absent
 */
export async function drawQuestions(
  vault: Pick<Vault, 'files' | 'read'>,
  count: number,
  isAsked: (file: FileEntry) => boolean = () => true,
): Promise<TurnQuestion[]> {
  const files = vault.files().filter((file) => file.kind === 'note' && isAsked(file));
  const notes: ReadNote[] = [];
  for (const { path } of files) {
    const read = await vault.read(path);
    if (read.ok) notes.push({ path, text: read.value.text, terms: new Set(termsOf(read.value.text)) });
  }
  const usage = new Map<string, number>();
  for (const { terms } of notes) for (const term of terms) usage.set(term, (usage.get(term) ?? 0) + 1);
  const random = seededRandom(fixedSeed);
  const questions: TurnQuestion[] = [];
  for (const note of shuffle(notes, random)) {
    if (questions.length === count) break;
    const drawn = shuffle(linesToAsk(note.text), random)
      .map((line) => ({ path: note.path, line, words: rarestWords(line, usage) }))
      .find((question) => isOnlyAnswer(question, notes));
    if (drawn !== undefined) questions.push(drawn);
  }
  return questions;
}

/** Returns the lines of prose: without properties, headings, code, tables, and what is too short or too long. */
function linesToAsk(text: string): string[] {
  const { lines, propertyLines } = structureOf(text);
  let isCode = false;
  const prose = lines.slice(propertyLines).flatMap(({ start, end }) => {
    const line = text.slice(start, end).trim();
    const isFence = /^(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return isFence || isCode || /^[#|<]/.test(line) ? [] : [line];
  });
  return prose.filter((line) => {
    const isFit = line.length >= minLength && line.length <= maxLength && contentWords(line).length >= wordsPerQuestion;
    return isFit && text.indexOf(line) === text.lastIndexOf(line);
  });
}

function rarestWords(line: string, usage: ReadonlyMap<string, number>): string[] {
  const content = new Set(contentWords(line).flatMap(termsOf));
  const known = new Map<string, { readonly word: string; readonly at: number; readonly notes: number }>();
  (line.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).forEach((word, at) => {
    const [term = ''] = termsOf(word);
    if (content.has(term) && !known.has(term)) known.set(term, { word, at, notes: usage.get(term) ?? 0 });
  });
  const rarest = [...known.values()].sort((a, b) => a.notes - b.notes || a.at - b.at).slice(0, wordsPerQuestion);
  return rarest.sort((a, b) => a.at - b.at).map(({ word }) => word);
}

function isOnlyAnswer({ path, words }: TurnQuestion, notes: readonly ReadNote[]): boolean {
  const wanted = words.flatMap(termsOf);
  const fitting = notes.filter(({ terms }) => wanted.every((term) => terms.has(term)));
  if (words.length < wordsPerQuestion || fitting.some((note) => note.path !== path)) return false;
  const lines = fitting.flatMap(({ text }) => text.split('\n').filter((line) => hasWords(line, words)));
  return lines.length === 1;
}

/** Whether a line has all of these words, in any of the forms in which a search finds them. */
export function hasWords(line: string, words: readonly string[]): boolean {
  const terms = new Set(termsOf(line));
  return words.every((word) => termsOf(word).every((term) => terms.has(term)));
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const drawn = items.map((item) => ({ item, order: random() }));
  return drawn.sort((a, b) => a.order - b.order).map(({ item }) => item);
}
