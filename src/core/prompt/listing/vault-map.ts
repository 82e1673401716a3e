/** The note map: for each note its headings, links, tags, property keys, and size, by folder, but never its text. */
import type { Meter } from '../../markup/budget';
import { sizeOf } from '../../markup/prose';
import type { FileEntry, NoteOutline } from '../../ports/vault';

/** One folder's part of the map; it changes only if something directly in that folder does. */
export interface FolderBlock {
  /** Empty for the root. */
  readonly path: string;
  readonly text: string;
  /** What it contains about each file, by path, without the count of backlinks, which depends on other notes. */
  readonly lines?: Readonly<Record<string, string>>;
  /** Newest change of a file in the folder, in milliseconds since the epoch. */
  readonly modified?: number;
}

/** How much the map contains about each note. */
export interface Detail {
  /** Deepest level of headings. */
  readonly level: number;
  readonly headings: number;
  readonly targets: number;
  readonly keys: number;
}

/** Maximum characters of a heading, a target, or a key. */
const maxTextLength = 80;
/** Tokens of a folder's markup in addition to its path, of a count of backlinks, and of the shortest line of a file. */
const folderMarks = 12;
const inboundMarks = 3;
const minLineTokens = 5;

type OutlineOf = (path: string) => NoteOutline | undefined;

interface Entry {
  readonly file: FileEntry;
  /** Empty if backlinks are not counted. */
  readonly path: string;
  /** The text before and after the count of backlinks. */
  readonly head: string;
  readonly tail: string;
}

/**
 * Returns the map, with folders and the files in them sorted by path; null if it does not fit. Reads the outlines of no
 * more notes than fit.
 * @param attached paths of notes whose full text is elsewhere in the prompt
 */
export function buildVaultMap(
  files: readonly FileEntry[],
  outlineOf: OutlineOf,
  meter: Meter,
  detail: Detail,
  attached: ReadonlySet<string>,
): FolderBlock[] | null {
  if (!meter.hasRoom(files.length * minLineTokens)) return null;
  const folders = new Map<string, Entry[]>();
  const inbound = new Map<string, number>();
  for (const file of files) {
    const entry = entryOf(file, outlineOf, detail, attached, inbound);
    const folder = folderOf(file.path);
    const known = folders.get(folder);
    if (known === undefined) {
      folders.set(folder, [entry]);
      if (!meter.spend(folderMarks) || !meter.take(folder)) return null;
    } else known.push(entry);
    if (!meter.spend(inboundMarks) || !meter.take(entry.head + entry.tail)) return null;
  }
  return [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, entries]) => ({
      path,
      text: entries.map((entry) => withInbound(entry, inbound)).join('\n'),
      lines: Object.fromEntries(entries.map(({ file, head, tail }) => [file.path, head + tail])),
      modified: entries.reduce((newest, { file }) => Math.max(newest, file.modified), 0),
    }));
}

function withInbound({ path, head, tail }: Entry, inbound: ReadonlyMap<string, number>): string {
  const count = inbound.get(path) ?? 0;
  return head + (count === 0 ? '' : ` ←${count}`) + tail;
}

function entryOf(
  file: FileEntry,
  outlineOf: OutlineOf,
  detail: Detail,
  attached: ReadonlySet<string>,
  inbound: Map<string, number>,
): Entry {
  const name = nameOf(file.path);
  if (file.kind !== 'note') return { file, path: '', head: `- ${name}, ${sizeOf(file.size)}`, tail: '' };
  const outline = outlineOf(file.path);
  const targets = outline === undefined ? [] : targetsOf(outline, inbound);
  if (attached.has(file.path)) return { file, path: '', head: `- ${name}, attached in full`, tail: '' };
  const head = `- ${name}, ${sizeOf(file.size)}`;
  return { file, path: file.path, head, tail: outline === undefined ? '' : describe(outline, targets, name, detail) };
}

/**
 * Returns the targets of a note's links, each once and without the note itself, and counts the note as a backlink of
 * each.
 */
function targetsOf(outline: NoteOutline, inbound: Map<string, number>): string[] {
  const targets = new Set<string>();
  for (const { target, path } of outline.links) {
    if (path === outline.path) continue;
    targets.add(path === undefined ? target.replace(/#.*$/, '') : path);
  }
  targets.delete('');
  for (const target of targets) inbound.set(target, (inbound.get(target) ?? 0) + 1);
  return [...targets].map((target) => nameOf(target).replace(/\.md$/, ''));
}

function describe(
  { tags, properties, headings }: NoteOutline,
  targets: readonly string[],
  name: string,
  detail: Detail,
): string {
  const keys = Object.keys(properties).filter((key) => key !== 'tags' && key !== 'tag');
  const title = name.replace(/\.md$/, '');
  const listedHeadings = headings.filter(
    ({ level, text }, index) => level <= detail.level && !(index === 0 && level === 1 && text === title),
  );
  return [
    targets.length === 0 ? '' : ` →${targets.length}`,
    targets.length === 0 || detail.targets === 0 ? '' : `: ${listed(targets, detail.targets)}`,
    ...tags.map((tag) => ` ${plain(tag)}`),
    keys.length === 0 || detail.keys === 0 ? '' : ` {${listed(keys, detail.keys)}}`,
    ...listedHeadings.slice(0, detail.headings).map(({ level, text }) => `\n${'#'.repeat(level)} ${plain(text)}`),
    listedHeadings.length > detail.headings ? `\n… ${listedHeadings.length - detail.headings} more headings` : '',
  ].join('');
}

function listed(names: readonly string[], max: number): string {
  return names.slice(0, max).map(plain).join(', ') + (names.length > max ? ', …' : '');
}

/** Returns the text on one line, shortened to the maximum length. */
function plain(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
