/**
 * The one listing of the vault in a request: the first of note map, file list, folder tree, and root that fits (K15).
 */
import { startWithEllipsis } from '../../base/cut';
import { lazy } from '../../base/lazy';
import { compareText, editsBetween, type ListEdit } from '../../base/list-edits';
import { Meter, tokensFor } from '../../markup/budget';
import { nameOnLine, sizeOf } from '../../markup/prose';
import type { FileEntry, NoteOutline, Vault } from '../../ports/vault';
import type { VaultStructure } from '../world';

export interface FolderRow {
  readonly path: string;
  /** Number of files in the folder and its subfolders. */
  readonly files: number;
}

/** One folder's part of the map; it changes only if something directly in that folder does. */
export interface FolderBlock {
  /** Empty for the root. */
  readonly path: string;
  readonly text: string;
  /** What it contains about each file, by path, without the count of backlinks, which depends on other notes. */
  readonly lines?: Readonly<Record<string, string>>;
  /** What a map in other detail contains about each file, so that it does not seem changed. */
  readonly otherLines?: Readonly<Record<string, readonly string[]>>;
  /** Newest change of a file in the folder, in milliseconds since the epoch. */
  readonly modified?: number;
}

export type VaultListing =
  | { readonly form: 'map'; readonly files: number; readonly blocks: readonly FolderBlock[] }
  | { readonly form: 'files'; readonly paths: readonly string[] }
  | {
      readonly form: 'folders';
      readonly files: number;
      /** In tree order; folders deeper than `depth` are only counted in the folders above them. */
      readonly rows: readonly FolderRow[];
      readonly depth: number;
      readonly isWhole: boolean;
      /** Paths of the files outside any folder, if all of them fit. */
      readonly rootFiles: readonly string[];
    }
  | (VaultStructure & {
      readonly form: 'root';
      /** Number of entries that did not fit. */
      readonly omitted?: number;
    });

export interface ListingOptions {
  /** Tokens. */
  readonly contextWindow: number;
  /** Paths of notes whose text, or as much of it as fits, is elsewhere in the prompt. */
  readonly attached: readonly string[];
}

const shareOfWindow = 0.02;
const maxTokens = 4_000;
/** Tokens reserved for the words around a listing, its header included; those of the map explain its marks. */
const words = { map: 110, files: 63, folders: 83, root: 55 } as const;

/** How much the map contains about each note. */
interface Detail {
  /** Deepest level of headings. */
  readonly level: number;
  readonly headings: number;
  readonly targets: number;
  readonly keys: number;
}

/** The details that a map gives for each note, from most to least, before a plain list replaces it. */
const details: readonly Detail[] = [
  { level: 6, headings: 24, targets: 8, keys: 12 },
  { level: 3, headings: 8, targets: 3, keys: 4 },
  { level: 2, headings: 4, targets: 0, keys: 0 },
];

/** Listings cached per state of the vault: for several chats with different context windows or notes. */
const retainedListings = 4;

interface Known {
  readonly key: string;
  /** Tokens. */
  readonly budget: number;
  readonly folders: readonly string[];
  readonly listing: VaultListing;
}

const known = new WeakMap<readonly FileEntry[], readonly Known[]>();

/**
 * Caches the listing for the vault's current lists: that of files is replaced after any change of a note or its outline.
 */
export function listVault(vault: Vault, { contextWindow, attached }: ListingOptions): VaultListing {
  const [files, folders] = [vault.files(), vault.folders()];
  const budget = tokensFor(contextWindow, shareOfWindow, maxTokens);
  const key = [budget, ...attached].join('\n');
  const listings = known.get(files) ?? stillTrue(vault, files);
  known.set(files, listings);
  const held = listings.find((each) => each.key === key && each.folders === folders);
  if (held !== undefined) return held.listing;
  const listing = makeListing(vault, files, budget, attached);
  known.set(files, [{ key, budget, folders, listing }, ...listings].slice(0, retainedListings));
  return listing;
}

