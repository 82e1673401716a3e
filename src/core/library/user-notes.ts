/** Prompts and workspaces of the user: one note each in the agent folder, described by its properties. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { lazy } from '../base/lazy';
import { below, holdMadeFromFiles, type MadeFromFiles } from '../base/list-edits';
import type { Outcome } from '../ports/failure';
import type { FileEntry, NoteText, Vault } from '../ports/vault';
import { type ModeId, modeIds, type PermissionMode, permissionModes } from '../settings/mode';

/** What is needed to read notes of the agent folder. */
export interface NoteReader {
  readonly vault: Vault;
  /** The folder of prompts, workspaces, and chats, without a trailing slash. */
  readonly agentFolder: string;
  /** Reads for prompts and display; may come from a cache that is cleared on change, so never base a write on it. */
  readNote(path: string, signal: AbortSignal): Promise<Outcome<NoteText>>;
}

/** The parts of the vault that listings read. */
type Listed = Pick<Vault, 'files' | 'outline'>;

export interface PromptSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

export interface WorkspaceSummary {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly rootFolder: string;
}

/** One note as parsed by its schema. */
export interface ReadNote<Properties> {
  readonly path: string;
  /** Undefined if they are invalid. */
  readonly properties: Properties | undefined;
  readonly problem: string | undefined;
}

export interface NoteListing<Properties, Summary> {
  readonly read: readonly ReadNote<Properties>[];
  readonly summaries: readonly Summary[];
  readonly neededTools: ReadonlyMap<string, readonly string[]>;
}

/**
 * @param toolNames the declared tools: a prompt that needs any other one is left out (R128); if absent, none is left
 * out
 */
export function listPrompts(
  vault: Listed,
  agentFolder: string,
  toolNames?: readonly string[],
): readonly PromptSummary[] {
  const { summaries, neededTools } = promptsIn(vault, agentFolder);
  if (toolNames === undefined || neededTools.size === 0) return summaries;
  return summaries.filter(({ id }) => lacking(neededTools.get(id), toolNames).length === 0);
}

export function listWorkspaces(vault: Vault, agentFolder: string): readonly WorkspaceSummary[] {
  return workspacesIn(vault, agentFolder).summaries;
}

export function describePrompt(vault: Vault, path: string): PromptSummary {
  return summarisePrompt(path, readNote(vault, path, promptProperties()).properties);
}

export function describeWorkspace(vault: Vault, path: string): WorkspaceSummary {
  return summariseWorkspace(path, workspacePropertiesOf(vault, path));
}

/** Returns the properties of one prompt's note, or the problem with them. */
export function promptPropertiesOf(vault: Pick<Vault, 'outline'>, path: string): CheckedProperties<PromptProperties> {
  return checkProperties(promptProperties(), vault.outline(path)?.properties ?? {});
}

/** Returns undefined if the properties are invalid. */
export function workspacePropertiesOf(vault: Vault, path: string): WorkspaceProperties | undefined {
  return readNote(vault, path, workspaceProperties()).properties;
}

/** Returns all prompts, including those that are invalid or turned off. */
export function promptsIn(vault: Listed, agentFolder: string): NoteListing<PromptProperties, PromptSummary> {
  return remember(promptListings, vault, `${agentFolder}/prompts`, (paths) => {
    const read = paths.map((path) => readNote(vault, path, promptProperties()));
    const usable = read.filter(({ properties }) => properties !== undefined && !properties.disabled);
    return {
      read,
      summaries: usable.map(({ path, properties }) => summarisePrompt(path, properties)),
      neededTools: new Map(
        usable.flatMap(({ path, properties }) =>
          properties === undefined || properties.requiredTools.length === 0 ? [] : [[path, properties.requiredTools]],
        ),
      ),
    };
  });
}

export function workspacesIn(vault: Vault, agentFolder: string): NoteListing<WorkspaceProperties, WorkspaceSummary> {
  return remember(workspaceListings, vault, `${agentFolder}/workspaces`, (paths) => {
    const read = paths.map((path) => readNote(vault, path, workspaceProperties()));
    const usable = read.filter(({ properties }) => properties !== undefined);
    const summaries = usable.map(({ path, properties }) => summariseWorkspace(path, properties));
    return { read, summaries, neededTools: new Map() };
  });
}

const promptListings = holdMadeFromFiles<NoteListing<PromptProperties, PromptSummary>>();

const workspaceListings = holdMadeFromFiles<NoteListing<WorkspaceProperties, WorkspaceSummary>>();

/** Returns the listing of a folder, made again only when one of its notes, or its outline, was touched. */
function remember<Listing>(
  listings: MadeFromFiles<Listing>,
  vault: Listed,
  folder: string,
  make: (paths: string[]) => Listing,
): Listing {
  const files = vault.files();
  return listings.get(files, folder, () => [make(notesIn(files, folder)), [`${folder}/`]]);
}

/** Returns the notes directly in a folder, sorted by path. */
export function notesIn(files: readonly FileEntry[], folder: string): string[] {
  const prefix = `${folder}/`;
  return below(files, prefix)
    .filter((file) => file.kind === 'note' && !file.path.includes('/', prefix.length))
    .map((file) => file.path);
}

function readNote<Properties>(
  vault: Pick<Vault, 'outline'>,
  path: string,
  schema: z.ZodType<Properties>,
): ReadNote<Properties> {
  const { properties, problem } = checkProperties(schema, vault.outline(path)?.properties ?? {});
  return { path, properties, problem };
}

