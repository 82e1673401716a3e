/** Starters: THE list of notes that users can begin with, one for each kind that Docent reads. */
import { fail, type Outcome, succeed } from '../../ports/failure';
import { starterContextFile } from '../context-files';
import { freePromptPath } from '../prompts';
import commit from './commit.md';
import compaction from './compaction.md';
import memory from './memory.md';
import prompt from './prompt.md';
import skill from './skill.md';
import subagent from './subagent.md';
import systemExtra from './system-extra.md';
import systemReminder from './system-reminder.md';
import workspace from './workspace.md';

/** The kinds of notes, in the order in which they are shown. */
export const starterKinds = [
  'prompt',
  'workspace',
  'skill',
  'subagent',
  'context-file',
  'memory',
  'system-extra',
  'system-reminder',
  'commit',
  'compaction',
] as const;
export type StarterKind = (typeof starterKinds)[number];

interface Starter {
  readonly text: string;
  /** The only path of this kind; absent if there can be many. */
  readonly path?: (agentFolder: string) => string;
  /** Returns an unused path, for a kind of which there can be many. */
  readonly newPath?: (agentFolder: string, isTaken: (path: string) => boolean) => string;
}

const inAgentFolder = (name: string) => (agentFolder: string) => `${agentFolder}/${name}`;

const many =
  (folder: string, name: string): Required<Starter>['newPath'] =>
  (agentFolder, isTaken) =>
    freePromptPath(`${agentFolder}/${folder}`, name, isTaken);

/** THE list of starters. Texts say `{{name}}` where the name of the note goes. */
const starters: Readonly<Record<StarterKind, Starter>> = {
  prompt: { text: prompt, newPath: many('prompts', 'New prompt') },
  workspace: { text: workspace, newPath: many('workspaces', 'New workspace') },
  skill: { text: skill, newPath: freeSkillPath },
  subagent: { text: subagent, newPath: freeSubagentPath },
  'context-file': { text: starterContextFile.text, path: () => starterContextFile.path },
  memory: { text: memory, path: inAgentFolder('memory.md') },
  'system-extra': { text: systemExtra, path: inAgentFolder('system-extra.md') },
  'system-reminder': { text: systemReminder, path: inAgentFolder('system-reminder.md') },
  commit: { text: commit, path: inAgentFolder('commit.md') },
  compaction: { text: compaction, path: inAgentFolder('compaction.md') },
};

/** Returns the only path of a kind; null if there can be many notes of it. */
export function pathOfStarter(kind: StarterKind, agentFolder: string): string | null {
  return starters[kind].path?.(agentFolder) ?? null;
}

/** Returns the text that a note of the agent folder begins with; empty for a note that is not in the list. */
export function starterTextFor(name: string): string {
  const kind = starterKinds.find((each) => pathOfStarter(each, '') === `/${name}`);
  return kind === undefined ? '' : starters[kind].text;
}

export interface StarterPorts {
  readonly agentFolder: string;
  /** Whether there is a file or a folder at a path. */
  isTaken(path: string): boolean;
  /** Creates a note and its folders; an existing note is a failure. */
  create(path: string, text: string): Promise<Outcome<void>>;
}

export interface StartedNote {
  readonly path: string;
  /** False if the note was there before, and stayed as it was. */
  readonly isNew: boolean;
}

/** Makes a starter note. Never changes an existing note. */
export async function startNote(kind: StarterKind, ports: StarterPorts): Promise<Outcome<StartedNote>> {
  const { agentFolder } = ports;
  const { text, path: only, newPath } = starters[kind];
  const path = only?.(agentFolder) ?? newPath?.(agentFolder, (each) => ports.isTaken(each)) ?? '';
  if (ports.isTaken(path)) return succeed({ path, isNew: false });
  const made = await ports.create(path, text.replaceAll('{{name}}', nameIn(path)));
  return made.ok ? succeed({ path, isNew: true }) : fail(made.failure);
}

/** Returns the name that a note at this path has: its own, or that of the folder of a skill. */
function nameIn(path: string): string {
  const parts = path.split('/');
  const last = parts.at(-1) === 'SKILL.md' ? parts.at(-2) : parts.at(-1);
  return (last ?? '').replace(/\.md$/, '');
}

function freeSkillPath(agentFolder: string, isTaken: (path: string) => boolean): string {
  return `${numbered(`${agentFolder}/skills/new-skill`, '', isTaken)}/SKILL.md`;
}

function freeSubagentPath(agentFolder: string, isTaken: (path: string) => boolean): string {
  return numbered(`${agentFolder}/subagents/new-subagent`, '.md', isTaken);
}

/** Returns the first unused path, with a number that names of skills and subagents may have. */
function numbered(start: string, end: string, isTaken: (path: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const path = `${start}${number === 1 ? '' : `-${number}`}${end}`;
    if (!isTaken(path)) return path;
  }
}
