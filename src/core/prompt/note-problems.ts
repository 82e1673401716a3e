/** What is wrong with the user's prompts and workspaces, in plain words for the diagnostics (R128, R131). */
import { words } from '../../text';
import type { Vault } from '../ports';
import { lacking, notesIn, promptsIn, propertiesBlock, workspacesIn } from './user-notes';

/** Why a note of the agent folder cannot be used, or not fully. */
export interface NoteProblem {
  readonly path: string;
  readonly kind: 'invalid' | 'broken-properties' | 'missing-tools' | 'missing-folder';
  /** One plain sentence or more. */
  readonly reason: string;
}

/** By path. A note with invalid properties, or without its tools, is not offered; all others are. */
export function findProblems(vault: Vault, agentFolder: string, toolNames: readonly string[]): NoteProblem[] {
  const prompts = promptsIn(vault, agentFolder);
  const workspaces = workspacesIn(vault, agentFolder);
  const problems: NoteProblem[] = [];
  for (const { path, problem } of [...prompts.read, ...workspaces.read]) {
    if (problem !== undefined) problems.push({ path, kind: 'invalid', reason: problem });
  }
  for (const [path, needed] of prompts.neededTools) {
    const missing = lacking(needed, toolNames);
    if (missing.length > 0) {
      problems.push({ path, kind: 'missing-tools', reason: words.agentFolder.toolsMissing(missing) });
    }
  }
  for (const { id: path, rootFolder } of workspaces.summaries) {
    const folder = rootFolder.replace(/^\/+|\/+$/g, '');
    if (folder === '' || vault.folders().includes(folder)) continue;
    problems.push({ path, kind: 'missing-folder', reason: words.agentFolder.workspaceFolderMissing(folder) });
  }
  return problems.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/**
 * The notes whose properties the app cannot read at all: it then tells of none, so that the texts of all notes without
 * properties have to be looked at.
 */
export async function findBrokenProperties(
  vault: Vault,
  agentFolder: string,
  signal: AbortSignal,
): Promise<NoteProblem[]> {
  const paths = ['prompts', 'workspaces'].flatMap((name) => notesIn(vault.files(), `${agentFolder}/${name}`));
  const bare = paths.filter((path) => Object.keys(vault.outline(path)?.properties ?? {}).length === 0);
  const texts = await Promise.all(bare.map((path) => vault.read(path, signal)));
  return bare
    .filter((_path, index) => {
      const outcome = texts[index];
      return outcome?.ok === true && hasProperties(outcome.value.text);
    })
    .map((path) => ({ path, kind: 'broken-properties', reason: words.agentFolder.propertiesBroken }));
}

function hasProperties(text: string): boolean {
  return (propertiesBlock.exec(text)?.[1] ?? '').trim() !== '';
}
