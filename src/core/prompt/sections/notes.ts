/** Notes in the prompt: those that the user mentioned (R166-R168), and the pinned notes of every request. */
import { rememberOf } from '../../base/lazy';
import { fairShares, type Measure, trimText } from '../../markup/budget';
import { escapeText } from '../../markup/escapes';
import { type Content, type Element, element, write } from '../../markup/markup';
import { counted, grouped } from '../../markup/prose';
import { toolNames } from '../../markup/variables';
import { attachedLists, attachedNotes, contextNotes } from '../facts/attached-notes';
import { type Offered, offeredTools, offers } from '../facts/turn-state';
import { formatRow } from '../listing/list-notes';
import { section, type SectionItem } from '../section';
import type { AttachedList, AttachedNote } from '../world';

/** Replaces the text of a note that could not be read; an empty note has an empty body instead (R167, R265). */
export const unavailable = '[File content unavailable]';

/** Replaces the text of a note that the system prompt contains (R227). */
const inPrompt = '[The instructions at the beginning contain this note.]';

/** Replaces the text of a note that was sent before (R227). */
export const unchanged = '[Unchanged. An earlier message has its text.]';

export const filesSection = section({
  id: 'files',
  tag: 'files',
  zone: 'turn',
  buildOrder: 75,
  priority: 80,
  trim: 'tail',
  needs: { notes: attachedNotes, lists: attachedLists, tools: offeredTools },
  when: ({ notes, lists }) => notes.length + lists.length > 0,
  full: ({ notes, lists, tools }) => onLines([...notes.map(show), ...lists.map((list) => showList(list, tools))]),
  shorten: ({ notes, lists, tools }, tokens, measure) => shortenNotes(notes, lists, tools, tokens, measure),
  brief: ({ notes, lists }) => [
    [
      ...notes.map(nameOf),
      ...lists.map(({ kind, id, total }) => `${nameOfList(kind, id)} (${counted(total, 'note')})`),
    ].join('\n'),
  ],
});

/** Tokens of a note's tag in addition to its path, and the minimum tokens of a text that are worth sending. */
const noteMarks = 14;
const minText = 40;

/** Gives each note its fair share; if shares become too small, names the first notes and counts the others. */
function shortenNotes(
  notes: readonly AttachedNote[],
  lists: readonly AttachedList[],
  tools: Offered,
  tokens: number,
  measure: Measure,
): Content | null {
  const listed = lists.map((list) => showList({ ...list, notes: [] }, tools));
  const taken = lists.length === 0 ? 0 : measure.count(write(onLines(listed)).text);
  const room = tokens - taken - noteMarks;
  const marks = marksOf(notes, measure);
  const fitted = fitNotes(notes, marks, tools, room, measure);
  if (fitted === null) return nameNotes(notes, listed, tools, room, marks);
  return onLines([...fitted.map(show), ...listed]);
}

/** Returns the tokens of each note's tag. */
function marksOf(notes: readonly AttachedNote[], measure: Measure): readonly number[] {
  return notes.map(({ path }) => measure.count(path) + noteMarks);
}

/** Shortens each note to its fair share; returns null if shares become too small. */
function fitNotes<Note extends AttachedNote>(
  notes: readonly Note[],
  marks: readonly number[],
  tools: Offered,
  room: number,
  measure: Measure,
): readonly Note[] | null {
  const left = room - marks.reduce((sum, each) => sum + each, 0);
  const isPinned = notes.some((note) => note.pinned === true);
  if (!isPinned && left < notes.length * minText) return null;
  // Escaping makes some texts longer, so their size is measured as they will be written.
  const written = { count: (text: string) => measure.count(escapeText(text)) };
  const sizes = notes.map(({ text }) => written.count(text ?? ''));
  const limits = sharesOf(notes, sizes, left);
  const readsOn = offers(tools, toolNames.readNote) ? `continue with ${toolNames.readNote}` : undefined;
  return notes.map((note, index) =>
    note.text === null
      ? note
      : { ...note, text: trimText(note.text, limits[index] ?? 0, written, readsOn, sizes[index]) },
  );
}

/** Gives pinned notes their shares first, then splits what is left among the others. */
function sharesOf(notes: readonly AttachedNote[], sizes: readonly number[], room: number): number[] {
  const sizesIf = (pinned: boolean): number[] =>
    sizes.map((size, index) => ((notes[index]?.pinned === true) === pinned ? size : 0));
  const first = fairShares(sizesIf(true), room);
  const left = first.reduce((rest, share) => rest - share, room);
  return fairShares(sizesIf(false), left).map((share, index) => share + (first[index] ?? 0));
}

function nameNotes(
  notes: readonly AttachedNote[],
  listed: readonly Element[],
  tools: Offered,
  room: number,
  marks: readonly number[],
): Content | null {
  let left = room - noteMarks;
  const named = notes.filter((_note, index) => (left -= marks[index] ?? 0) >= 0);
  if (named.length === 0) return null;
  const rest = notes.length - named.length;
  const how = offers(tools, toolNames.readNote) ? `; read each with ${toolNames.readNote}` : '';
  const lines = [...named.map(nameOf), ...(rest === 0 ? [] : [`… and ${grouped(rest)} more notes${how}.`])];
  return [...onLines(listed), lines.join('\n')];
}

