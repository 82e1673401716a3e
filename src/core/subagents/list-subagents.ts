/** Lists the sub-agents: built-in ones, and notes in the agent folder that come before them (R062, R137). */
import { words } from '../../text';
import type { FileEntry, NoteOutline, Vault } from '../ports/vault';
import { reasonsOf } from '../skills/skill';
import { builtInSubagents } from './built-in-subagents';
import { defaultQueryVariable, type Subagent, subagentSchema } from './subagent';

export interface SubagentProblem {
  /** Invalid: cannot be used. Hidden: another of its name stands before it. */
  readonly kind: 'invalid' | 'hidden';
  readonly location: string;
  readonly words: string;
}

export interface SubagentListing {
  /** One for each name: built-in ones first, then the user's by name. */
  readonly subagents: readonly Subagent[];
  readonly problems: readonly SubagentProblem[];
}

export function listSubagents(vault: Vault, agentFolder: string): SubagentListing {
  const problems: SubagentProblem[] = [];
  const hide = (location: string, name: string, winner: string): void => {
    problems.push({ kind: 'hidden', location, words: words.agentFolder.hiddenBy(name, winner) });
  };
  const own = new Map<string, Subagent>();
  for (const path of notesIn(vault, agentFolder)) {
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
  return { subagents: [...builtIn, ...[...own.values()].sort((a, b) => (a.name < b.name ? -1 : 1))], problems };
}

const foundNotes = new WeakMap<readonly FileEntry[], Map<string, readonly string[]>>();

/** Notes directly in the folder of sub-agents; remembered for as long as the vault's list of files lives. */
function notesIn(vault: Vault, agentFolder: string): readonly string[] {
  const files = vault.files();
  const known = foundNotes.get(files) ?? new Map<string, readonly string[]>();
  foundNotes.set(files, known);
  const prefix = `${agentFolder}/subagents/`;
  const isDirectlyIn = ({ kind, path }: FileEntry): boolean =>
    kind === 'note' && path.startsWith(prefix) && !path.includes('/', prefix.length);
  const paths = known.get(prefix) ?? files.filter(isDirectlyIn).map(({ path }) => path);
  known.set(prefix, paths);
  return paths;
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

/** The tools a sub-agent gets: those it names, of those that are offered and only read; all of these when it names none. */
export function toolsFor<Offered extends { readonly name: string; readonly effect: string }>(
  { tools }: Pick<Subagent, 'tools'>,
  offered: readonly Offered[],
): Offered[] {
  const reading = offered.filter(({ effect }) => effect === 'reads');
  return tools.length === 0 ? reading : reading.filter(({ name }) => tools.includes(name));
}

/** The directory that stands in a prompt and for `${SubAgents}`: one line each; empty when there is none. */
export function formatSubagents(subagents: readonly Subagent[]): string {
  return subagents
    .map(({ name, description }) => `- **${name}**: ${description.replace(/\s+/g, ' ').trim()}`)
    .join('\n');
}
