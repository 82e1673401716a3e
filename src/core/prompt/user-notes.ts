/** Prompts and workspaces as the user keeps them: one note each in the agent folder, described by its properties. */
import type { FileEntry, NoteOutline, Vault } from '../ports';
import type { PromptSummary, WorkspaceSummary } from './prompt-data';

type Listing = readonly PromptSummary[] | readonly WorkspaceSummary[];
const listings = new WeakMap<readonly FileEntry[], Map<string, Listing>>();

/** A listing lives as long as the vault's list of files, which is a new one whenever a note or its outline changed. */
function remember<Summary extends Listing>(
  vault: Vault,
  folder: string,
  describe: (paths: string[]) => Summary,
): Summary {
  const files = vault.files();
  const known = listings.get(files) ?? new Map<string, Listing>();
  const listing = known.get(folder) ?? describe(notesIn(files, folder));
  listings.set(files, known.set(folder, listing));
  return listing as Summary;
}

/** The notes directly in a folder of the agent folder, sorted by path. */
function notesIn(files: readonly FileEntry[], folder: string): string[] {
  const prefix = `${folder}/`;
  return files
    .filter((file) => file.kind === 'note' && file.path.startsWith(prefix) && !file.path.includes('/', prefix.length))
    .map((file) => file.path);
}

function property(outline: NoteOutline | undefined, name: string): string | undefined {
  const value = outline?.properties[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The file name without folder and extension. */
export function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/\.[^.]+$/, '');
}

export function listPrompts(vault: Vault, agentFolder: string): readonly PromptSummary[] {
  return remember(vault, `${agentFolder}/prompts`, (paths) => paths.map((path) => describePrompt(vault, path)));
}

export function describePrompt(vault: Vault, path: string): PromptSummary {
  const outline = vault.outline(path);
  return {
    id: path,
    name: property(outline, 'name') ?? baseName(path),
    description: property(outline, 'description') ?? '',
  };
}

export function listWorkspaces(vault: Vault, agentFolder: string): readonly WorkspaceSummary[] {
  return remember(vault, `${agentFolder}/workspaces`, (paths) => paths.map((path) => describeWorkspace(vault, path)));
}

export function describeWorkspace(vault: Vault, path: string): WorkspaceSummary {
  const outline = vault.outline(path);
  const description = property(outline, 'description');
  return {
    id: path,
    name: property(outline, 'name') ?? baseName(path),
    ...(description === undefined ? {} : { description }),
    rootFolder: property(outline, 'folder') ?? '/',
  };
}

/** The note's text below its properties block. */
export function bodyOf(text: string): string {
  const block = /^---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text);
  return (block ? text.slice(block[0].length) : text).trim();
}
