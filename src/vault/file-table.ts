/** FileTable: the sorted lists of all files and folders, corrected by what each event touched. */
import { type App, TFile, TFolder } from 'obsidian';
import { type Steps, takeSteps } from '../core/base/async';
import { below, compareText, countLeading, editList, editsFor, hasText, sortInSteps } from '../core/base/list-edits';
import type { FileEntry } from '../core/ports/vault';
import type { VaultChanges } from './changes';

export type FollowedChanges = Pick<VaultChanges, 'revision' | 'position' | 'touchedSince'>;

export class FileTable {
  /** Up to where the events are in the lists; null if they must be made again. */
  private position: number | null = null;
  private listed: readonly FileEntry[] = [];
  private listedFolders: readonly string[] = [];
  /** Paths by a number of their folded form, from the first file that was not found under its exact path. */
  private twins: Map<number, string | readonly string[]> | null = null;
  /** Notes that Obsidian had not indexed when they were looked up. */
  private readonly unindexed = new Set<string>();

  constructor(
    private readonly app: App,
    private readonly changes: FollowedChanges,
  ) {}

  /** Sorted by path. A file that was touched gives another list, even if its entry is the same. */
  files(): readonly FileEntry[] {
    this.update();
    return this.listed;
  }

  /** Sorted; the same list while no folder is added or removed. */
  folders(): readonly string[] {
    this.update();
    return this.listedFolders;
  }

  /** Returns the only file whose path differs just in case or Unicode form. */
  twinOf(path: string): string | undefined {
    this.update();
    this.twins ??= takeSteps(foldAll(this.listed));
    const folded = foldPath(path);
    const same = this.twins.get(numberOf(folded)) ?? [];
    const found = (typeof same === 'string' ? [same] : same).filter((each) => foldPath(each) === folded);
    return found.length === 1 ? found[0] : undefined;
  }

  /** Has a note looked up again when Obsidian has indexed it, whether or not an event names it. */
  awaitIndex(path: string): void {
    this.unindexed.add(path);
  }

  private update(): void {
    const { position } = this.changes;
    if (position !== null && position === this.position) return;
    const touched = position === null || this.position === null ? null : this.changes.touchedSince(this.position);
    this.position = position;
    if (touched === null) this.take(takeSteps(listFiles(this.app.vault.getRoot())));
    else this.correct(touched.isIndexed ? new Set([...touched.paths, ...this.takeIndexed()]) : touched.paths);
  }

  /**
   * Makes in steps the lists that are else made at once when they are first asked for. Files may change in between: they
   * are looked up again like all that events touch.
   */
  *prepare(): Steps<void> {
    const { position } = this.changes;
    if (position === null || this.position !== null) return;
    const listed = yield* listFiles(this.app.vault.getRoot());
    if (this.position !== null) return;
    this.take(position === this.changes.position ? listed : inOrder(listed));
    this.position = position;
    this.update();
    const { listed: current } = this;
    const twins = yield* foldAll(current);
    if (this.listed === current) this.twins ??= twins;
  }

  private take(listed: readonly FileEntry[]): void {
    this.twins = null;
    this.listed = listed;
    this.listedFolders = this.app.vault
      .getAllFolders(false)
      .map(({ path }) => path)
      .sort(compareText);
  }

  /** Returns the notes that have been indexed since they were looked up. */
  private takeIndexed(): string[] {
    const { vault, metadataCache } = this.app;
    const taken = [...this.unindexed].filter((path) => {
      const file = vault.getFileByPath(path);
      return file === null || metadataCache.getFileCache(file) !== null;
    });
    for (const path of taken) this.unindexed.delete(path);
    return taken;
  }

  /** Compares what was touched with the vault as it is now, in any order of the events. */
  private correct(paths: ReadonlySet<string>): void {
    const files = new Map<string, TFile | null>();
    const folders = new Map<string, boolean>();
    for (const path of paths) this.look(path, files, folders);
    const removed: FileEntry[] = [];
    const added: FileEntry[] = [];
    for (const [path, file] of files) {
      const before = this.entryAt(path);
      if (before !== undefined) removed.push(before);
      if (file !== null) added.push(before !== undefined && isSame(before, file) ? before : entryOf(file));
      if (this.twins !== null && (before === undefined) !== (file === null))
        toggleTwin(this.twins, path, file !== null);
    }
    if (removed.length + added.length > 0) {
      this.listed = editList(this.listed, editsFor(this.listed, removed, added, byPath));
    }
    const isListed = (path: string): boolean => hasText(this.listedFolders, path);
    const lost = [...folders].flatMap(([path, exists]) => (!exists && isListed(path) ? [path] : []));
    const found = [...folders].flatMap(([path, exists]) => (exists && !isListed(path) ? [path] : []));
    if (lost.length + found.length === 0) return;
    this.listedFolders = editList(this.listedFolders, editsFor(this.listedFolders, lost, found, compareText));
  }

