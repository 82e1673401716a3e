/**
 * The one listing of the vault in a request: the first of note map, file list, folder tree, and root that fits (K15).
 */
import { Meter, tokensFor } from '../../markup/budget';
import type { FileEntry, NoteOutline, Vault } from '../../ports/vault';
import type { VaultStructure } from '../world';
import { buildVaultMap, type Detail, type FolderBlock } from './vault-map';

export interface FolderRow {
  readonly path: string;
  /** Number of files in the folder and its subfolders. */
  readonly files: number;
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
  /** Paths of notes whose full text is elsewhere in the prompt. */
  readonly attached: readonly string[];
}

const shareOfWindow = 0.02;
const maxTokens = 4_000;
/** Tokens reserved for the words around a listing, its header included; those of the map explain its marks. */
const words = { map: 110, files: 63, folders: 83, root: 55 } as const;

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
  const listings = known.get(files) ?? [];
  const held = listings.find((each) => each.key === key && each.folders === folders);
  if (held !== undefined) return held.listing;
  const listing = makeListing(vault, files, budget, attached);
  known.set(files, [{ key, folders, listing }, ...listings].slice(0, retainedListings));
  return listing;
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
  if (files.length === 0) return null;
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
  return files.every(({ path }) => meter.take(path)) ? { form: 'files', paths: files.map(({ path }) => path) } : null;
}

/** Returns the whole tree, or as many of its levels as fit. */
function foldersOf(vault: Vault, files: readonly FileEntry[], budget: number): VaultListing | null {
  const folders = vault.folders();
  const deepest = folders.reduce((max, path) => Math.max(max, levelOf(path)), 0);
  for (let depth = deepest; depth > 0; depth -= 1) {
    const meter = new Meter(budget - words.folders);
    const rows = rowsTo(depth, folders, files, meter);
    if (rows === null) continue;
    const atRoot = files.map(({ path }) => path).filter((path) => !path.includes('/'));
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
  return rows.sort((a, b) => (inTree(a.path) < inTree(b.path) ? -1 : 1));
}

/** Returns a sort key that places the contents of a folder right after it, before any sibling. */
function inTree(path: string): string {
  return path.replace(/\//g, '\0');
}

/** Returns one line of the tree; the indent shows the level, so only the folder's own name is written. */
export function formatFolder({ path, files }: FolderRow): string {
  const level = levelOf(path);
  return `${' '.repeat(level - 1)}${path.slice(path.lastIndexOf('/') + 1)}/ (${files})`;
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
  const folders = vault.folders().filter(atRoot);
  const paths = files.map(({ path }) => path).filter(atRoot);
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
