/** Variables: `${Name}` in texts that the user writes, filled in literally; unknown names stay and are told (R035-R039, K25). */

/** What each name stands for. */
export type Variables = ReadonlyMap<string, string>;

/** What a custom template can ask for; skills and sub-agents are texts by the time they come here (R039). */
export interface TemplateValues {
  readonly agentSkills: string;
  readonly subAgents: string;
  /** Names of the tools that the model is offered. */
  readonly availableTools: readonly string[];
}

/** What a custom prompt can ask for besides. */
export interface PromptValues {
  readonly selection: string;
  /** Path of the note in front. */
  readonly activeNote: string;
  /** What the user wrote after the prompt's name. */
  readonly arguments: string;
  readonly date: string;
}

export interface UnknownVariable {
  readonly name: string;
  /** The known name that is written most alike; null when none is. */
  readonly nearest: string | null;
}

export interface FilledText {
  readonly text: string;
  /** Each once, in the order in which they stand. */
  readonly unknown: readonly UnknownVariable[];
}

/** Read by a model where it would find the list. */
const noTools = 'No tools are currently available.';

export function templateVariables({ agentSkills, subAgents, availableTools }: TemplateValues): Variables {
  const listed = [...availableTools].sort().map((name) => `- ${name}`);
  return new Map([
    ['AgentSkills', agentSkills],
    ['SubAgents', subAgents],
    ['AvailableTools', listed.length === 0 ? noTools : listed.join('\n')],
    ...namesOfTools(availableTools),
  ]);
}

export function promptVariables(values: PromptValues): Variables {
  return new Map(Object.entries(values));
}

/** Both forms of every tool's name, offered or not, so that a text reads the same whatever is offered (K25). */
function namesOfTools(offered: readonly string[]): [string, string][] {
  const names = new Set([...Object.values<string>(toolNames), ...offered]);
  return [...names].flatMap((name): [string, string][] => [
    [`ToolName_${name}`, name],
    [`${name}_ToolName`, name],
  ]);
}

const noValues: TemplateValues = { agentSkills: '', subAgents: '', availableTools: [] };
const noPromptValues: PromptValues = { selection: '', activeNote: '', arguments: '', date: '' };

/** The names that custom templates know. */
export function templateNames(offered: readonly string[]): string[] {
  return [...templateVariables({ ...noValues, availableTools: offered }).keys()];
}

/** The names that custom prompts know. */
export function promptNames(offered: readonly string[]): string[] {
  return [...promptVariables(noPromptValues).keys(), ...templateNames(offered)];
}

const written = /\$\{([A-Za-z_][\w./-]*)\}/g;

/** Replaces every known variable in one pass: what stands in a value is never looked at, and no sign in it is special. */
export function fillVariables(text: string, variables: Variables): FilledText {
  return {
    text: replaceVariables(text, (name) => variables.get(name)),
    unknown: findUnknown(text, [...variables.keys()]),
  };
}

/** @param valueOf undefined for a name that stays as it is written */
export function replaceVariables(text: string, valueOf: (name: string) => string | undefined): string {
  return text.replace(written, (whole, name: string) => valueOf(name) ?? whole);
}

/** Each name once, in the order in which they stand. */
export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(written)].map(([, name = '']) => name))];
}

/** The variables of a text that nothing stands for. */
export function findUnknown(text: string, known: readonly string[]): UnknownVariable[] {
  return variablesIn(text)
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, nearest: findNearest(name, known) }));
}

/** At most this share of a name may be written otherwise for it to be taken for another. */
const strangeShare = 0.4;

function findNearest(name: string, known: readonly string[]): string | null {
  let nearest: string | null = null;
  let least = Infinity;
  for (const each of known) {
    const distance = editDistance(name.toLowerCase(), each.toLowerCase());
    if (distance >= least || distance > strangeShare * Math.max(name.length, each.length)) continue;
    nearest = each;
    least = distance;
  }
  return nearest;
}

/** Letters added, left out, replaced, or swapped with a neighbour. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const steps = [
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        ...(isSwapped ? [(beforeLast[column - 2] ?? 0) + 1] : []),
      ];
      current.push(Math.min(...steps));
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}

/** Tool names that prompt texts speak of: the one registry, so that no text spells a name itself (R143, K25). */
export const toolNames = {
  searchNotes: 'search_notes',
  findNotes: 'find_notes',
  listFolder: 'list_folder',
  readNote: 'read_note',
  readNotes: 'read_notes',
  noteOutline: 'note_outline',
  noteLinks: 'note_links',
  recallOutput: 'recall_output',
  createNote: 'create_note',
  editNote: 'edit_note',
  appendToNote: 'append_to_note',
  setProperties: 'set_properties',
  moveNote: 'move_note',
  deleteNote: 'delete_note',
  remember: 'remember',
  saveState: 'save_state',
  loadState: 'load_state',
  loadWorkspace: 'load_workspace',
  updateGoal: 'update_goal',
  writeTodos: 'write_todos',
  askUser: 'ask_user',
  activateSkill: 'activate_skill',
  runSubagent: 'run_subagent',
  exitPlanMode: 'exit_plan_mode',
  fetchPage: 'fetch_page',
  gitStatus: 'git_status',
  gitDiff: 'git_diff',
  gitLog: 'git_log',
} as const;

/** Tools that look and change nothing. */
export const readingTools: readonly string[] = [
  toolNames.searchNotes,
  toolNames.findNotes,
  toolNames.listFolder,
  toolNames.readNote,
  toolNames.readNotes,
  toolNames.noteOutline,
  toolNames.noteLinks,
  toolNames.recallOutput,
];

/** Tools that change notes. */
export const writingTools: readonly string[] = [
  toolNames.createNote,
  toolNames.editNote,
  toolNames.appendToNote,
  toolNames.setProperties,
  toolNames.moveNote,
  toolNames.deleteNote,
];

/** Tools that Plan works with: reading, asking, writing the plan, presenting it (R079). */
export const planTools: readonly string[] = [
  ...readingTools,
  toolNames.askUser,
  toolNames.createNote,
  toolNames.editNote,
  toolNames.appendToNote,
  toolNames.exitPlanMode,
];
