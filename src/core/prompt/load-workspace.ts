/** Loads a workspace note as the full record that sections render (R172-R179). */
import { bodyOf } from '../markdown/properties';
import type { Vault } from '../ports/vault';
import type { WorkspaceData } from './prompt-data';
import { describeWorkspace, type NoteReader, workspacePropertiesOf } from './user-notes';

/** Newest notes listed for a workspace. */
const recentFileLimit = 8;

/** Null when the note cannot be read, so that one broken workspace never stops a turn (R174). */
export async function loadWorkspace(
  path: string,
  world: Pick<NoteReader, 'vault' | 'readNote'>,
  signal: AbortSignal,
): Promise<WorkspaceData | null> {
  const outcome = await world.readNote(path, signal);
  if (!outcome.ok) return null;
  const { vault } = world;
  const { name, description, rootFolder } = describeWorkspace(vault, path);
  const { notes = [], workflows = [], preferences } = workspacePropertiesOf(vault, path) ?? {};
  const inside = filesUnder(vault, rootFolder);
  return {
    id: path,
    name,
    ...(description === undefined ? {} : { description }),
    rootFolder,
    context: { name, ...(description === undefined ? {} : { description }), instructions: bodyOf(outcome.value.text) },
    keyFiles: keyNotes(vault, path, notes),
    ...(workflows.length === 0 ? {} : { workflows }),
    ...(preferences === undefined ? {} : { preferences }),
    recentFiles: [...inside]
      .sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))
      .slice(0, recentFileLimit)
      .map((file) => file.path),
    workspaceStructure: foldersUnder(vault, rootFolder),
  };
}

function prefixOf(folder: string): string {
  const trimmed = folder.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? '' : `${trimmed}/`;
}

function filesUnder(vault: Vault, folder: string) {
  return vault.files().filter((file) => file.kind === 'note' && file.path.startsWith(prefixOf(folder)));
}

function foldersUnder(vault: Vault, folder: string): string[] {
  const prefix = prefixOf(folder);
  return vault.folders().filter((path) => path.startsWith(prefix) && path !== prefix.slice(0, -1));
}

/** The notes that the workspace names in its `notes` property, as links or as paths. */
function keyNotes(vault: Vault, path: string, notes: readonly string[]): string[] {
  return notes
    .map((entry) => entry.replace(/^\[\[|\]\]$/g, '').replace(/\|.*$/, ''))
    .map((link) => vault.resolveLink(link, path) ?? link);
}
