/**
 * Variables: `${Name}` in texts that the user writes, replaced literally; unknown names stay and are reported
 * (R035-R039, K25).
 */

/** The value of each name. */
export type Variables = ReadonlyMap<string, string>;

/** Values for custom templates; skills and subagents are already rendered to text here (R039). */
export interface TemplateValues {
  readonly agentSkills: string;
  readonly subAgents: string;
  /** Names of the tools that are declared to the model. */
  readonly availableTools: readonly string[];
}

/** Additional values for saved prompts. */
export interface PromptValues {
  readonly selection: string;
  /** Path of the active note. */
  readonly activeNote: string;
  /** Name of the active note, without folder and extension. */
  readonly title: string;
  /** Text of the active note. */
  readonly noteText: string;
  /** Path of today's daily note, whether it exists or not. */
  readonly dailyNote: string;
  /** What the user wrote after the prompt's name. */
  readonly arguments: string;
  readonly date: string;
  readonly time: string;
}

export interface UnknownVariable {
  readonly name: string;
  /** The most similar known name; null if none is similar. */
  readonly nearest: string | null;
}

export interface FilledText {
  readonly text: string;
  /** Each name once, in order of appearance. */
  readonly unknown: readonly UnknownVariable[];
}

/** Sent to the model in place of the list. */
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

/**
 * Returns both forms of every tool's name, declared or not, so that a text reads the same for any set of declared tools
 * (K25).
 */
function namesOfTools(offered: readonly string[]): [string, string][] {
  const names = new Set([...Object.values<string>(toolNames), ...offered]);
  return [...names].flatMap((name): [string, string][] => [
    [`ToolName_${name}`, name],
    [`${name}_ToolName`, name],
  ]);
}

const noValues: TemplateValues = { agentSkills: '', subAgents: '', availableTools: [] };
const noPromptValues: PromptValues = {
  selection: '',
  activeNote: '',
  title: '',
  noteText: '',
  dailyNote: '',
  arguments: '',
  date: '',
  time: '',
};

/** The names of the values that only saved prompts have. */
export const promptValueNames: readonly string[] = Object.keys(noPromptValues);

/** Returns the names that custom templates may use. */
export function templateNames(offered: readonly string[]): string[] {
  return [...templateVariables({ ...noValues, availableTools: offered }).keys()];
}

/** Returns the names that saved prompts may use. */
export function promptNames(offered: readonly string[]): string[] {
  return [...promptVariables(noPromptValues).keys(), ...templateNames(offered)];
}

const written = /\$\{([A-Za-z_][\w./-]*)\}/g;

/**
 * Replaces every known variable in one pass: values are never scanned for variables, and no character in them is
 * special.
 */
export function fillVariables(text: string, variables: Variables): FilledText {
  let room = maxFilled;
  const fill = (whole: string, name: string): string => {
    const value = variables.get(name);
    if (value === undefined || value.length > room) return whole;
    room -= value.length;
    return value;
  };
  return {
    text: text.replace(written, fill),
    // Few ask for them, and a long text takes a while.
    get unknown() {
      return findUnknown(text, [...variables.keys()]);
    },
  };
}

/** Characters that the values in one text may have together; a variable whose value has no room stays as written. */
export const maxFilled = 2_000_000;

/** Returns the text in pieces: variables with their names, and what is between them. */
export function splitVariables(text: string): { readonly written: string; readonly name: string | null }[] {
  let end = 0;
  const pieces = [...text.matchAll(written)].flatMap((match) => {
    const before = { written: text.slice(end, match.index), name: null };
    end = match.index + match[0].length;
    return [before, { written: match[0], name: match[1] ?? null }];
  });
  return [...pieces, { written: text.slice(end), name: null }];
}

/** Returns each name once, in order of appearance. */
export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(written)].map(([, name = '']) => name))];
}

/** The names without a value that are reported of one text; one with more of them means something else by the sign. */
export const maxUnknown = 100;

/** Returns the variables of a text that have no value, at most a hundred. */
export function findUnknown(text: string, known: readonly string[]): UnknownVariable[] {
  return variablesIn(text)
    .filter((name) => !known.includes(name))
    .slice(0, maxUnknown)
    .map((name) => ({ name, nearest: findNearest(name, known) }));
}

/** Maximum share of a name that may differ for it to count as a misspelling of another. */
const strangeShare = 0.4;

/** Returns the known name that a name may be a misspelling of; null if none is similar. */
export function findNearest(name: string, known: readonly string[]): string | null {
  let nearest: string | null = null;
  let minDistance = Infinity;
  for (const each of known) {
    const strange = strangeShare * Math.max(name.length, each.length);
    // As many letters as one is longer differ at least.
    if (Math.abs(name.length - each.length) > strange) continue;
    const distance = editDistance(name.toLowerCase(), each.toLowerCase());
    if (distance >= minDistance || distance > strange) continue;
    nearest = each;
    minDistance = distance;
  }
  return nearest;
}

/** Counts letters added, removed, replaced, or swapped with an adjacent one. */
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

/** The only registry of tool names, so that no prompt text spells a name itself (R143, K25). */
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

/** Tools that only read. */
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