function summarisePrompt(path: string, properties: PromptProperties | undefined): PromptSummary {
  return { id: path, name: properties?.name ?? baseName(path), description: properties?.description ?? '' };
}

function summariseWorkspace(path: string, properties: WorkspaceProperties | undefined): WorkspaceSummary {
  const { name, description, folder } = properties ?? {};
  return {
    id: path,
    name: name ?? baseName(path),
    ...(description === undefined ? {} : { description }),
    rootFolder: folder ?? '/',
  };
}

export function lacking(needed: readonly string[] | undefined, offered: readonly string[]): string[] {
  return (needed ?? []).filter((name) => !offered.includes(name));
}

/** Returns the file name without folder and extension. */
export function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/\.[^.]+$/, '');
}

// Properties as Obsidian holds them: text, lists, modes, permissions.

/** Text as YAML returns it: a bare number or yes counts as text, and an empty value counts as missing. */
const text = (field: string) =>
  z
    .union([z.string(), z.number(), z.boolean()], words.agentFolder.fieldNotText(field))
    .nullish()
    .transform((value) => (value ?? '').toString().trim() || undefined);

/** A text, or a list, which may have empty entries. */
const entries = (field: string) =>
  z
    .union(
      [z.string(), z.array(z.union([z.string(), z.number(), z.boolean()]).nullish())],
      words.agentFolder.fieldNotList(field),
    )
    .nullish()
    .transform((value) => (typeof value === 'string' ? value : (value ?? []).map((each) => String(each ?? ''))));

/** Names as a list, or as one text separated by commas. */
const names = (field: string) =>
  entries(field).transform((value) => filled(typeof value === 'string' ? value.split(',') : value));

/** Texts as a list, or a single text, which may contain commas. */
const texts = (field: string) =>
  entries(field).transform((value) => filled(typeof value === 'string' ? [value] : value));

function filled(list: readonly string[]): string[] {
  return list.map((each) => each.trim()).filter((each) => each !== '');
}

/** Finds a mode by its id or by the name that the interface shows, in any case; undefined if there is none (R101). */
export function findMode(written: string): ModeId | undefined {
  return findNamed(modeIds, words.settings.modes, written);
}

function findNamed<Id extends string>(
  ids: readonly Id[],
  shown: Readonly<Record<Id, string>>,
  written: string,
): Id | undefined {
  const wanted = written.trim().toLowerCase();
  return ids.find((id) => id === wanted || shown[id].toLowerCase() === wanted);
}

/** One of some ids, or the name that the interface shows for it. */
const oneOf = <Id extends string>(field: string, ids: readonly Id[], shown: () => Readonly<Record<Id, string>>) =>
  text(field).transform((written, context): Id | undefined => {
    const found = written === undefined ? undefined : findNamed(ids, shown(), written);
    if (written === undefined || found !== undefined) return found;
    context.addIssue({ code: 'custom', message: words.agentFolder.fieldNotOneOf(field, ids) });
    return z.NEVER;
  });

/** What a prompt or a workspace sets for the chat that uses it. */
export interface ChatFields {
  readonly mode?: ModeId | undefined;
  /** An id or a name of a model, as written. */
  readonly model?: string | undefined;
  readonly permission?: PermissionMode | undefined;
  /** Links or paths of notes to pin, as written. */
  readonly pinned: readonly string[];
}

/** The fields of ChatFields, for the schema of a note. */
const chatFields = () => ({
  mode: oneOf('mode', modeIds, () => words.settings.modes),
  model: text('model'),
  permission: oneOf('permission', permissionModes, () => words.asking.permissions),
  pinned: texts('pinned'),
});

/** Returns the target of a link as written, without brackets and alias; a path stays as it is. */
export function linkTarget(written: string): string {
  return written.replace(/^\[\[|\]\]$/g, '').replace(/\|.*$/s, '');
}

/** The properties of a prompt's note; others are allowed and ignored. */
export const promptProperties = lazy(() =>
  z.object({
    name: text('name'),
    description: text('description'),
    tags: names('tags'),
    /** Tools without which the prompt is not available (R128). */
    requiredTools: names('requiredTools'),
    /** For users who keep several versions (R131). */
    version: text('version'),
    disabled: z
      .boolean(words.agentFolder.fieldNotFlag('disabled'))
      .nullish()
      .transform((value) => value === true),
    ...chatFields(),
  }),
);
type PromptProperties = z.infer<ReturnType<typeof promptProperties>>;

/** The properties of a workspace's note; others are allowed and ignored. */
export const workspaceProperties = lazy(() =>
  z.object({
    name: text('name'),
    description: text('description'),
    /** The workspace's folder; the whole vault if absent. */
    folder: text('folder'),
    /** Links or paths of its key notes. */
    notes: texts('notes'),
    workflows: texts('workflows'),
    preferences: texts('preferences').transform((list) => (list.length === 0 ? undefined : list.join('\n'))),
    ...chatFields(),
  }),
);
type WorkspaceProperties = z.infer<ReturnType<typeof workspaceProperties>>;

type CheckedProperties<Properties> =
  | { readonly properties: Properties; readonly problem?: undefined }
  | { readonly properties?: undefined; readonly problem: string };

/** Returns the properties as parsed by the schema, or one plain sentence per rejected property. */
function checkProperties<Properties>(
  schema: z.ZodType<Properties>,
  properties: Readonly<Record<string, unknown>>,
): CheckedProperties<Properties> {
  const checked = schema.safeParse(properties);
  if (checked.success) return { properties: checked.data };
  return { problem: [...new Set(checked.error.issues.map(({ message }) => message))].join(' ') };
}
