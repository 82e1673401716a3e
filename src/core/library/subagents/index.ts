/** Subagents: their format, THE list of those that ship with Docent, and those of the user (R062, R137). */
import * as z from 'zod/v4';
import { words } from '../../../text';
import { guide } from '../../../text/guide';
import { lazy } from '../../base/lazy';
import { compareText, holdMadeFromFiles } from '../../base/list-edits';
import { structureOf } from '../../markdown/structure';
import { type Failure, fail, succeed } from '../../ports/failure';
import type { FileEntry, NoteOutline, Vault } from '../../ports/vault';
import { descriptionSchema, nameSchema, namesSchema, reasonsOf } from '../skills';
import { notesIn } from '../user-notes';
import generalist from './generalist.md';
import pluginHelp from './plugin-help.md';
import vaultInvestigator from './vault-investigator.md';

/** A helper with its own role, a few read-only tools, and optionally its own model (R137). */
export interface Subagent {
  readonly name: string;
  readonly description: string;
  /** Names of the tools it may use, if they are declared and read-only. */
  readonly tools: readonly string[];
  /** `provider/model`; the chat's model if absent. */
  readonly model?: string;
  /** The variable in its preamble that is replaced by the task. */
  readonly queryVariable: string;
  readonly source: 'built-in' | 'agent-folder';
  /** Path of its note; for a built-in subagent, a label such as `built-in/name`. */
  readonly location: string;
  /** Its role; null if that is the body of its note. */
  readonly preamble: string | null;
  /** Whether its tools read Docent's own pages instead of the vault. */
  readonly readsHelp?: boolean;
}

export const defaultQueryVariable = 'query';

/** The properties of a subagent's note; others are allowed and ignored. */
export const subagentSchema = lazy(() => {
  const say = words.agentFolder;
  return z.object({
    name: nameSchema(),
    description: descriptionSchema(),
    tools: namesSchema('tools').nullish(),
    model: z.string(say.fieldNotText('model')).trim().min(1, say.fieldNotText('model')).nullish(),
    query: z
      .string(say.fieldNotText('query'))
      .regex(/^[A-Za-z]\w*$/, say.fieldNotText('query'))
      .nullish(),
  });
});

export interface SubagentProblem {
  /** Invalid: cannot be used. Hidden: another subagent with the same name has precedence. */
  readonly kind: 'invalid' | 'hidden';
  readonly location: string;
  readonly words: string;
}

export interface SubagentListing {
  /** One subagent per name: built-in ones first, then the user's by name. */
  readonly subagents: readonly Subagent[];
  readonly problems: readonly SubagentProblem[];
}

const listings = holdMadeFromFiles<SubagentListing>();

/** Lists the built-in subagents, and the notes in the agent folder, which override them (R062, R137). */
export function listSubagents(vault: Vault, agentFolder: string): SubagentListing {
  const folder = `${agentFolder}/subagents`;
  const files = vault.files();
  return listings.get(files, folder, () => [readSubagents(vault, notesIn(files, folder)), [`${folder}/`]]);
}

function readSubagents(vault: Vault, paths: readonly string[]): SubagentListing {
  const problems: SubagentProblem[] = [];
  const hide = (location: string, name: string, winner: string): void => {
    problems.push({ kind: 'hidden', location, words: words.agentFolder.hiddenBy(name, winner) });
  };
  const own = new Map<string, Subagent>();
  for (const path of paths) {
    const read = readSubagent(path, vault.outline(path));
    if ('kind' in read) problems.push(read);
    else {
      const winner = own.get(read.name);
      if (winner === undefined) own.set(read.name, read);
      else hide(path, read.name, winner.location);
    }
  }
  const builtIn = builtInSubagents.map((each) => {
    const winner = own.get(each.name);
    if (winner === undefined) return each;
    hide(each.location, each.name, winner.location);
    own.delete(each.name);
    return winner;
  });
  return { subagents: [...builtIn, ...[...own.values()].sort((a, b) => compareText(a.name, b.name))], problems };
}

