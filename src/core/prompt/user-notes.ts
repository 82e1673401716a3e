/** Prompts and workspaces as the user keeps them: one note each in the agent folder, described by its properties. */
import type { Vault } from '../ports';
import type { PromptSummary, WorkspaceSummary } from './prompt-data';

/** The notes directly in a folder of the agent folder, sorted by path. */
function notesIn(vault: Vault, folder: string): string[] {
  const prefix = `${folder}/`;
  return vault
    .files()
    .filter((file) => file.kind === 'note' && file.path.startsWith(prefix) && !file.path.includes('/', prefix.length))
    .map((file) => file.path);
}

function property(vault: Vault, path: string, name: string): string | undefined {
  const value = vault.outline(path)?.properties[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The file name without folder and extension. */
export function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/\.[^.]+$/, '');
}

export function listPrompts(vault: Vault, agentFolder: string): PromptSummary[] {
  return notesIn(vault, `${agentFolder}/prompts`).map((path) => describePrompt(vault, path));
}

export function describePrompt(vault: Vault, path: string): PromptSummary {
  return {
    id: path,
    name: property(vault, path, 'name') ?? baseName(path),
    description: property(vault, path, 'description') ?? '',
  };
}

export function listWorkspaces(vault: Vault, agentFolder: string): WorkspaceSummary[] {
  return notesIn(vault, `${agentFolder}/workspaces`).map((path) => describeWorkspace(vault, path));
}

export function describeWorkspace(vault: Vault, path: string): WorkspaceSummary {
  const description = property(vault, path, 'description');
  return {
    id: path,
    name: property(vault, path, 'name') ?? baseName(path),
    ...(description === undefined ? {} : { description }),
    rootFolder: property(vault, path, 'folder') ?? '/',
  };
}

/** The note's text below its properties block. */
export function bodyOf(text: string): string {
  const block = /^---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text);
  return (block ? text.slice(block[0].length) : text).trim();
}
