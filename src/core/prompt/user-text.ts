/** Reads the user's texts for the prompt and fills in their variables once (R035-R039). */
import { startOf } from '../base/cut';
import { formatSkills } from '../library/skills';
import { formatSubagents, listSubagents } from '../library/subagents';
import { describePrompt, type NoteReader } from '../library/user-notes';
import { bodyOf } from '../markdown/properties';
import { type Content, element, type OwnText } from '../markup/markup';
import { collapseBlankLines } from '../markup/prose';
import { type FilledTemplate, fillUserTemplate, hasTags, readUserTemplate } from '../markup/user-templates';
import {
  fillVariables,
  type PromptValues,
  promptVariables,
  templateVariables,
  type Variables,
  variablesIn,
} from '../markup/variables';
import type { Vault } from '../ports/vault';
import type { EditorState } from '../session/entry';
import { skillsOf } from './facts/library';
import { readTemplateContext } from './template-record';
import type { DeviceFacts, World } from './world';

/** The text of a template in the prompt: Docent's own is escaped as a whole, the user's may keep its tags. */
export type TemplateText = string | OwnText;

/**
 * Returns the instructions in a user's note for the prompt: without properties, with its conditions decided and the
 * values of its variables (R035-R039). A template with a fault stays as it is written.
 * @param text a note as stored on disk
 */
export async function ownText(text: string, world: World, signal: AbortSignal): Promise<OwnText> {
  const body = bodyOf(text);
  const { text: decided, values } = await decide(body, world, signal);
  const own = collapseBlankLines(decided);
  const filled = { ...valuesFor(variablesIn(own), world), ...contentOf(values) };
  return { own, values: filled, ...(hasTags(body) && { template: collapseBlankLines(body) }) };
}

/** Whether a note of the user's is a template that cannot be read, so that Docent's own text is used (K8). */
export function isBroken(text: string): boolean {
  const read = readUserTemplate(bodyOf(text));
  return read.kind === 'fault' && read.fault.kind === 'broken';
}

/** @param more values besides the record's */
async function decide(text: string, world: World, signal: AbortSignal, more: object = {}): Promise<FilledTemplate> {
  const read = hasTags(text) ? readUserTemplate(text) : null;
  if (read?.kind !== 'read') return { text, values: new Map() };
  const filled = fillUserTemplate(read.parts, { ...(await readTemplateContext(world, signal, text)), ...more });
  return { ...filled, text: filled.text.trim() };
}

function contentOf(values: ReadonlyMap<string, string>): OwnText['values'] {
  return Object.fromEntries([...values].map(([name, value]): [string, Content] => [name, [value]]));
}

/** Returns the values of the variables in use, so that nothing is looked up for the others. */
function valuesFor(names: readonly string[], world: World): OwnText['values'] {
  const variables = templateVariablesOf(names, world);
  const known = names.flatMap((name): [string, Content][] => {
    const value = variables.get(name);
    if (value === undefined) return [];
    return [[name, name === 'AgentSkills' && value !== '' ? [element('available_skills', {}, value)] : [value]]];
  });
  return Object.fromEntries(known);
}

/** Looks up skills and subagents only if their variable is among the names. */
function templateVariablesOf(names: readonly string[], world: World): Variables {
  const { vault, agentFolder, turn } = world;
  const skills = names.includes('AgentSkills') ? skillsOf(world) : [];
  const agents = names.includes('SubAgents') ? listSubagents(vault, agentFolder).subagents : [];
  return templateVariables({
    agentSkills: formatSkills(skills),
    subAgents: formatSubagents(agents),
    availableTools: turn.toolNames,
  });
}

/**
 * Returns a prompt as the model gets it: its variables are filled in once, literally (design 5).
 * @param written what the user wrote after the prompt's name
 * @param device whose day and time are filled in
 */
export async function fillPrompt(
  text: string,
  world: World,
  written: string,
  signal: AbortSignal,
  device: ValueSources['device'] = world.device,
): Promise<string> {
  if (variablesIn(text).length === 0 && !hasTags(text)) return text;
  const { vault, turn } = world;
  const { editor, contextWindow } = turn;
  const readNote: World['readNote'] = (path, stop) => world.readNote(path, stop);
  const values = await readPromptValues(text, written, { vault, editor, contextWindow, device, readNote }, signal);
  const decided = await decide(text, world, signal, values);
  const variables = [...templateVariablesOf(variablesIn(decided.text), world), ...promptVariables(values)];
  return fillVariables(decided.text, new Map([...variables, ...decided.values])).text;
}