  /** Collects the files and folders at a path and below it, those that the lists have and those that exist. */
  private look(path: string, files: Map<string, TFile | null>, folders: Map<string, boolean>): void {
    const { vault } = this.app;
    const item = vault.getAbstractFileByPath(path);
    if (item instanceof TFile) {
      files.set(path, item);
      return;
    }
    if (item instanceof TFolder) {
      if (item.isRoot()) return;
      folders.set(path, true);
      this.lookInside(item, files, folders);
    } else {
      files.set(path, null);
      folders.set(path, false);
    }
    const prefix = `${path}/`;
    for (const entry of below(this.listed, prefix)) files.set(entry.path, vault.getFileByPath(entry.path));
    const inner = this.listedFolders;
    for (let at = countLeading(inner, (each) => each < prefix); inner[at]?.startsWith(prefix) === true; at += 1) {
      const folder = inner[at] ?? '';
      folders.set(folder, vault.getFolderByPath(folder) !== null);
    }
  }

  private lookInside(folder: TFolder, files: Map<string, TFile | null>, folders: Map<string, boolean>): void {
    const waiting = [folder];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const child of next.children) {
        if (child instanceof TFile) files.set(child.path, child);
        else if (child instanceof TFolder) {
          folders.set(child.path, true);
          waiting.push(child);
        }
      }
    }
  }

  private entryAt(path: string): FileEntry | undefined {
    const entry = this.listed[countLeading(this.listed, (each) => each.path < path)];
    return entry?.path === path ? entry : undefined;
  }
}

export function entryOf(file: TFile): FileEntry {
  const kind = file.extension === 'md' ? 'note' : 'attachment';
  return { path: file.path, kind, size: file.stat.size, modified: file.stat.mtime };
}

function isSame(entry: FileEntry, file: TFile): boolean {
  const { kind, size, modified } = entryOf(file);
  return entry.kind === kind && entry.size === size && entry.modified === modified;
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return compareText(a.path, b.path);
}

/** The order of items at different paths: one comparison of two texts, where `byPath` needs two of half of them. */
function beforeByPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

/** Files in one step, of a few milliseconds, and what it counts for in a work budget. */
const filesInStep = 4_000;
const unitsInStep = 1_000_000;

/** A folder among the files of the one above. */
interface Inner {
  /** With a slash at the end, which is its place among them. */
  readonly path: string;
  readonly folder: TFolder;
}

/** What is left of a folder. */
interface Rest {
  readonly items: readonly (TFile | Inner)[];
  at: number;
}

/** Returns the entries of all files sorted by path in code unit order. Paths are compared in their own folder only. */
function* listFiles(root: TFolder): Steps<FileEntry[]> {
  const sorted: FileEntry[] = [];
  const unfinished: Rest[] = [yield* itemsOf(root)];
  for (let rest = unfinished.at(-1); rest !== undefined; rest = unfinished.at(-1)) {
    const inner = yield* takeFiles(rest, sorted);
    if (inner === undefined) unfinished.pop();
    else unfinished.push(yield* itemsOf(inner));
  }
  return sorted;
}

function* itemsOf({ children }: TFolder): Steps<Rest> {
  const items: (TFile | Inner)[] = [];
  for (const child of children) {
    if (child instanceof TFile) items.push(child);
    else if (child instanceof TFolder) items.push({ path: `${child.path}/`, folder: child });
  }
  if (items.length <= filesInStep) return { items: items.sort(beforeByPath), at: 0 };
  const sorting = sortInSteps(items, beforeByPath, filesInStep);
  for (;;) {
    const step = sorting.next();
    if (step.done === true) return { items: step.value, at: 0 };
    yield unitsInStep;
  }
}

/** Adds the files up to the next folder, and returns that folder. */
function* takeFiles(rest: Rest, sorted: FileEntry[]): Steps<TFolder | undefined> {
  for (const { items } = rest; rest.at < items.length;) {
    const item = items[rest.at++] as TFile | Inner;
    if (!(item instanceof TFile)) return item.folder;
    if (sorted.push(entryOf(item)) % filesInStep === 0) yield unitsInStep;
  }
  return undefined;
}

/**
 * A file that was moved while the list was made is where it was before, or in the list twice, or has the path of another
 * one in it.
 */
function inOrder(listed: FileEntry[]): FileEntry[] {
  const isSorted = listed.every(({ path }, at) => at === 0 || (listed[at - 1] as FileEntry).path < path);
  if (isSorted) return listed;
  return listed.sort(byPath).filter(({ path }, at) => listed[at - 1]?.path !== path);
}

function* foldAll(listed: readonly FileEntry[]): Steps<Map<number, string | readonly string[]>> {
  const twins = new Map<number, string | readonly string[]>();
  for (let start = 0; start < listed.length; start += filesInStep) {
    if (start > 0) yield unitsInStep;
    for (const { path } of listed.slice(start, start + filesInStep)) toggleTwin(twins, path, true);
  }
  return twins;
}

function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Returns a small number for a text; different texts may have the same. */
function numberOf(text: string): number {
  let number = 7;
  for (let index = 0; index < text.length; index += 1) number = (Math.imul(number, 31) + text.charCodeAt(index)) | 0;
  return number >> 2;
}

function toggleTwin(twins: Map<number, string | readonly string[]>, path: string, exists: boolean): void {
  const number = numberOf(foldPath(path));
  const known = twins.get(number);
  const others = (known === undefined ? [] : typeof known === 'string' ? [known] : known).filter(
    (each) => each !== path,
  );
  const next = exists ? [...others, path] : others;
  const [only] = next;
  if (only === undefined) twins.delete(number);
  else twins.set(number, next.length === 1 ? only : next);
}
