/** Folders whose notes may give instructions as skills: the agent folder's, and the chosen workspace's. */
import { describeWorkspace } from '../library/user-notes';
import type { Vault } from '../ports/vault';

export function skillFoldersOf(vault: Vault, agentFolder: string, workspacePath: string | null): string[] {
  const workspace = workspacePath === null ? '/' : describeWorkspace(vault, workspacePath).rootFolder;
  return [agentFolder, workspace]
    .map((folder) => folder.replace(/^\/+|\/+$/g, ''))
    .filter((folder) => folder !== '')
    .map((folder) => `${folder}/skills`);
}
