/** Tasks made from the notes of any vault: find and quote a sentence, say what is missing, edit one note. */
import { wordsOf } from '../../src/core/search/query';
import { changesNothing, changesOnly, links, looksUp, quotes, says, saysMissing, type Task } from './task';

/** Of each kind. */
const perKind = 5;
/** Characters of a sentence that can be asked for. */
const length = { min: 40, max: 160 } as const;
/** Words of a sentence that name it. */
const namingWords = 5;

interface Sentence {
  readonly path: string;
  readonly text: string;
  /** Its rarest words in the vault, in their order. */
  readonly rare: readonly string[];
}

/**
 * The same notes give the same tasks.
 * @param notes texts by path
 */
export function generateTasks(notes: ReadonlyMap<string, string>): readonly Task[] {
  const sentences = spread(sentencesOf(notes), perKind * 2);
  const found = sentences.slice(0, perKind).map(findTask);
  const edited = sentences.slice(perKind).map(editTask);
  return found.length === 0 ? [] : [...found, ...['quorvane', 'blisterwick', 'zanthor'].map(missingTask), ...edited];
}

function findTask({ path, text, rare }: Sentence, index: number): Task {
  const name = nameOf(path);
  const query = rare.join(' ');
  return {
    id: `quote-${index + 1}`,
    kind: 'quote',
    asks: [
      {
        text: `Which sentence in my notes mentions ${rare.join(', ')}? Quote it word for word, with a link to the note.`,
        solution: [{ calls: [{ name: 'search_notes', input: { query } }] }, { answer: `“${text}” ([[${name}]])` }],
        checks: [looksUp, quotes(path, text), links(name), changesNothing],
      },
    ],
  };
}

function missingTask(word: string): Task {
  return {
    id: `missing-${word}`,
    kind: 'missing',
    asks: [
      {
        text: `What do my notes say about ${word}?`,
        solution: [
          { calls: [{ name: 'search_notes', input: { query: word } }] },
          { answer: `I found nothing about ${word} in your notes.` },
        ],
        checks: [looksUp, saysMissing, says(new RegExp(word, 'i'), word), changesNothing],
      },
    ],
  };
}

function editTask({ path, text }: Sentence, index: number): Task {
  const line = `Checked by the eval, number ${index + 1}.`;
  return {
    id: `edit-${index + 1}`,
    kind: 'edit',
    asks: [
      {
        text: `Append the line “${line}” to the end of the note that contains the sentence “${text}”.`,
        solution: [{ calls: [{ name: 'append_to_note', input: { path, text: line } }] }, { answer: 'Proposed.' }],
        checks: [
          changesOnly(
            path,
            (after, before) =>
              after.trimEnd().endsWith(line) && after.trimEnd().slice(0, -line.length).trimEnd() === before.trimEnd(),
            'end with the line, and be as it was before it',
          ),
        ],
      },
    ],
  };
}

/** One sentence of each note: the first one with enough words that the vault has only once. */
function sentencesOf(notes: ReadonlyMap<string, string>): Sentence[] {
  const counts = new Map<string, number>();
  for (const text of notes.values()) {
    for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const names = new Map<string, number>();
  for (const path of notes.keys()) names.set(nameOf(path), (names.get(nameOf(path)) ?? 0) + 1);
  return [...notes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, text]) => {
      if ((names.get(nameOf(path)) ?? 0) > 1) return [];
      for (const [line] of text.matchAll(/^[A-Z][^\n`$|<>[\]*_=%#&{}]*[.!?]$/gm)) {
        const sentence = line.match(/^[^.!?]+[.!?]/)?.[0] ?? '';
        const rare = wordsOf(sentence).filter((word) => word.length > 3 && (counts.get(word) ?? 0) <= 2);
        const fits = sentence.length >= length.min && sentence.length <= length.max && rare.length >= 3;
        if (fits) return [{ path, text: sentence, rare: rare.slice(0, namingWords) }];
      }
      return [];
    });
}

/** Returns that many items from all over the list. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, index) => index % step === 0).slice(0, count);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
}