/** A prompt read by its id: the current text of the user's note, or the prompt registered under the id. */
export interface ReadPrompt {
  readonly name: string;
  /** The text, with its variables not filled in. */
  readonly text: string;
}

/** Resolves to null if there is no such prompt, or its note cannot be read. */
export async function readPrompt(
  id: string,
  { vault, prompts, readNote }: Pick<World, 'vault' | 'prompts' | 'readNote'>,
  signal: AbortSignal,
): Promise<ReadPrompt | null> {
  if (vault.file(id) !== undefined) {
    const outcome = await readNote(id, signal);
    return outcome.ok ? { name: describePrompt(vault, id).name, text: bodyOf(outcome.value.text) } : null;
  }
  const registered = prompts.registered(id);
  // The registry may briefly contain a note that was already deleted.
  if (registered === undefined || registered.source === 'config') return null;
  return { name: registered.name, text: registered.content };
}

// The values of the variables in a saved prompt: what they are when it is sent, and which of them are empty.

export type PromptVariable = keyof PromptValues;

type ActiveNote = NonNullable<EditorState['activeNote']>;

/** What the values are read from. */
export interface ValueSources extends Pick<NoteReader, 'readNote'> {
  readonly vault: Pick<Vault, 'file'>;
  readonly editor: EditorState | null;
  readonly device: Pick<DeviceFacts, 'date' | 'time' | 'dailyNote'>;
  /** Tokens. */
  readonly contextWindow: number;
}

/**
 * Returns the values for a prompt. A note that is hidden gives none, as if it were closed. The open note is read only
 * if the prompt contains its text.
 * @param written what the user wrote after the prompt's name
 */
export async function readPromptValues(
  text: string,
  written: string,
  sources: ValueSources,
  signal: AbortSignal,
): Promise<PromptValues> {
  const { vault, editor, device } = sources;
  const open = editor?.activeNote ?? null;
  const note = open === null || vault.file(open.path) === undefined ? null : open;
  const isRead = note !== null && (variablesIn(text).includes('noteText') || text.includes('it.noteText'));
  return {
    selection: note === null ? '' : selectionOf(note),
    activeNote: note?.path ?? '',
    title: note === null ? '' : titleOf(note.path),
    noteText: isRead ? await readText(note.path, sources, signal) : '',
    dailyNote: device.dailyNote?.path ?? '',
    arguments: written,
    date: device.date,
    time: device.time,
  };
}

/** Returns the selected text; one of which only the beginning is known says so. */
function selectionOf({ selectedText, selectedLength = selectedText.length }: ActiveNote): string {
  const left = selectedLength - selectedText.length;
  return left <= 0 ? selectedText : `${selectedText}\n[… ${left} more characters of the selection are left out.]`;
}

/** Returns the name that Obsidian shows for a note. */
function titleOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}

/** Maximum characters of a note's text in a prompt: a quarter of the context window in tokens, and never more than this. */
const maxNoteText = 100_000;

/** Returns an empty text if the note cannot be read. */
async function readText(
  path: string,
  { readNote, contextWindow }: Pick<ValueSources, 'readNote' | 'contextWindow'>,
  signal: AbortSignal,
): Promise<string> {
  const read = await readNote(path, signal);
  if (!read.ok) return '';
  const { text } = read.value;
  const length = Math.min(contextWindow, maxNoteText);
  if (text.length <= length) return text.trimEnd();
  const shown = startOf(text, length);
  return `${shown}\n[… ${text.length - shown.length} more characters of ${path} are left out.]`;
}

/** A prompt about one of these needs no further words of the user. */
const subjects: readonly PromptVariable[] = ['selection', 'activeNote', 'title', 'noteText'];

/**
 * Returns the variables that a prompt contains and that have no value, in order of appearance. In a template, only those
 * that are left once the values have decided its conditions.
 */
export function findEmptyVariables(text: string, values: PromptValues): readonly PromptVariable[] {
  const names = variablesIn(decideFor(text, values)).map((name) => name.replace(/^it\./, ''));
  const used = [...new Set(names)].filter((name): name is PromptVariable => Object.hasOwn(values, name));
  const hasSubject = used.some((name) => subjects.includes(name));
  return used.filter((name) => values[name].trim() === '' && !(name === 'arguments' && hasSubject));
}

function decideFor(text: string, values: PromptValues): string {
  const read = readUserTemplate(text);
  return read.kind === 'read' ? fillUserTemplate(read.parts, values).text : text;
}
