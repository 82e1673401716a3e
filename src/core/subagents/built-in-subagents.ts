/** THE list of sub-agents that ship with Docent (R137). A new one is a preamble and an entry here. */
import generalist from './generalist.md';
import pluginHelp from './plugin-help.md';
import { defaultQueryVariable, type Subagent } from './subagent';
import vaultInvestigator from './vault-investigator.md';

type Definition = Pick<Subagent, 'name' | 'description' | 'tools' | 'preamble'>;

const definitions: readonly Definition[] = [
  {
    name: 'vault-investigator',
    description: 'reads widely for one closed question, reports findings with their notes',
    tools: ['search_notes', 'find_notes', 'list_folder', 'read_note', 'read_notes', 'note_outline', 'note_links'],
    preamble: vaultInvestigator,
  },
  {
    name: 'plugin-help',
    description: 'knows Docent itself: commands, settings, limits',
    tools: ['search_notes', 'read_note'],
    preamble: pluginHelp,
  },
  {
    name: 'generalist',
    description: 'one bounded reading or drafting task',
    tools: ['search_notes', 'find_notes', 'read_note', 'read_notes', 'note_outline'],
    preamble: generalist,
  },
];

export const builtInSubagents: readonly Subagent[] = definitions.map((each) => ({
  ...each,
  queryVariable: defaultQueryVariable,
  source: 'built-in',
  location: `built-in/${each.name}`,
}));
