/** Cached lists over the whole vault, and mention sources that suggest their entries by name. */
import {
  applyEdits,
  countItems,
  countLeading,
  editList,
  editsBetween,
  editsFor,
  type ListEdit,
  sortInSteps,
} from '../base/list-edits';
import type { FileEntry, Vault } from '../ports/vault';
import { findAll, type MentionCandidate, type MentionSource } from './mention-source';

/**
 * CachedList: a list over the whole vault, made once, and in slices if the vault is large. From then on it follows the
 * edits of the vault's list of files; only if these are not known it is made again.
 */
interface CachedList<Value> {
  /**
   * Returns the current list; for a large vault, the one before if it has to be made again, or if more was edited than a
   * key press should wait for.
   * @param most how many edited files the list of a large vault follows at once
   */
  current(vault: Vault, most?: number): Value;
  /** Follows all edits, or runs one slice of a pass over the vault; returns false once the list is current. */
  prepare(vault: Vault): boolean;
}

/** The maximum number of edited files that a list follows at once on request in a large vault. */
const maxFollowed = 200;

/** What a list is made from; both are replaced when they change. */
interface Listed {
  readonly files: readonly FileEntry[];
  readonly folders: readonly string[];
}

interface State<Value> {
  from: Listed | null;
  value: Value;
  pass: { readonly from: Listed; readonly slices: Generator<unknown, Value> } | null;
}

interface ListOptions<Value> {
  /** Yields after each slice of a few milliseconds. */
  readonly make: (vault: Vault) => Generator<unknown, Value>;
  /**
   * Returns the value after a batch of edits, at a cost that does not grow with the vault. May change the value.
   */
  readonly follow?: (value: Value, edits: readonly ListEdit<FileEntry>[], vault: Vault) => Value;
  /** The value before the first pass over a large vault. */
  readonly nothing: Value;
  /** The maximum number of files for which the list is made at once on request. */
  readonly smallVault: number;
  /** Whether the list depends on the folders too. */
  readonly hasFolders?: boolean;
}

export function cacheList<Value>(options: ListOptions<Value>): CachedList<Value> {
  const { make, follow, nothing, smallVault, hasFolders = false } = options;
  const states = new WeakMap<Vault, State<Value>>();
  const listedIn = (vault: Vault): Listed => ({
    files: vault.files(),
    folders: hasFolders ? vault.folders() : [],
  });
  const isSame = (state: State<Value>, { files, folders }: Listed): boolean =>
    state.from?.files === files && (!hasFolders || state.from.folders === folders);
  const followEdits = (state: State<Value>, now: Listed, vault: Vault, most: number): void => {
    if (state.from === null || (hasFolders && state.from.folders !== now.folders)) return;
    const batches = follow === undefined ? null : editsBetween<FileEntry>(state.from.files, now.files);
    if (follow === undefined || batches === null || countItems(batches) > most) return;
    const value = batches.reduce((before, batch) => follow(before, batch, vault), state.value);
    Object.assign(state, { value, from: now });
  };
  const stateOf = (
    vault: Vault,
    most = Infinity,
  ): { readonly state: State<Value>; readonly now: Listed; readonly isCurrent: boolean } => {
    const state = states.get(vault) ?? { from: null, value: nothing, pass: null };
    states.set(vault, state);
    const now = listedIn(vault);
    if (!isSame(state, now)) followEdits(state, now, vault, most);
    return { state, now, isCurrent: isSame(state, now) };
  };
  const prepare = (vault: Vault): boolean => {
    const { state, now, isCurrent } = stateOf(vault);
    if (isCurrent) return false;
    // A pass is finished even if the vault changes during it; constant changes would otherwise never let one end.
    state.pass ??= { from: now, slices: make(vault) };
    const step = state.pass.slices.next();
    if (step.done !== true) return true;
    Object.assign(state, { from: state.pass.from, value: step.value, pass: null });
    return false;
  };
  return {
    prepare,
    current: (vault, most = maxFollowed) => {
      const { state, now, isCurrent } = stateOf(vault, most);
      if (!isCurrent && now.files.length <= smallVault) {
        state.pass = null;
        while (prepare(vault));
      }
      return state.value;
    },
  };
}

// Lists of files by name, the newest first.

/** Which files are listed, and how. */
interface FilesByName {
  readonly includes: (file: FileEntry) => boolean;
  /** The name that is shown. */
  readonly nameOf: (path: string) => string;
  /** What identifies a file whose name another one has too. */
  readonly sharedLabel: (path: string) => string;
  readonly kind: 'note' | 'image';
}

export interface NewestFiles {
  readonly candidates: readonly MentionCandidate[];
  /** The files of the candidates; edits change the list itself. */
  readonly files: FileEntry[];
  /** Paths by lowercase name. */
  readonly paths: Map<string, string | string[]>;
}

const sliceFiles = 4_000;

/** @param smallVault the maximum number of files for which the list is made at once */
export function listByName(list: FilesByName, smallVault: number): CachedList<NewestFiles> {
  return cacheList<NewestFiles>({
    make: (vault) => listNewest(vault, list),
    follow: (value, edits, vault) => followNewest(value, edits, vault, list),
    nothing: { candidates: [], files: [], paths: new Map() },
    smallVault,
  });
}

export function isShared({ paths }: NewestFiles, name: string): boolean {
  const known = paths.get(name.toLowerCase());
  return known !== undefined && typeof known !== 'string';
}

