/** What is wrong with the user's prompts and workspaces, in plain words for the diagnostics (R128, R131). */
import { words } from '../../text';
import { propertiesBlock } from '../markdown/properties';
import type { Vault } from '../ports/vault';
import { lacking, type NoteReader, promptsIn, workspacesIn } from './user-notes';

/** Why a note of the agent folder cannot be used, or not fully. */
export interface NoteProblem {
  readonly path: string;
  readonly kind: 'invalid' | 'broken-properties' | 'missing-tools' | 'missing-folder' | 'same-name';
  /** One plain sentence or more. */
  readonly reason: string;
  /** The folder that is missing. */
  readonly folder?: string;
}

/** By path. A note with invalid properties, or without its tools, is not offered; all others are. */
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
  return byPath([...invalidOf(read), ...unusable, ...sameNames(summaries)]);
}

export function findWorkspaceProblems(vault: Vault, agentFolder: string): NoteProblem[] {
  const { read, summaries } = workspacesIn(vault, agentFolder);
  const lost = summaries.flatMap(({ id: path, rootFolder }): NoteProblem[] => {
    const folder = rootFolder.replace(/^\/+|\/+$/g, '');
    if (folder === '' || vault.folders().includes(folder)) return [];
    return [{ path, kind: 'missing-folder', reason: words.agentFolder.workspaceFolderMissing(folder), folder }];
  });
  return byPath([...invalidOf(read), ...lost, ...sameNames(summaries)]);
}

function invalidOf(read: readonly { readonly path: string; readonly problem: string | undefined }[]): NoteProblem[] {
  return read.flatMap(({ path, problem }) =>
    problem === undefined ? [] : [{ path, kind: 'invalid' as const, reason: problem }],
  );
}

/** Notes that bear the name of one before them; all are offered, since they are chosen by their paths. */
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
  return [...problems].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Listings are made once for each state of the vault, however large it is. */
const listings = { prompts: promptsIn, workspaces: workspacesIn };

/**
 * The notes whose properties the app cannot read at all: it then tells of none, so that the texts of all notes without
 * properties have to be looked at.
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

/** Whether the note has a block of properties of which the app tells nothing. */
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

/** The beginning of a block that never ends, told from a rule by the property in its first line. */
const openBlock = /^---[ \t]*\r?\n[\w-]+:/;

function hasProperties(text: string): boolean {
  const block = propertiesBlock.exec(text);
  return block === null ? openBlock.test(text) : (block[1] ?? '').trim() !== '';
}
