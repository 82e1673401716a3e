/** search_notes: finds and ranks the passages of notes that answer a question. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { toolNames } from '../markup/variables';
import { fail, succeed } from '../ports/failure';
import { passageIndexFor } from '../search/passage-index';
import { parseQuery, termsOf, wordsOf } from '../search/query';
import { searchVault } from '../search/search-vault';
import { hasTag, isInside, resolveFolder } from './resolve-path';
import { bytesFor, callStopped, headWithin, utf8Length } from './results';
import { formatPassage, formatSearchResult, type QuotedPassage, summarise } from './search-result';
import { tool } from './tool';

const defaultLimit = 8;
const maxLimit = 20;

export const searchNotes = tool({
  name: 'search_notes',
  agent: 'search',
  description:
    'Searches the text of notes and returns the best passages with path, headings and line numbers. Give a question or ' +
    'the words that the note would use. Other forms of a word match, synonyms do not; "double quotes" search for exact ' +
    'words.',
  others: {
    [toolNames.findNotes]: 'to find notes by name, tag or property',
    [toolNames.readNote]: 'to read a whole note',
  },
  brief: {
    description: 'Searches the text of notes. Returns the best passages with path, headings and line numbers.',
    parameters: {
      query: 'Words that the note would use; synonyms do not match. "Quotes" for exact words.',
      limit: 'Passages.',
    },
  },
  parameters: () =>
    z.object({
      query: z.string().describe('The question or words to look for.'),
      folder: z.string().optional().describe('Only notes in this folder or below it.'),
      tag: z.string().optional().describe('Only notes with this tag or one nested in it.'),
      limit: z.int().min(1).max(maxLimit).optional().describe(`Passages to return; ${defaultLimit} by default.`),
    }),
  effect: 'reads',
  title: ({ query }) => words.tools.searchTitle(query),
  async run({ query, folder, tag, limit = defaultLimit }, vault, signal, place) {
    if (wordsOf(query).length === 0) {
      return fail({ kind: 'invalid-input', words: words.tools.queryEmpty, remedy: words.tools.queryEmptyRemedy });
    }
    const inFolder = resolveFolder(vault, folder ?? '');
    if (!inFolder.ok) return inFolder;
    const wantedTag = tag?.trim() ?? '';
    const entries = vault
      .files()
      .filter((file) => file.kind === 'note' && isInside(file.path, inFolder.value))
      .filter((file) => wantedTag === '' || hasTag(vault.outline(file.path)?.tags ?? [], wantedTag));
    const found = await searchVault(vault, passageIndexFor(vault), query, { entries, limit }, signal);
    if (found.stopped) return fail(callStopped());
    const bytes = bytesFor(place);
    const passages = withinBudget(shortenAll(found.passages, query, bytes), bytes);
    const summary = summarise({
      query: query.length > 200 ? `${query.slice(0, 200)}…` : query,
      shown: passages.length,
      shownNotes: new Set(passages.map((passage) => passage.path)).size,
      fitting: found.fitting,
      searched: found.notes,
      unread: found.unread.length,
      absent: found.absent,
      present: found.present,
    });
    return succeed({
      text: formatSearchResult({ summary, passages }),
      sources: passages.map(({ path, trail }) => {
        const heading = trail.at(-1);
        return heading === undefined ? { path } : { path, heading };
      }),
    });
  },
});

/** A result in a small context window has space for about this many passages, and passages are shortened to fit. */
const shortPassages = 3;
/** Bytes of a passage's text that are always shown, and of its path, headings, and lines. */
const minText = 160;
const frameBytes = 120;

/** Shortens the passages to the lines that have most words of the query if only few of them would fit. */
function shortenAll(passages: readonly QuotedPassage[], query: string, bytes: number): readonly QuotedPassage[] {
  const limit = Math.max(minText, Math.floor(bytes / shortPassages) - frameBytes);
  const asked = new Set(parseQuery(query).terms.map(({ term }) => term));
  return passages.map((passage) =>
    utf8Length(passage.text) <= limit ? passage : shortenPassage(passage, asked, limit),
  );
}

/** Returns the best line and as many lines around it as fit, those after it first. */
function shortenPassage(passage: QuotedPassage, asked: ReadonlySet<string>, limit: number): QuotedPassage {
  const lines = passage.text.split('\n');
  const best = bestOf(lines, asked);
  const line = lines[best] ?? '';
  let [first, last, left] = [best, best, limit - utf8Length(line)];
  if (left < 0) {
    const number = passage.startLine + best;
    const sentences = line.match(/[^.!?]+[.!?]*\s*|[.!?]+\s*/g) ?? [];
    const from = sentences.slice(0, bestOf(sentences, asked)).join('').length;
    return { ...passage, startLine: number, endLine: number, cut: true, text: headWithin(line.slice(from), limit) };
  }
  for (;;) {
    const after = utf8Length(lines[last + 1] ?? '') + 1;
    const before = utf8Length(lines[first - 1] ?? '') + 1;
    if (last + 1 < lines.length && after <= left) [last, left] = [last + 1, left - after];
    else if (first > 0 && before <= left) [first, left] = [first - 1, left - before];
    else break;
  }
  const [startLine, endLine] = [passage.startLine + first, passage.startLine + last];
  const isCut = passage.cut && (first === 0 || last === lines.length - 1);
  return { ...passage, startLine, endLine, cut: isCut, text: lines.slice(first, last + 1).join('\n') };
}

/** Returns the index of the text that has most of the terms. */
function bestOf(texts: readonly string[], asked: ReadonlySet<string>): number {
  const scores = texts.map((text) => new Set(termsOf(text).filter((term) => asked.has(term))).size);
  return Math.max(0, scores.indexOf(scores.reduce((a, b) => Math.max(a, b), 0)));
}

/** Returns the passages that fit one result, without those whose path contains a line break. */
function withinBudget(passages: readonly QuotedPassage[], bytes: number): QuotedPassage[] {
  let used = 0;
  return passages.filter((passage, index) => {
    used += utf8Length(formatPassage(passage, index)) + 2;
    return used <= bytes && !/[\r\n]/.test(passage.path);
  });
}
