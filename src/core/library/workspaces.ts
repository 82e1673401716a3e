/** Workspaces: loading a workspace note as a full record, and formatting that record as text (R172-R179). */
import { below } from '../base/list-edits';
import { bodyOf } from '../markdown/properties';
import { tokensByRule } from '../markup/budget';
import { counted, nameOnLine } from '../markup/prose';
import type { FileEntry, Vault } from '../ports/vault';
import { describeWorkspace, linkTarget, type NoteReader, workspacePropertiesOf } from './user-notes';

/** A workspace's full record; if the record is comprehensive, `context` is an object with a name (R173). */
export interface WorkspaceData {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly rootFolder?: string;
  readonly context?: unknown;
  readonly workflows?: readonly string[];
  readonly workspaceStructure?: readonly string[];
  readonly recentFiles?: readonly string[];
  readonly keyFiles?: readonly string[];
  readonly preferences?: string;
  readonly sessions?: readonly string[];
  readonly states?: readonly string[];
}

/** Maximum number of newest notes listed for a workspace. */
const recentFileLimit = 8;

/** Tokens for the folders and newest notes of a workspace, where the context window is not known. */
const usualStructureTokens = 400;

/**
 * Loads a workspace note as the full record that sections render (R172-R179). Resolves to null if the note cannot be
 * read, so that one broken workspace never stops a turn (R174).
 * @param structureTokens about how many tokens its folders and newest notes may have together
 */
export async function loadWorkspace(
  path: string,
  world: Pick<NoteReader, 'vault' | 'readNote'>,
  signal: AbortSignal,
  structureTokens = usualStructureTokens,
): Promise<WorkspaceData | null> {
  const outcome = await world.readNote(path, signal);
  if (!outcome.ok) return null;
  const { vault } = world;
  const { name, description, rootFolder } = describeWorkspace(vault, path);
  const { notes = [], workflows = [], preferences } = workspacePropertiesOf(vault, path) ?? {};
  const recentFiles = namesIn(newestUnder(vault, rootFolder), Math.floor(structureTokens / 4));
  const structure = foldersWithin(foldersUnder(vault, rootFolder), Math.floor((structureTokens * 3) / 4));
  return {
    id: path,
    name,
    ...(description === undefined ? {} : { description }),
    rootFolder,
    context: { name, ...(description === undefined ? {} : { description }), instructions: bodyOf(outcome.value.text) },
    keyFiles: keyNotes(vault, path, notes),
    ...(workflows.length === 0 ? {} : { workflows }),
    ...(preferences === undefined ? {} : { preferences }),
    recentFiles,
    workspaceStructure: structure,
  };
}

/** Returns the first names that fit. */
function namesIn(names: readonly string[], tokens: number): string[] {
  let left = tokens;
  return names.filter((name) => (left -= tokensByRule(name) + 2) >= 0);
}

/** Returns the folders down to the deepest level at which all of them fit, and counts the others. */
function foldersWithin(folders: readonly string[], tokens: number): string[] {
  const levels: string[][] = [];
  for (const folder of folders) (levels[folder.split('/').length] ??= []).push(folder);
  const shown = new Set<string>();
  let left = tokens;
  for (const level of levels) {
    if (level === undefined) continue;
    left -= level.reduce((sum, folder) => sum + tokensByRule(folder) + 2, 0);
    if (left < 0) break;
    for (const folder of level) shown.add(folder);
  }
  const more = folders.length - shown.size;
  return [
    ...folders.filter((folder) => shown.has(folder)),
    ...(more === 0 ? [] : [shown.size === 0 ? counted(more, 'folder') : `… ${counted(more, 'more folder')}`]),
  ];
}

function prefixOf(folder: string): string {
  const trimmed = folder.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? '' : `${trimmed}/`;
}

/** Returns the paths of the newest notes, newest first, after one look at each file of the folder. */
function newestUnder(vault: Vault, folder: string): string[] {
  const prefix = prefixOf(folder);
  const newest: FileEntry[] = [];
  const isNewer = (a: FileEntry, b: FileEntry): boolean =>
    a.modified > b.modified || (a.modified === b.modified && a.path < b.path);
  for (const file of below(vault.files(), prefix)) {
    if (file.kind !== 'note') continue;
    const oldest = newest.at(-1);
    if (newest.length === recentFileLimit && oldest !== undefined && !isNewer(file, oldest)) continue;
    const at = newest.findIndex((each) => isNewer(file, each));
    newest.splice(at === -1 ? newest.length : at, 0, file);
    if (newest.length > recentFileLimit) newest.pop();
  }
  return newest.map(({ path }) => path);
}

function foldersUnder(vault: Vault, folder: string): string[] {
  const prefix = prefixOf(folder);
  return vault.folders().filter((path) => path.startsWith(prefix) && path !== prefix.slice(0, -1));
}

/** Returns the notes named in the workspace's `notes` property, as links or as paths. */
function keyNotes(vault: Vault, path: string, notes: readonly string[]): string[] {
  return notes.map(linkTarget).map((link) => vault.resolveLink(link, path) ?? link);
}

/**
 * Formats a workspace's full record; the only formatter, shared by mentions, selection, and tools (R179). Omits empty
 * parts; the order is fixed, so equal records give equal text.
 */
export function formatWorkspaceData(data: WorkspaceData): string {
  const parts = [
    formatContext(data.context),
    data.rootFolder === undefined ? '' : `Root folder: ${data.rootFolder}`,
    formatList('Workflows', data.workflows),
    formatList('Folders', data.workspaceStructure?.map(nameOnLine)),
    formatList('Recent files', data.recentFiles?.map(nameOnLine)),
    formatList('Key files', data.keyFiles?.map(nameOnLine)),
    data.preferences === undefined || data.preferences === '' ? '' : `Preferences: ${data.preferences}`,
    formatList('Sessions', data.sessions),
    formatList('Saved states', data.states),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Whether the record is complete, and not only the basic fields (R173). */
export function isComprehensive(data: WorkspaceData): data is WorkspaceData & { context: { name: unknown } } {
  return typeof data.context === 'object' && data.context !== null && 'name' in data.context;
}

/** Returns the name to show: that of the context, that of the record, or the fallback (R177). */
export function nameOf(data: WorkspaceData, fallback: string): string {
  const inContext = isComprehensive(data) && typeof data.context.name === 'string' ? data.context.name : '';
  return inContext || data.name || fallback;
}

/** Returns the basic fields as JSON, for a record without a full context (R173, R178). */
export function formatBasic({ name, description, rootFolder, context }: WorkspaceData): string {
  return JSON.stringify({ name, description, rootFolder, context }, null, 2);
}

function formatContext(context: unknown): string {
  if (typeof context !== 'object' || context === null) return '';
  const lines: string[] = [];
  const fields = context as Readonly<Record<string, unknown>>;
  for (const [key, value] of Object.entries(fields)) {
    if (key === 'instructions' || value === '' || value === null || value === undefined) continue;
    lines.push(
      `${key.charAt(0).toUpperCase()}${key.slice(1)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
  }
  const instructions = fields['instructions'];
  if (typeof instructions === 'string' && instructions !== '') lines.push('', 'Instructions:', instructions);
  return lines.join('\n');
}

function formatList(title: string, items: readonly string[] | undefined): string {
  return items === undefined || items.length === 0 ? '' : [`${title}:`, ...items.map((item) => `- ${item}`)].join('\n');
}
