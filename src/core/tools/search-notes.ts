/** search_notes: finds and ranks the passages of notes that answer a question. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { byteLength, startWithEllipsis } from '../base/cut';
import { toolNames } from '../markup/variables';
import { fail, succeed } from '../ports/failure';
import type { FileEntry, Vault } from '../ports/vault';
import { passageIndexFor } from '../search/passage-index';
import { wordsOf } from '../search/query';
import { searchVault } from '../search/search-vault';
import { hasTag, isInside, isUnindexed, resolveFolder } from './resolve-path';
import { callStopped, matchingBytesFor, wholeBytesFor } from './results';
import { fitPassages, formatSearchResult, type QuotedPassage, sizeOfPassages, summarise } from './search-result';
import { tool } from './tool';

const defaultLimit = 8;
const maxLimit = 20;
/** Bytes for passages up to which a short result is used whole, so that it can show a line of prose. */
const minPassagesBytes = 500;

export const searchNotes = tool({
  name: 'search_notes',
  agent: 'search',
  description:
    'Finds the best passages in the text of notes. Use words that the note would use: other forms of a word match, ' +
    'synonyms do not. "Double quotes" find exact words.',
  others: {
    [toolNames.findNotes]: 'for names, tags and properties',
    [toolNames.readNote]: 'for a whole note',
  },
  brief: {
    description: 'Searches the text of notes. Returns the best passages with their lines.',
    parameters: {
      query: 'Words that the note would use; synonyms do not match. "Quotes" find exact words.',
    },
  },
  parameters: () =>
    z.object({
      query: z.string(),
      folder: z.string().optional(),
      tag: z.string().optional(),
      limit: z.int().min(1).optional().describe(`Default ${defaultLimit}.`),
    }),
  effect: 'reads',
  title: ({ query }) => words.tools.searchTitle(query),
  async run({ query, folder, tag, limit: asked = defaultLimit }, vault, signal, place) {
    const limit = Math.min(asked, maxLimit);
    if (wordsOf(query).length === 0) {
      return fail({ kind: 'invalid-input', words: words.tools.queryEmpty, remedy: words.tools.queryEmptyRemedy });
    }
    const inFolder = resolveFolder(vault, folder ?? '');
    if (!inFolder.ok) return inFolder;
    const wantedTag = tag?.trim() ?? '';
    const inside = vault.files().filter((file) => file.kind === 'note' && isInside(file.path, inFolder.value));
    const { entries, unindexed } =
      wantedTag === '' ? { entries: inside, unindexed: 0 } : withTag(vault, inside, wantedTag);
    // Prompts, skills, and workspaces say what to do with a subject, not what the user knows of it.
    const { agentFolder = '' } = place;
    const isApart = agentFolder !== '' && !isInside(inFolder.value, agentFolder);
    const found = await searchVault(
      vault,
      passageIndexFor(vault),
      query,
      {
        ...{ entries, limit, isGuide: vault.isGuide === true },
        ...(isApart && { ranksLower: (path: string) => isInside(path, agentFolder) }),
      },
      signal,
    );
    if (found.stopped) return fail(callStopped());
    const describe = (shown: readonly QuotedPassage[], isFull: boolean): string =>
      summarise({
        query: startWithEllipsis(query, 200),
        shown: shown.length,
        shownNotes: new Set(shown.map((passage) => passage.path)).size,
        fitting: found.fitting,
        isFull,
        canRaiseLimit: limit < maxLimit && shown.length === found.passages.length,
        areInSameNotes: shown.length === found.selected,
        searched: found.notes,
        unread: found.unread.length,
        absent: found.absent,
        present: found.present,
        isTogether: found.isTogether,
        waiting: found.waiting,
        unindexed,
        unchecked: found.unchecked,
      });
    // A result is read line by line.
    const usable = found.passages.filter(({ path }) => !/[\r\n]/.test(path));
    const bytesUnder = (summary: string): number =>
      Math.min(wholeBytesFor(place) - byteLength(summary), Math.max(matchingBytesFor(place), minPassagesBytes));
    const isFull = sizeOfPassages(usable) > bytesUnder(describe(usable, false));
    const passages = isFull ? fitPassages(usable, query, bytesUnder(describe(usable.slice(0, 1), true))) : usable;
    const summary = describe(passages, isFull);
    return succeed({
      text: formatSearchResult({ summary, passages }),
      sources: passages.map(({ path, trail }) => {
        const heading = trail.at(-1);
        return heading === undefined ? { path } : { path, heading };
      }),
    });
  },
});

/** Returns the notes with a tag, and the number of those whose tags Obsidian does not know yet. */
function withTag(
  vault: Vault,
  notes: readonly FileEntry[],
  tag: string,
): { readonly entries: readonly FileEntry[]; readonly unindexed: number } {
  let unindexed = 0;
  const entries = notes.filter((note) => {
    const tags = vault.tags(note.path);
    if (isUnindexed(note, tags)) unindexed += 1;
    return hasTag(tags ?? [], tag);
  });
  return { entries, unindexed };
}
