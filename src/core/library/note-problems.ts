/** Finds problems in the user's prompts and workspaces, in plain words for the diagnostics (R128, R131). */
import { words } from '../../text';
import { compareText } from '../base/list-edits';
import { propertiesBlock } from '../markdown/properties';
import type { Vault } from '../ports/vault';
import {
  type ChatFields,
  lacking,
  linkTarget,
  type NoteReader,
  promptsIn,
  type ReadNote,
  workspacesIn,
} from './user-notes';

/** Why a note of the agent folder cannot be used, or only in part. */
export interface NoteProblem {
  readonly path: string;
  readonly kind: 'invalid' | 'broken-properties' | 'missing-tools' | 'missing-folder' | 'missing-note' | 'same-name';
  /** One plain sentence or more. */
  readonly reason: string;
  /** The missing folder. */
  readonly folder?: string;
}

/**
 * Returns the problems by path. A note with invalid properties, or without its tools, is not available; all others are.
 */
export function findProblems(vault: Vault, agentFolder: string, toolNames: readonly string[]): NoteProblem[] {
  return byPath([...findPromptProblems(vault, agentFolder, toolNames), ...findWorkspaceProblems(vault, agentFolder)]);
}

export function findPromptProblems(vault: Vault, agentFolder: string, toolNames: readonly string[]): NoteProblem[] {
  const { read, summaries, neededTools } = promptsIn(vault, agentFolder);
  const unusable = [...neededTools].flatMap(([path, needed]): NoteProblem[] => {
    const missing = lacking(needed, toolNames);
    if (missing.length === 0) return [];
    return [{ path, kind: 'missing-tools', reason: words.agentFolder.toolsMissing(missing) }];
  });
  return byPath([...invalidOf(read), ...unusable, ...missingPins(vault, read), ...sameNames(summaries)]);
}

export function findWorkspaceProblems(vault: Vault, agentFolder: string): NoteProblem[] {
  const { read, summaries } = workspacesIn(vault, agentFolder);
  const lost = summaries.flatMap(({ id: path, rootFolder }): NoteProblem[] => {
    const folder = rootFolder.replace(/^\/+|\/+$/g, '');
    if (folder === '' || vault.folders().includes(folder)) return [];
    return [{ path, kind: 'missing-folder', reason: words.agentFolder.workspaceFolderMissing(folder), folder }];
  });
  return byPath([...invalidOf(read), ...lost, ...missingPins(vault, read), ...sameNames(summaries)]);
}

function invalidOf(read: readonly { readonly path: string; readonly problem: string | undefined }[]): NoteProblem[] {
  return read.flatMap(({ path, problem }) =>
    problem === undefined ? [] : [{ path, kind: 'invalid' as const, reason: problem }],
  );
}

/** Returns the notes that pin others which are not in the vault. */
function missingPins(vault: Vault, read: readonly ReadNote<Pick<ChatFields, 'pinned'>>[]): NoteProblem[] {
  return read.flatMap(({ path, properties }): NoteProblem[] => {
    const targets = (properties?.pinned ?? []).map(linkTarget);
    const missing = targets.filter(
      (target) => vault.file(target) === undefined && vault.resolveLink(target, path) === undefined,
    );
    return missing.length === 0
      ? []
      : [{ path, kind: 'missing-note', reason: words.agentFolder.pinnedMissing(missing) }];
  });
}

/** Returns the notes with the same name as an earlier one; all remain available, since they are selected by path. */
function sameNames(summaries: readonly { readonly id: string; readonly name: string }[]): NoteProblem[] {
  const first = new Map<string, string>();
  return summaries.flatMap(({ id: path, name }): NoteProblem[] => {
    const folded = name.toLowerCase();
    const other = first.get(folded);
    if (other === undefined) {
      first.set(folded, path);
      return [];
    }
    return [{ path, kind: 'same-name', reason: words.diagnostics.sameName(name, other) }];
  });
}

function byPath(problems: readonly NoteProblem[]): NoteProblem[] {
  return [...problems].sort((a, b) => compareText(a.path, b.path));
}

/** Listings are computed once for each state of the vault, however large it is. */
const listings = { prompts: promptsIn, workspaces: workspacesIn };

/**
 * Finds notes whose properties Obsidian cannot read at all. It then reports no properties, so the text of every note
 * without properties has to be checked.
 */
export async function findBrokenProperties(
  vault: Vault,
  agentFolder: string,
  signal: AbortSignal,
  read: NoteReader['readNote'] = (path) => vault.read(path, signal),
  kinds: readonly (keyof typeof listings)[] = ['prompts', 'workspaces'],
): Promise<NoteProblem[]> {
  const paths = kinds.flatMap((kind) => listings[kind](vault, agentFolder).read.map(({ path }) => path));
  const broken = await Promise.all(paths.map((path) => isBroken(vault, path, signal, read)));
  return paths
    .filter((_path, index) => broken[index])
    .map((path) => ({ path, kind: 'broken-properties', reason: words.agentFolder.propertiesBroken }));
}

/** Whether the note has a properties block, but Obsidian reports no properties. */
export async function isBroken(
  vault: Vault,
  path: string,
  signal: AbortSignal,
  read: NoteReader['readNote'],
): Promise<boolean> {
  if (Object.keys(vault.outline(path)?.properties ?? {}).length > 0) return false;
  const outcome = await read(path, signal);
  return outcome.ok && hasProperties(outcome.value.text);
}

/** The start of an unclosed block; the property in its first line distinguishes it from a horizontal rule. */
const openBlock = /^---[ \t]*\r?\n[\w-]+:/;

function hasProperties(text: string): boolean {
  const block = propertiesBlock.exec(text);
  return block === null ? openBlock.test(text) : (block[1] ?? '').trim() !== '';
}
