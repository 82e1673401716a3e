/** The values of the variables in a saved prompt: what they are when it is sent, and which of them are empty. */
import type { NoteReader } from '../library/user-notes';
import { fillUserTemplate, readUserTemplate } from '../markup/user-templates';
import { type PromptValues, variablesIn } from '../markup/variables';
import type { Vault } from '../ports/vault';
import type { EditorState } from '../session/entry';
import { withoutHidden } from './editor-changes';
import type { DeviceFacts } from './world';

export type PromptVariable = keyof PromptValues;

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
  const note = withoutHidden(editor, (path) => vault.file(path) !== undefined)?.activeNote ?? null;
  const isRead = note !== null && (variablesIn(text).includes('noteText') || text.includes('it.noteText'));
  return {
    selection: note?.selectedText ?? '',
    activeNote: note?.path ?? '',
    title: note === null ? '' : titleOf(note.path),
    noteText: isRead ? await readText(note.path, sources, signal) : '',
    dailyNote: device.dailyNote?.path ?? '',
    arguments: written,
    date: device.date,
    time: device.time,
  };
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
  const shown = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
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
