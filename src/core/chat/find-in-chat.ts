/** Finds words in what was said in a chat, whether or not it is in the page. */
import { createWorkBudget } from '../base/async';
import { lazy } from '../base/lazy';
import type { TranscriptItem } from './transcript';

export interface FoundPassage {
  /** The place of the message or answer among the items of the chat. */
  readonly place: number;
  /** How many of the passages found in that item precede this one. */
  readonly nth: number;
}

/** Passages that are found at most, so that a single letter lists no million of them. */
export const maxFound = 10_000;

/** What items say, ready to be searched, without and with marks of Markdown; an item that changes is another object. */
const searchable = { drawn: new WeakMap<TranscriptItem, string>(), written: new WeakMap<TranscriptItem, string>() };

/** Marks of Markdown that are left out where they are not drawn. */
const marks = /[*`[\]]/g;

/** Finds all passages, oldest first; stops early when the signal fires. */
export async function findInChat(
  items: readonly TranscriptItem[],
  query: string,
  signal: AbortSignal,
): Promise<readonly FoundPassage[]> {
  const wanted = foldForFind(query);
  const found: FoundPassage[] = [];
  if (wanted.trim() === '') return found;
  // In code, and where they mark nothing, they are drawn, so who looks for them has seen them.
  const form = query.search(marks) < 0 ? 'drawn' : 'written';
  const budget = createWorkBudget(signal);
  for (let place = 0; place < items.length; place += 1) {
    const text = searchableText(items[place]!, form);
    for (const [nth] of placesOf(wanted, text).entries()) found.push({ place, nth });
    if (found.length >= maxFound) return found.slice(0, maxFound);
    if (!(await budget.spend(text.length + 1))) break;
  }
  return found;
}

/** Returns where a text contains the wanted words; both must be folded. */
export function placesOf(wanted: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    places.push(at);
    if (places.length >= maxFound) break;
  }
  return places;
}

/** Returns a text in which spellings that differ only in case or Unicode form are alike; one in NFC keeps its length. */
export function foldForFind(text: string): string {
  // The only letter that would be longer in lowercase.
  return text
    .normalize('NFC')
    .replace(/\u0130/g, 'i')
    .toLowerCase()
    .replace(/\s/g, ' ');
}

/** A character with its marks, or a syllable of Hangul in letters: what the NFC makes one of. Made at its first use. */
const composed = lazy(() => /[\u1100-\u115f]+[\u1160-\u11a7]*[\u11a8-\u11ff]*|.\p{M}*/gsu);

/**
 * Returns where each place of the folded text, and its end, is in the text itself; null if that is unknown. A place inside
 * of a character is where the character begins.
 */
export function placesBeforeFolding(text: string): readonly number[] | null {
  const places: number[] = [];
  for (const { 0: character, index } of text.matchAll(composed())) {
    for (let left = foldForFind(character).length; left > 0; left -= 1) places.push(index);
  }
  places.push(text.length);
  return places.length === foldForFind(text).length + 1 ? places : null;
}

function searchableText(item: TranscriptItem, form: keyof typeof searchable): string {
  const known = searchable[form].get(item);
  if (known !== undefined) return known;
  const said =
    item.type === 'user'
      ? item.text
      : item.type === 'answer'
        ? item.parts
            .flatMap((part) => (part.type !== 'text' ? [] : form === 'drawn' ? withoutMarks(part.text) : part.text))
            .join('\n')
        : '';
  const text = foldForFind(said);
  searchable[form].set(item, text);
  return text;
}

/**
 * Leaves out the marks of Markdown that are not drawn inside of a line, as far as they are plain: no destination is looked
 * for beyond where the next one may begin.
 */
function withoutMarks(text: string): string {
  return text
    .replace(/\]\([^)\s\]]{0,2000}\)/g, '')
    .replace(/\[\[[^[\]|\n]{0,500}\|/g, '')
    .replace(marks, '');
}

/** Returns where a text first has a word of its own, or else as a part of another one; -1 for nowhere. */
export function findWord(word: string, text: string): number {
  const isLetter = (at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at));
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isLetter(at - 1) && !isLetter(at + word.length)) return at;
  return text.indexOf(word);
}