function onLines(elements: readonly Element[]): Content {
  return elements.flatMap((each, index) => (index === 0 ? [each] : ['\n', each]));
}

function show({ path, text, problem, asBefore, inPrompt: isKnown, heading, block }: AttachedNote): Element {
  const part: Readonly<Record<string, string>> = {
    ...(heading === undefined ? {} : { heading }),
    ...(block === undefined ? {} : { block }),
  };
  return element('note', { path, ...part }, text ?? withoutText({ problem, asBefore, inPrompt: isKnown }));
}

function withoutText({
  problem,
  asBefore = false,
  inPrompt: isKnown = false,
}: Pick<AttachedNote, 'problem' | 'asBefore' | 'inPrompt'>): string {
  if (isKnown) return inPrompt;
  if (asBefore) return unchanged;
  return problem === undefined ? unavailable : `${unavailable} ${problem}`;
}

function showList({ kind, id, total, unindexed = 0, rows, notes }: AttachedList, tools: Offered): Element {
  const lines = [
    total > 0 ? `${counted(total, 'note')}, the newest first:` : noNotes(unindexed),
    ...rows.map(formatRow),
    ...restOf(kind, id, total - rows.length, tools),
    ...(unindexed === 0
      ? []
      : [`Obsidian has not indexed ${counted(unindexed, 'note')} yet; they may be missing here.`]),
    ...(notes.length === 0 ? [] : ['In full:', '']),
  ];
  const attributes: Readonly<Record<string, string>> = kind === 'tag' ? { name: id } : { path: id === '' ? '/' : id };
  return element(kind, attributes, lines.join('\n'), ...onLines(notes.map(show)));
}

function noNotes(unindexed: number): string {
  return unindexed === 0 ? 'There are no notes in it.' : 'No note with it is known.';
}

/** Returns lines that say how to see what was omitted. */
function restOf(kind: AttachedList['kind'], id: string, left: number, tools: Offered): string[] {
  if (left <= 0) return [];
  const way = waysToList[kind].find(({ tool }) => offers(tools, tool));
  if (way === undefined) return [`… and ${grouped(left)} more.`];
  const at = id === '' ? '' : ` with ${way.parameter} "${id}"`;
  return [`… and ${grouped(left)} more; ${way.tool}${at} ${way.does}.`];
}

const listing = 'lists them all';
const searching = 'searches them';

/** The tools that show the rest of a list, best first. */
const waysToList = {
  tag: [
    { tool: toolNames.findNotes, parameter: 'tag', does: listing },
    { tool: toolNames.searchNotes, parameter: 'tag', does: searching },
  ],
  folder: [
    { tool: toolNames.listFolder, parameter: 'path', does: listing },
    { tool: toolNames.findNotes, parameter: 'folder', does: listing },
    { tool: toolNames.searchNotes, parameter: 'folder', does: searching },
  ],
} as const;

function nameOf({ path, heading, block }: AttachedNote): string {
  return heading === undefined && block === undefined ? path : `${path}#${heading ?? block ?? ''}`;
}

function nameOfList(kind: AttachedList['kind'], id: string): string {
  return kind === 'tag' ? id : `${id}/`;
}

/** Notes that cannot be read are omitted here (R219, R223). */
type ReadableNote = AttachedNote & { readonly text: string };
const readable = (notes: readonly AttachedNote[]): ReadableNote[] =>
  notes.filter((note): note is ReadableNote => note.text !== null);

/** The same element for the same note: as an item and in the section, its text is escaped once. */
const showContextNote = rememberOf(({ path, text }: ReadableNote) => element('note', { path }, text));

/** The pinned notes of a chat, each one an item of its own that keeps its position (R206, R219). */
export const contextNotesSection = section({
  id: 'context-notes',
  zone: 'reference',
  buildOrder: 76,
  priority: 80,
  trim: 'tail',
  needs: { notes: contextNotes, tools: offeredTools },
  when: ({ notes }) => readable(notes).length > 0,
  full: ({ notes }) => readable(notes).flatMap((note, index) => [index === 0 ? '' : '\n\n', showContextNote(note)]),
  brief: ({ notes }) => [
    readable(notes)
      .map(({ path }) => path)
      .join('\n'),
  ],
  shorten: ({ notes, tools }, tokens, measure) => shortenNotes(readable(notes), [], tools, tokens, measure),
  items: ({ notes }) => itemsOf(readable(notes)),
  shortenItems: ({ notes, tools }, tokens, measure) => {
    const shown = readable(notes);
    const fitted = fitNotes(shown, marksOf(shown, measure), tools, tokens - noteMarks, measure);
    return fitted === null ? null : itemsOf(fitted);
  },
});

function itemsOf(notes: readonly ReadableNote[]): SectionItem[] {
  return notes.map((note) => ({ key: `file:${note.path}`, content: [showContextNote(note)] }));
}
