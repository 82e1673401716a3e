/**
 * Checks context files such as AGENTS.md, and the memory note: whether they can be read, whether they are sent in full
 * (R195, R196), and how much of the context window they use.
 */
import { words } from '../../../text';
import { foldPlace, isAtPlace } from '../../base/fold';
import { contextFileIn, contextFileTokens, memoryPath } from '../../library/context-files';
import { bodyOf } from '../../markdown/properties';
import { cutToTokens } from '../../markup/budget';
import { grouped } from '../../markup/prose';
import { describeFailure } from '../../ports/failure';
import type { Vault } from '../../ports/vault';
import {
  aboutNote,
  type Check,
  type CheckPlace,
  type CheckResult,
  fine,
  fineWithout,
  settleCounts,
  showTokens,
} from '../check';

const say = words.diagnostics.contextFiles;

export const contextFilesCheck: Check = {
  id: 'context-files',
  label: say.label,
  run: async (place, signal) => {
    const { vault, scope } = place;
    const names = place.contextFiles();
    const root = contextFileIn(vault, '', names);
    // Context files of folders are sent when a note there is read, so the next request may not contain them.
    const nested = scope === 'next' ? [] : nestedIn(vault, names);
    const paths = root === undefined ? nested : [root, ...nested];
    const found = await Promise.all(paths.map((path) => judge(path, path === root, place, signal)));
    const results = found.flat();
    if (results.length > 0) return results;
    if (paths.length > 0) return [fine(say.fine(paths.length))];
    const wanted = new Set(names.map(foldPlace));
    return [
      fineWithout(say.none(names.join(', ')), place, (path) =>
        wanted.has(foldPlace(path.slice(path.lastIndexOf('/') + 1))),
      ),
    ];
  },
};

/**
 * Returns the context files of folders. Looks only at folders that contain a file with such a name, since a vault may
 * have very many.
 */
function nestedIn(vault: Vault, names: readonly string[]): string[] {
  const wanted = new Set(names.map((name) => name.trim().toLowerCase()));
  const folders = vault.files().flatMap(({ path }) => {
    const end = path.lastIndexOf('/');
    return end > 0 && wanted.has(path.slice(end + 1).toLowerCase()) ? [path.slice(0, end)] : [];
  });
  return [...new Set(folders)].flatMap((folder) => contextFileIn(vault, folder, names) ?? []);
}

/** Bytes that are never truncated: the rule counts four per token. */
const surelyWhole = contextFileTokens * 4;

async function judge(path: string, inUse: boolean, place: CheckPlace, signal: AbortSignal): Promise<CheckResult[]> {
  const size = place.vault.file(path)?.size ?? 0;
  if (!inUse && size > 0 && size <= surelyWhole) return [];
  const outcome = await place.readNote(path, signal);
  if (!outcome.ok) return [aboutNote(path, 'error', describeFailure(outcome.failure), inUse)];
  const text = outcome.value.text.trim();
  if (text === '') return [aboutNote(path, 'note', say.empty)];
  const { text: shown, cut } = cutToTokens(text, contextFileTokens);
  if (!cut) return [];
  return [aboutNote(path, 'warning', say.cut(grouped(shown.length), grouped(text.length)), inUse)];
}

/** Names the files that the other checks do not see, because the user has not allowed them on this device. */
export const instructionsCheck: Check = {
  id: 'instructions',
  label: words.instructions.title,
  run: ({ waiting }) => {
    const { chosenWaits, isDeclined: declined, noneWaits } = words.instructions;
    const results = (waiting?.() ?? []).map(({ path, isDeclined }) =>
      aboutNote(path, isDeclined ? 'note' : 'warning', isDeclined ? `${declined}.` : chosenWaits),
    );
    return Promise.resolve(results.length === 0 ? [fine(noneWaits)] : results);
  },
};

const memoryWords = words.diagnostics.memory;

/** Maximum share of the context window before too little is left for everything else. */
const largeShare = 0.1;

/**
 * Checks the note with the user's lasting preferences: whether it can be read, and how much of each request it uses.
 */
export const memoryCheck: Check = {
  id: 'memory',
  label: memoryWords.label,
  run: async ({ vault, agentFolder, readNote, tokenizer, next, waiting }, signal) => {
    const path = memoryPath(agentFolder());
    if (vault.file(path) === undefined)
      return [fineWithout(memoryWords.none(path), { waiting }, (each) => isAtPlace(path, each))];
    const outcome = await readNote(path, signal);
    if (!outcome.ok) return [aboutNote(path, 'error', describeFailure(outcome.failure), true)];
    const text = bodyOf(outcome.value.text);
    if (text === '') return [aboutNote(path, 'note', memoryWords.empty)];
    await settleCounts([text], tokenizer);
    const tokens = showTokens(text, tokenizer);
    const share = next.contextWindow === null ? 0 : tokenizer.count(text) / next.contextWindow;
    if (share > largeShare)
      return [aboutNote(path, 'warning', memoryWords.large(tokens, Math.round(share * 100)), true)];
    return [{ ...fine(memoryWords.fine(tokens)), path }];
  },
};
