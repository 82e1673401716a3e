/** Answers to questions: quoted passages, each with a link to where it stands. */
import { contentWords, wordsOf } from '../../core/search/query';
import { words } from '../../text';
import { linkTo, titleOf } from './note-link';
import { quote } from './quote';

export interface Quotable {
  readonly path: string;
  readonly trail: readonly string[];
  readonly text: string;
}

/** Passages in one answer. */
export const mostPassages = 4;
/** Characters of the first quote, and of each that follows. */
const longestFirst = 700;
const longestLater = 500;

/** Markdown blocks: the lead, then a quote and its link for each passage. */
export function quotePassages(passages: readonly Quotable[], question: string, isAttached: boolean): string[] {
  const shown = passages.slice(0, mostPassages);
  const noteCount = new Set(shown.map((passage) => passage.path)).size;
  const first = shown[0];
  const lead =
    isAttached || first === undefined
      ? words.reader.leadAttached
      : noteCount === 1
        ? words.reader.leadOne(titleOf(first.path))
        : words.reader.leadSeveral(shown.length, noteCount);
  const blocks = [lead];
  shown.forEach((passage, index) => {
    const text = quote(passage.text, question, index === 0 ? longestFirst : longestLater);
    if (text !== '') blocks.push(text);
    const heading = passage.trail.at(-1);
    blocks.push(heading === titleOf(passage.path) ? linkTo(passage.path) : linkTo(passage.path, heading));
  });
  return blocks;
}

/** What is said when nothing fits; the words are those that were looked for. */
export function nothingFound(query: string, hasAttached: boolean, unread: string | undefined): string[] {
  const looked = contentWords(query);
  const list = [...new Set(looked.length > 0 ? looked : wordsOf(query))].map((word) => `“${word}”`);
  const blocks = [hasAttached ? words.reader.nothingAttached : words.reader.nothing];
  if (list.length > 0) blocks.push(words.reader.lookedFor(list));
  if (unread !== undefined) blocks.push(words.reader.unread(unread));
  return [blocks.join(' ')];
}