function byAge(a: FileEntry, b: FileEntry): number {
  return b.modified - a.modified || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

function toCandidate(path: string, list: FilesByName, paths: NewestFiles['paths'], folder: string): MentionCandidate {
  const name = list.nameOf(path);
  const known = paths.get(name.toLowerCase());
  const label = known === undefined || typeof known === 'string' ? name : list.sharedLabel(path);
  const line = { mention: { kind: list.kind, id: path, label }, detail: folder, keywords: folder } as const;
  return label === name ? line : { ...line, name };
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function* listNewest(vault: Vault, list: FilesByName): Generator<unknown, NewestFiles> {
  const files: FileEntry[] = [];
  const paths: NewestFiles['paths'] = new Map();
  for (const [index, file] of vault.files().entries()) {
    if (index % sliceFiles === sliceFiles - 1) yield;
    if (!list.includes(file)) continue;
    files.push(file);
    addPath(paths, list.nameOf(file.path).toLowerCase(), file.path);
  }
  const sorted = yield* sortInSteps(files, byAge, sliceFiles);
  const candidates: MentionCandidate[] = [];
  // Each folder is one text, however many files are in it.
  const folders = new Map<string, string>();
  for (const { path } of sorted) {
    const folder = folderOf(path);
    const own = folders.get(folder) ?? folder;
    folders.set(own, own);
    candidates.push(toCandidate(path, list, paths, own));
    if (candidates.length % sliceFiles === 0) yield;
  }
  return { candidates, files: sorted, paths };
}

function addPath(paths: NewestFiles['paths'], name: string, path: string): void {
  const known = paths.get(name);
  if (known === undefined) paths.set(name, path);
  else if (typeof known === 'string') paths.set(name, [known, path]);
  else known.push(path);
}

function removePath(paths: NewestFiles['paths'], name: string, path: string): void {
  const known = paths.get(name);
  if (known === path) paths.delete(name);
  if (known === undefined || typeof known === 'string') return;
  const at = known.indexOf(path);
  if (at >= 0) known.splice(at, 1);
  if (known.length === 1) paths.set(name, known[0] ?? '');
}

function followNewest(
  before: NewestFiles,
  edits: readonly ListEdit<FileEntry>[],
  vault: Vault,
  list: FilesByName,
): NewestFiles {
  const { paths } = before;
  const lost = new Map(edits.flatMap(({ removed }) => removed.filter(list.includes)).map((file) => [file.path, file]));
  const found = new Map(edits.flatMap(({ added }) => added.filter(list.includes)).map((file) => [file.path, file]));
  for (const [path, file] of lost) {
    if (found.get(path) !== file) continue;
    // Only its text or its outline changed.
    lost.delete(path);
    found.delete(path);
  }
  // Whether the names of files that came or went were shared before.
  const names = new Map<string, boolean>();
  const rename = (path: string, change: typeof addPath): void => {
    const name = list.nameOf(path).toLowerCase();
    if (!names.has(name)) names.set(name, isShared(before, name));
    change(paths, name, path);
  };
  for (const path of lost.keys()) if (!found.has(path)) rename(path, removePath);
  for (const path of found.keys()) if (!lost.has(path)) rename(path, addPath);
  for (const [name, wasShared] of names) {
    if (wasShared === isShared(before, name)) continue;
    // The one file that had the name before, or has it now, is identified in another way.
    const known = paths.get(name) ?? [];
    for (const path of typeof known === 'string' ? [known] : known) {
      const file = found.has(path) ? undefined : fileAt(before.files, vault, path);
      if (file === undefined) continue;
      lost.set(path, file);
      found.set(path, file);
    }
  }
  if (lost.size + found.size === 0) return before;
  const moved = editsFor(before.files, [...lost.values()], [...found.values()], byAge);
  const toLine = ({ path }: FileEntry): MentionCandidate => toCandidate(path, list, paths, folderOf(path));
  let at = 0;
  const old = before.candidates;
  const lines = moved.map(({ at: place, removed, added }) => {
    const from = place - at;
    at += added.length - removed.length;
    return { at: place, removed: old.slice(from, from + removed.length), added: added.map(toLine) };
  });
  const files = applyEdits(before.files, moved, (file) => file);
  return { candidates: editList(old, lines), files, paths };
}

/** Returns a listed file by its path. */
function fileAt(files: readonly FileEntry[], vault: Vault, path: string): FileEntry | undefined {
  const entries = vault.files();
  const entry = entries[countLeading(entries, (each) => each.path < path)];
  if (entry?.path !== path) return undefined;
  const listed = files[countLeading(files, (each) => byAge(each, entry) < 0)];
  return listed?.path === path ? listed : undefined;
}

// Suggestions by name after `[[`, once something was typed that is not part of a note link.

/** @param lines the maximum number of lines to show */
export function offerByName<Value>(
  id: MentionSource['id'],
  list: CachedList<Value>,
  candidatesOf: (value: Value) => readonly MentionCandidate[],
  lines: number,
): MentionSource {
  return {
    id,
    triggers: findAll,
    offer: ({ vault }, typed) =>
      typed.trim() === '' || typed.includes('#')
        ? null
        : { candidates: candidatesOf(list.current(vault)), query: typed, lines },
    prepare: ({ vault }) => list.prepare(vault),
  };
}