function readSubagent(path: string, outline: NoteOutline | undefined): Subagent | SubagentProblem {
  const invalid = (reason: string): SubagentProblem => ({ kind: 'invalid', location: path, words: reason });
  if (outline === undefined) return invalid(words.agentFolder.notIndexed);
  const checked = subagentSchema().safeParse(outline.properties);
  if (!checked.success) return invalid(reasonsOf(checked.error));
  const { name, description, tools, model, query } = checked.data;
  return {
    name,
    description,
    tools: tools ?? [],
    ...(model == null ? {} : { model }),
    queryVariable: query ?? defaultQueryVariable,
    source: 'agent-folder',
    location: path,
    preamble: null,
  };
}

/** Returns the tools of a subagent: the declared read-only tools that it names, or all of these if it names none. */
export function toolsFor<Offered extends { readonly name: string; readonly effect: string }>(
  { tools }: Pick<Subagent, 'tools'>,
  offered: readonly Offered[],
): Offered[] {
  const reading = offered.filter(({ effect }) => effect === 'reads');
  return tools.length === 0 ? reading : reading.filter(({ name }) => tools.includes(name));
}

/** Returns the list of subagents for prompts and for `${SubAgents}`: one line each; empty if there are none. */
export function formatSubagents(subagents: readonly Subagent[]): string {
  return subagents
    .map(({ name, description }) => `- **${name}**: ${description.replace(/\s+/g, ' ').trim()}`)
    .join('\n');
}

type Definition = Pick<Subagent, 'name' | 'description' | 'tools' | 'preamble' | 'readsHelp'>;

const definitions: readonly Definition[] = [
  {
    name: 'vault-investigator',
    description: 'reads many notes to answer one specific question',
    tools: ['search_notes', 'find_notes', 'list_folder', 'read_note', 'read_notes', 'note_outline', 'note_links'],
    preamble: vaultInvestigator,
  },
  {
    name: 'plugin-help',
    description: 'answers questions about Docent from its user guide',
    tools: ['search_notes', 'read_note'],
    preamble: pluginHelp,
    readsHelp: true,
  },
  {
    name: 'generalist',
    description: 'does one limited task: reading or drafting',
    tools: ['search_notes', 'find_notes', 'read_note', 'read_notes', 'note_outline'],
    preamble: generalist,
  },
];

/** THE list of subagents that ship with Docent (R137). A new one is a preamble and an entry here. */
export const builtInSubagents: readonly Subagent[] = definitions.map((each) => ({
  ...each,
  queryVariable: defaultQueryVariable,
  source: 'built-in',
  location: `built-in/${each.name}`,
}));

// The user guide as a vault, which the subagent plugin-help reads with the usual tools.

/** Returns a vault of the pages of the user guide alone: a search in it never finds the user's notes. */
export const helpVault = lazy((): Vault => openPages(guide));

function openPages(pages: Readonly<Record<string, string>>): Vault {
  const notes = Object.entries(pages)
    // Any known time: of an unknown one, each search would index the note again.
    .map(([path, text]) => ({ path, text, size: text.length, modified: 1 }))
    .sort((a, b) => compareText(a.path, b.path));
  const files = notes.map(({ path, size, modified }): FileEntry => ({ path, kind: 'note', size, modified }));
  const find = (path: string) => notes.find((note) => note.path === path || note.path === `${path}.md`);
  return {
    name: 'Docent help',
    isGuide: true,
    files: () => files,
    folders: () => [],
    file: (path) => files.find((file) => file.path === find(path)?.path),
    read: (path) => {
      const note = find(path);
      const { noteMissing, noteMissingRemedy } = words.failures;
      const missing: Failure = { kind: 'not-found', words: noteMissing(path), remedy: noteMissingRemedy };
      return Promise.resolve(note === undefined ? fail(missing) : succeed(note));
    },
    outline: (path) => outlineOf(path, find(path)?.text),
    tags: () => [],
    backlinks: () => [],
    resolveLink: (link) => find(link)?.path,
  };
}

function outlineOf(path: string, text: string | undefined): NoteOutline | undefined {
  if (text === undefined) return undefined;
  return { path, headings: structureOf(text).headings, tags: [], links: [], properties: {}, blocks: [] };
}
