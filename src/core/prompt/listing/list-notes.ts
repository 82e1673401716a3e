/** Lists the notes of a folder or a tag, newest first, within a budget, with the newest of them in full. */
import { startWithEllipsis } from '../../base/cut';
import { createWorkBudget } from '../../base/async';
import { lazy } from '../../base/lazy';
import { below, compareText } from '../../base/list-edits';
import { bodyOf } from '../../markdown/properties';
import { estimateTokens, Meter } from '../../markup/budget';
import { nameOnLine, sizeOf } from '../../markup/prose';
import type { FileEntry, NoteOutline, Vault } from '../../ports/vault';
import type { AttachedList, AttachedNote, ListedNote, World } from '../world';

export interface ListBudget {
  /** Tokens for lines. */
  readonly lines: number;
  /** Tokens for full texts. */
  readonly texts: number;
}

const maxFullNotes = 5;
/** Maximum characters of a heading or sentence. */
const maxAboutLength = 100;
/** Tokens of a note's markup, in addition to its path and text. */
const noteMarks = 12;
/** Maximum bytes per token of any text. */
const maxBytesPerToken = 8;

/** Minimum tokens of a line. */
const minRowTokens = 6;

const readStep = 32;

/**
 * Lists the notes, newest first.
 * @param taken paths of notes that the prompt already contains; adds those that are listed in full
 */
export async function listNotes(
  world: World,
  kind: AttachedList['kind'],
  id: string,
  budget: ListBudget,
  taken: Set<string>,
  signal: AbortSignal,
): Promise<AttachedList> {
  const { found, unindexed = 0 }: TaggedNotes =
    kind === 'folder' ? { found: notesInFolder(world.vault, id) } : await notesWithTag(world.vault, id, signal);
  const newest = [...found].sort((a, b) => b.modified - a.modified || compareText(a.path, b.path));
  const rows = await rowsWithin(world, newest, new Meter(budget.lines), signal);
  const notes = await fullWithin(world, newest, budget.texts, taken, signal);
  return { kind, id, total: found.length, ...(unindexed > 0 && { unindexed }), rows, notes };
}

/** Returns one line of the list. */
export function formatRow({ path, size, about }: ListedNote): string {
  return `- ${nameOnLine(path)}, ${sizeOf(size)}${about === '' ? '' : `: ${about}`}`;
}

function notesInFolder(vault: Vault, folder: string): readonly FileEntry[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  return below(vault.files(), prefix).filter(({ kind }) => kind === 'note');
}

interface TaggedNotes {
  readonly found: readonly FileEntry[];
  readonly unindexed?: number;
}

const tagged = new WeakMap<readonly FileEntry[], Map<string, TaggedNotes>>();

/**
 * Returns the notes with the tag or a nested one, ignoring case. Yields to the event loop at times, since there is no
 * index of tags.
 */
async function notesWithTag(vault: Vault, tag: string, signal: AbortSignal): Promise<TaggedNotes> {
  const files = vault.files();
  const wanted = tag.toLowerCase();
  const known = tagged.get(files)?.get(wanted);
  if (known !== undefined) return known;
  const work = createWorkBudget(signal);
  const found: FileEntry[] = [];
  let unindexed = 0;
  for (const file of files) {
    const going = work.spend(250);
    if (going !== true && !(await going)) return { found };
    if (file.kind !== 'note') continue;
    const outline = vault.outline(file.path);
    if (outline === undefined && file.size > 0) unindexed += 1;
    else if (hasTag(outline, wanted)) found.push(file);
  }
  const all = { found, unindexed };
  tagged.set(files, (tagged.get(files) ?? new Map<string, TaggedNotes>()).set(wanted, all));
  return all;
}

function hasTag(outline: NoteOutline | undefined, wanted: string): boolean {
  return outline?.tags.some((tag) => `${tag.toLowerCase()}/`.startsWith(`${wanted}/`)) === true;
}

/** Returns as many lines as fit. A note without a heading is described by its text. */
async function rowsWithin(
  world: World,
  newest: readonly FileEntry[],
  meter: Meter,
  signal: AbortSignal,
): Promise<ListedNote[]> {
  const shown: FileEntry[] = [];
  for (const file of newest) {
    if (!meter.hasRoom(shown.length * minRowTokens)) break;
    shown.push(file);
  }
  const rows: ListedNote[] = [];
  // Reads in batches, so that few more notes are read than shown.
  for (let start = 0; start < shown.length; start += readStep) {
    const step = shown.slice(start, start + readStep);
    const described = await Promise.all(
      step.map(async ({ path, size }) => ({ path, size, about: await aboutOf(world, path, signal) })),
    );
    for (const row of described) {
      if (!meter.take(formatRow(row))) return rows;
      rows.push(row);
    }
  }
  return rows;
}

async function aboutOf(world: World, path: string, signal: AbortSignal): Promise<string> {
  const heading = world.vault.outline(path)?.headings[0]?.text;
  if (heading !== undefined) return cut(heading);
  const outcome = await world.readNote(path, signal);
  return outcome.ok ? firstSentence(bodyOf(outcome.value.text)) : '';
}

const letter = lazy(() => /[\p{L}\p{N}]/u);

function firstSentence(body: string): string {
  const line = body.split('\n').find((each) => letter().test(each)) ?? '';
  return cut(/^.*?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line);
}

function cut(text: string): string {
  return startWithEllipsis(text.replace(/\s+/g, ' ').trim(), maxAboutLength);
}

/** Returns the newest notes until one does not fit, so that it is clear which ones are included. */
async function fullWithin(
  world: World,
  newest: readonly FileEntry[],
  budget: number,
  taken: Set<string>,
  signal: AbortSignal,
): Promise<AttachedNote[]> {
  const notes: AttachedNote[] = [];
  let left = budget;
  for (const { path, size } of newest) {
    if (notes.length === maxFullNotes || size > left * maxBytesPerToken) break;
    if (taken.has(path)) continue;
    const outcome = await world.readNote(path, signal);
    if (!outcome.ok) continue;
    left -= estimateTokens(outcome.value.text) + estimateTokens(path) + noteMarks;
    if (left < 0) break;
    taken.add(path);
    notes.push({ path, text: outcome.value.text });
  }
  return notes;
}