/** The list of files that was listed last. */
const lastLists = new WeakMap<Vault, readonly FileEntry[]>();

/**
 * Returns the listings of the list before this one that name files alone, if the two have the same files: what notes
 * contain is in a map only, and these vaults have too many files for one.
 */
function stillTrue(vault: Vault, files: readonly FileEntry[]): readonly Known[] {
  const before = lastLists.get(vault);
  lastLists.set(vault, files);
  const edits = before && editsBetween<FileEntry>(before, files);
  const isSame = ({ removed, added }: ListEdit<FileEntry>): boolean =>
    removed.length === added.length && removed.every(({ path }, index) => path === added[index]?.path);
  if (before === undefined || edits?.every((batch) => batch.every(isSame)) !== true) return [];
  return (known.get(before) ?? []).filter(({ budget }) => !mayBeMap(files, budget));
}

/** Whether a map of so many files may fit, if the notes contain little enough. */
function mayBeMap(files: readonly FileEntry[], budget: number): boolean {
  return new Meter(budget - words.map).hasRoom(files.length * minLineTokens);
}

function makeListing(
  vault: Vault,
  files: readonly FileEntry[],
  budget: number,
  attached: readonly string[],
): VaultListing {
  return (
    mapOf(vault, files, budget, attached) ??
    filesOf(files, budget) ??
    foldersOf(vault, files, budget) ??
    rootOf(vault, files, budget)
  );
}

function mapOf(
  vault: Vault,
  files: readonly FileEntry[],
  budget: number,
  attached: readonly string[],
): VaultListing | null {
  if (files.length === 0 || !mayBeMap(files, budget)) return null;
  const full = new Set(attached.map((path) => vault.file(path)?.path ?? path));
  const outlines = new Map<string, NoteOutline | undefined>();
  const outlineOf = (path: string): NoteOutline | undefined => {
    if (!outlines.has(path)) outlines.set(path, vault.outline(path));
    return outlines.get(path);
  };
  for (const detail of details) {
    const blocks = buildVaultMap(files, outlineOf, new Meter(budget - words.map), detail, full);
    if (blocks !== null) return { form: 'map', files: files.length, blocks };
  }
  return null;
}

function filesOf(files: readonly FileEntry[], budget: number): VaultListing | null {
  if (files.length === 0) return null;
  const meter = new Meter(budget - words.files);
  return files.every(({ path }) => meter.take(path))
    ? { form: 'files', paths: files.map(({ path }) => nameOnLine(path)) }
    : null;
}

/** Returns the whole tree, or as many of its levels as fit. */
function foldersOf(vault: Vault, files: readonly FileEntry[], budget: number): VaultListing | null {
  const folders = vault.folders();
  const deepest = folders.reduce((max, path) => Math.max(max, levelOf(path)), 0);
  for (let depth = deepest; depth > 0; depth -= 1) {
    const meter = new Meter(budget - words.folders);
    const rows = rowsTo(depth, folders, files, meter);
    if (rows === null) continue;
    const atRoot = files.map(({ path }) => nameOnLine(path)).filter((path) => !path.includes('/'));
    const rootFiles = atRoot.every((path) => meter.take(path)) ? atRoot : [];
    return { form: 'folders', files: files.length, rows, depth, isWhole: depth === deepest, rootFiles };
  }
  return null;
}

function rowsTo(
  depth: number,
  folders: readonly string[],
  files: readonly FileEntry[],
  meter: Meter,
): FolderRow[] | null {
  const rows: FolderRow[] = [];
  for (const path of folders) {
    if (levelOf(path) > depth) continue;
    const row = { path, files: countInside(files, path) };
    if (!meter.take(formatFolder(row))) return null;
    rows.push(row);
  }
  return rows.sort((a, b) => compareText(inTree(a.path), inTree(b.path)));
}

/** Returns a sort key that places the contents of a folder right after it, before any sibling. */
function inTree(path: string): string {
  return path.replace(/\//g, '\0');
}

/** Returns one line of the tree; the indent shows the level, so only the folder's own name is written. */
export function formatFolder({ path, files }: FolderRow): string {
  const level = levelOf(path);
  return `${' '.repeat(level - 1)}${nameOnLine(path.slice(path.lastIndexOf('/') + 1))}/ (${files})`;
}

function levelOf(path: string): number {
  let level = 1;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) level += 1;
  return level;
}

/**
 * Counts by binary search: files are sorted by code unit, so those in a folder are adjacent, between `folder/` and
 * `folder0`.
 */
function countInside(files: readonly FileEntry[], folder: string): number {
  return firstFrom(files, `${folder}0`) - firstFrom(files, `${folder}/`);
}

function firstFrom(files: readonly FileEntry[], path: string): number {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((files[middle]?.path ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lists folders first; what does not fit is only counted. */
function rootOf(vault: Vault, files: readonly FileEntry[], budget: number): VaultListing {
  const atRoot = (path: string): boolean => !path.includes('/');
  const folders = vault.folders().filter(atRoot).map(nameOnLine);
  const paths = files.map(({ path }) => nameOnLine(path)).filter(atRoot);
  const meter = new Meter(budget - words.root);
  const rootFolders = takeWhile(folders, (path) => meter.take(` - ${path}/`));
  const rootFiles = takeWhile(paths, (path) => meter.take(` - ${path}`));
  const omitted = folders.length + paths.length - rootFolders.length - rootFiles.length;
  return { form: 'root', rootFolders, rootFiles, ...(omitted === 0 ? {} : { omitted }) };
}

function takeWhile(items: readonly string[], takes: (item: string) => boolean): string[] {
  const stop = items.findIndex((item) => !takes(item));
  return stop === -1 ? [...items] : items.slice(0, stop);
}

// The note map: for each note its headings, links, tags, property keys, and size, by folder, but never its text.

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
  /** Returns the text that it has in other detail, and attached or not. */
  readonly others: () => readonly string[];
}

/**
 * Returns the map, with folders and the files in them sorted by path; null if it does not fit. Reads the outlines of no
 * more notes than fit.
 * @param attached paths of notes whose text is elsewhere in the prompt
 */
function buildVaultMap(
  files: readonly FileEntry[],
  outlineOf: OutlineOf,
  meter: Meter,
  detail: Detail,
  attached: ReadonlySet<string>,
): FolderBlock[] | null {
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
    .sort(([a], [b]) => compareText(a, b))
    .map(([path, entries]) => {
      // Needed only where something changed since an earlier request; a property, by which equal listings stay equal.
      const otherLines = lazy(() => Object.fromEntries(entries.map(({ file, others }) => [file.path, others()])));
      return {
        path,
        text: entries.map((entry) => withInbound(entry, inbound)).join('\n'),
        lines: Object.fromEntries(entries.map(({ file, head, tail }) => [file.path, head + tail])),
        get otherLines() {
          return otherLines();
        },
        modified: entries.reduce((newest, { file }) => Math.max(newest, file.modified), 0),
      };
    });
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
  const name = nameOnLine(nameOf(file.path));
  const head = `- ${name}, ${sizeOf(file.size)}`;
  if (file.kind !== 'note') return { file, path: '', head, tail: '', others: () => [] };
  const outline = outlineOf(file.path);
  const targets = outline === undefined ? [] : targetsOf(outline, inbound);
  const tailIn = (each: Detail): string => (outline === undefined ? '' : describe(outline, targets, name, each));
  // How much of it is sent depends on its length and on the other notes; an earlier version said “in full” of all.
  const pinned = `- ${name}, attached`;
  const others = () => [pinned, `${pinned} in full`, ...details.map((each) => head + tailIn(each))];
  if (attached.has(file.path)) return { file, path: '', head: pinned, tail: '', others };
  return { file, path: file.path, head, tail: tailIn(detail), others };
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
  return startWithEllipsis(text.replace(/\s+/g, ' ').trim(), maxTextLength);
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
