/** What a commit of the vault would contain: changed files and their diffs, without what is hidden from the agent. */
import { createWorkBudget } from '../../core/base/async';
import type { ChangedFile, RepositoryChanges } from '../../core/ports/device';
import { fail, messageOf, type Outcome, succeed } from '../../core/ports/failure';
import { countLines, type Hunk, hunksOf } from '../../core/writing/changeset/diff';
import type { RealPaths } from '../../core/writing/changeset/ports';
import { guardNewPath } from '../../core/writing/guard/path-guard';
import { words } from '../../text';
import { type GitFolder, openGitFolder, readHead, type ReadingAdapter, textOf } from './git-folder';
import { type IndexEntry, parseIndex } from './git-index';
import { type GitObjects, openObjects } from './git-objects';
import {
  aborted,
  asStored,
  byPath,
  type Change,
  findStaged,
  findUnstaged,
  isRegular,
  readCommitted,
  type Version,
} from './git-status';
import { type LineEnds, readLineEnds } from './line-ends';

export interface RepositoryOptions {
  readonly adapter: ReadingAdapter;
  /** Null where the file system is not available, as on mobile. */
  readonly realPaths: RealPaths | null;
  /** Whether git converts line ends on this platform where nothing is set. */
  readonly convertsLineEnds: boolean;
  readonly configDir: string;
  /** Returns whether a path is hidden from the agent, whether or not it exists. */
  readonly isHidden: (path: string) => boolean;
  /** Returns whether the marks in a note's text hide it from the agent, even if the note is deleted. */
  readonly isHiddenText: (text: string) => boolean;
}

/** Files whose diffs are read; a larger commit is described by the names of these. */
const maxFiles = 200;
const maxIndex = 32_000_000;
/** Bytes of a file whose lines are compared. */
const maxCompared = 2_000_000;
/** Characters of all diffs; the request shortens them much further. */
const maxDiffs = 2_000_000;
/** Bytes at the beginning in which git looks for a NUL. */
const binaryHead = 8_000;
/** Lines around a change. */
const around = 2;
/** Deleted and added files that are compared to find moves, and the shared part that makes a move. */
const maxMoves = 60;
const minShared = 0.5;

interface Reading extends RepositoryOptions {
  readonly objects: GitObjects;
  readonly lineEnds: LineEnds;
  readonly signal: AbortSignal;
}

/** Reads what is staged, or what changed of the files that git knows if nothing is. Nothing is run or written. */
export async function readChanges(
  options: RepositoryOptions,
  signal: AbortSignal,
): Promise<Outcome<RepositoryChanges>> {
  if (signal.aborted) return fail(aborted());
  try {
    return await readAll(options, signal);
  } catch (thrown) {
    const { unreadable, unreadableRemedy } = words.commit.repository;
    return fail({ kind: 'unreadable', words: unreadable('.git', messageOf(thrown)), remedy: unreadableRemedy });
  }
}

async function readAll(options: RepositoryOptions, signal: AbortSignal): Promise<Outcome<RepositoryChanges>> {
  const { adapter, realPaths, convertsLineEnds } = options;
  const folder = await openGitFolder(adapter, realPaths);
  if (!folder.ok) return folder;
  const index = await readIndex(folder.value);
  if (!index.ok) return index;
  const objects = openObjects(folder.value);
  const lineEnds = readLineEnds(adapter, realPaths, folder.value, convertsLineEnds);
  const head = await readHead(folder.value);
  if (!head.ok) return head;
  const committed =
    head.value === null ? succeed(new Map<string, Version>()) : await readCommitted(objects, head.value, signal);
  if (!committed.ok) return committed;
  const reading: Reading = { ...options, objects, lineEnds, signal };
  const staged = findStaged(committed.value, index.value);
  if (staged.length > 0) return describe(await findMoves(staged, objects, signal), true, reading);
  const indexModified = (await adapter.stat('.git/index').catch(() => null))?.mtime ?? null;
  const unstaged = await findUnstaged(index.value, { adapter, realPaths, lineEnds, indexModified }, signal);
  return unstaged.ok ? describe(unstaged.value, false, reading) : unstaged;
}

/** A repository without an index knows no files yet. */
async function readIndex(folder: GitFolder): Promise<Outcome<readonly IndexEntry[]>> {
  const file = await folder.readIfAny('index', maxIndex);
  if (!file.ok) return file;
  return file.value === null ? succeed([]) : parseIndex(file.value);
}

async function describe(
  all: readonly Change[],
  staged: boolean,
  reading: Reading,
): Promise<Outcome<RepositoryChanges>> {
  const open = all.filter((change) => !change.isUnread && pathsOf(change).every((path) => mayShow(path, reading)));
  const files: ChangedFile[] = [];
  const diffs: string[] = [];
  const work = createWorkBudget(reading.signal);
  let left = maxDiffs;
  for (const change of open.slice(0, maxFiles)) {
    const texts = await readSides(change, reading);
    if (!texts.ok) return texts;
    const { before, after, isCompared, hidesItself } = texts.value;
    if (!(await work.spend((before?.length ?? 0) + (after?.length ?? 0) + 1_000))) return fail(aborted());
    if (hidesItself) continue;
    const { path, how, from } = change;
    files.push(from === undefined ? { path, how } : { path, how, from });
    const diff = printDiff(change, isCompared ? { before: before ?? '', after: after ?? '' } : 'binary');
    diffs.push(diff.length <= left ? diff : printDiff(change, 'long'));
    left -= Math.min(left, diff.length);
  }
  return succeed({ staged, files, diffs, leftOut: all.length - files.length });
}

/** Returns false for hidden paths and for every path with a dot name, and so for Obsidian's own settings. */
function mayShow(path: string, { configDir, isHidden }: Reading): boolean {
  return guardNewPath(path, configDir).ok && !isHidden(path);
}

function pathsOf({ path, from }: ChangedFile): string[] {
  return from === undefined ? [path] : [from, path];
}

interface Sides {
  readonly before: string | null;
  readonly after: string | null;
  /** False for files that are large, no text, or in a conflict. */
  readonly isCompared: boolean;
  readonly hidesItself: boolean;
}

async function readSides(change: Change, reading: Reading): Promise<Outcome<Sides>> {
  const { before, after, conflict } = change;
  const isNote = pathsOf(change).some((path) => /\.md$/i.test(path));
  const bytes: (Uint8Array | null)[] = [];
  for (const version of [before, after, ...conflict]) {
    const read = version === null ? succeed(null) : await readVersion(version, change, bytes[0] ?? null, reading);
    if (!read.ok) return read;
    bytes.push(read.value);
  }
  const isUnread = [before, after, ...conflict].some((version, at) => version !== null && bytes[at] === null);
  const known = bytes.filter((each) => each !== null);
  // A note that is too large to be searched for marks is treated as if it had them.
  const isLarge = isUnread || known.some(({ length }) => length > maxCompared);
  const hidesItself = isNote && (isLarge || known.some((each) => reading.isHiddenText(textOf(each))));
  const isText = !isLarge && !known.some((each) => each.subarray(0, binaryHead).includes(0));
  const { isCompared = true } = await reading.lineEnds.attributesOf(change.path);
  const text = (at: number): string | null => (bytes[at] ? textOf(bytes[at]) : null);
  const canCompare = isCompared && isText && conflict.length === 0;
  return succeed({ before: text(0), after: text(1), isCompared: canCompare, hidesItself });
}

/** Returns the content as git stores it; null for what is too large or was deleted in between. */
async function readVersion(
  { mode, oid }: Version,
  { path }: Change,
  before: Uint8Array | null,
  { objects, adapter, lineEnds }: Reading,
): Promise<Outcome<Uint8Array | null>> {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  // The content of a submodule is a commit of another repository.
  if ((mode & 0o170000) === 0o160000) return succeed(encode(`Subproject commit ${oid ?? ''}\n`));
  if (oid !== null) {
    const object = await objects.read(oid);
    if (object.ok) return succeed(object.value.bytes);
    return object.failure.kind === 'too-large' ? succeed(null) : object;
  }
  const size = (await adapter.stat(path).catch(() => null))?.size;
  if (size === undefined || size > maxCompared) return succeed(null);
  const content = await adapter.readBinary(path).catch(() => null);
  return succeed(content === null ? null : await asStored(new Uint8Array(content), path, lineEnds, before));
}

/** Joins a deleted and an added file that have the same content, or most of it, to a move. */
async function findMoves(changes: readonly Change[], objects: GitObjects, signal: AbortSignal): Promise<Change[]> {
  const regular = (version: Version | null): version is Version => version !== null && isRegular(version.mode);
  const deleted = changes.filter(({ how, before }) => how === 'deleted' && regular(before));
  const added = changes.filter(({ how, after }) => how === 'added' && regular(after));
  const moves = new Map<Change, Change>();
  const take = (from: Change, to: Change): void => void moves.set(from, to);
  const byContent = new Map<string, Change[]>();
  for (const each of deleted) {
    const oid = each.before?.oid ?? '';
    const same = byContent.get(oid) ?? [];
    same.push(each);
    byContent.set(oid, same);
  }
  for (const to of added.slice(0, maxFiles)) {
    const same = byContent.get(to.after?.oid ?? '') ?? [];
    const nameOf = ({ path }: Change): string => path.slice(path.lastIndexOf('/') + 1);
    const from = same.find((each) => nameOf(each) === nameOf(to)) ?? same[0];
    if (from === undefined) continue;
    take(from, to);
    byContent.set(
      to.after?.oid ?? '',
      same.filter((each) => each !== from),
    );
  }
  const exact = new Set([...moves.keys(), ...moves.values()]);
  const rest = (some: readonly Change[]): Change[] => some.filter((change) => !exact.has(change));
  await findSimilar(rest(deleted), rest(added), { objects, signal, take });
  const ends = new Set(moves.values());
  return changes
    .filter((change) => !moves.has(change) && !ends.has(change))
    .concat([...moves].map(([from, to]) => ({ ...to, how: 'moved', from: from.path, before: from.before })))
    .sort(byPath);
}

interface MovePorts {
  readonly objects: GitObjects;
  readonly signal: AbortSignal;
  readonly take: (from: Change, to: Change) => void;
}

async function findSimilar(
  deleted: readonly Change[],
  added: readonly Change[],
  { objects, signal, take }: MovePorts,
): Promise<void> {
  if (deleted.length === 0 || added.length === 0 || deleted.length > maxMoves || added.length > maxMoves) return;
  const lines = async (version: Version | null): Promise<Map<string, number> | null> => {
    const read = version?.oid == null ? null : await objects.read(version.oid);
    return read?.ok === true && read.value.bytes.length < maxCompared / 10 ? countEach(textOf(read.value.bytes)) : null;
  };
  const [from, to] = [
    await inOrder(deleted, ({ before }) => lines(before)),
    await inOrder(added, ({ after }) => lines(after)),
  ];
  const pairs = from.flatMap((one, at) => to.map((other, index) => ({ at, index, score: sharedPart(one, other) })));
  const [fromTaken, toTaken] = [new Set<number>(), new Set<number>()];
  for (const { at, index, score } of pairs.sort((one, other) => other.score - one.score)) {
    if (score < minShared || signal.aborted) break;
    const [one, other] = [deleted[at], added[index]];
    if (fromTaken.has(at) || toTaken.has(index) || one === undefined || other === undefined) continue;
    fromTaken.add(at);
    toTaken.add(index);
    take(one, other);
  }
}

async function inOrder<Item, Value>(items: readonly Item[], act: (item: Item) => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (const item of items) values.push(await act(item));
  return values;
}

/** Returns the characters of each distinct line of a text. */
function countEach(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split('\n')) found.set(line, (found.get(line) ?? 0) + line.length + 1);
  return found;
}

function sharedPart(one: ReadonlyMap<string, number> | null, other: ReadonlyMap<string, number> | null): number {
  if (one === null || other === null) return 0;
  const sizeOf = (lines: ReadonlyMap<string, number>): number =>
    [...lines.values()].reduce((sum, each) => sum + each, 0);
  let shared = 0;
  for (const [line, size] of one) shared += Math.min(size, other.get(line) ?? 0);
  return shared / Math.max(1, sizeOf(one), sizeOf(other));
}

/** Prints one file as git does. Of a deleted file only its header, because marks that git has never seen may hide it. */
function printDiff(
  change: Change,
  texts: { readonly before: string; readonly after: string } | 'binary' | 'long',
): string {
  const { path, how, from = path, before, after, conflict } = change;
  if (conflict.length > 0) return `* Unmerged path ${path}\n`;
  const header = [`diff --git a/${from} b/${path}`];
  if (before === null) header.push(`new file mode ${modeOf(after)}`);
  if (how === 'deleted') return [...header, `deleted file mode ${modeOf(before)}`, ''].join('\n');
  if (before !== null && after !== null && before.mode !== after.mode)
    header.push(`old mode ${modeOf(before)}`, `new mode ${modeOf(after)}`);
  if (how === 'moved') header.push(`rename from ${from}`, `rename to ${path}`);
  const [a, b] = [before === null ? '/dev/null' : `a/${from}`, `b/${path}`];
  if (typeof texts === 'string') {
    return [...header, `${texts === 'binary' ? 'Binary files' : 'Files'} ${a} and ${b} differ`, ''].join('\n');
  }
  const lines = printHunks(texts.before, texts.after);
  // Git ends a name with a space in it by a tab.
  const ended = (name: string): string => (name.includes(' ') ? `${name}\t` : name);
  if (lines !== '') header.push(`--- ${ended(a)}`, `+++ ${ended(b)}`);
  return `${header.join('\n')}\n${lines}`;
}

function modeOf(version: Version | null): string {
  return (version?.mode ?? 0).toString(8).padStart(6, '0');
}

/** Prints changed lines with the lines around them; runs that share those lines are printed together. */
function printHunks(before: string, after: string): string {
  const hunks = hunksOf(before, after);
  if (hunks.length === 0) return '';
  const old = linesOf(before);
  const runs: Hunk[][] = [];
  for (const hunk of hunks) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run !== undefined && last !== undefined && hunk.line - endOf(last) <= 2 * around) run.push(hunk);
    else runs.push([hunk]);
  }
  return runs.map((run) => printRun(run, old)).join('');
}

/** The line after the removed ones, counted from one. */
function endOf({ line, removed }: Hunk): number {
  return line + lineCount(removed);
}

function lineCount(text: string): number {
  return countLines(text) + (text === '' || text.endsWith('\n') ? 0 : 1);
}

function printRun(run: readonly Hunk[], old: readonly string[]): string {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return '';
  const start = Math.max(1, first.line - around);
  const end = Math.min(old.length + 1, endOf(last) + around);
  const same = (from: number, to: number): string =>
    old
      .slice(from - 1, to - 1)
      .map((line) => signed(' ', line))
      .join('');
  let body = '';
  let at = start;
  let grown = 0;
  for (const hunk of run) {
    body += same(at, hunk.line) + signedAll('-', hunk.removed) + signedAll('+', hunk.added);
    at = endOf(hunk);
    grown += lineCount(hunk.added) - lineCount(hunk.removed);
  }
  body += same(at, end);
  const oldCount = end - start;
  const newStart = first.newLine - (first.line - start);
  return `@@ -${range(start, oldCount)} +${range(newStart, oldCount + grown)} @@\n${body}`;
}

function range(start: number, count: number): string {
  if (count === 1) return `${start}`;
  return `${count === 0 ? start - 1 : start},${count}`;
}

function signedAll(sign: string, text: string): string {
  return linesOf(text)
    .map((line) => signed(sign, line))
    .join('');
}

function signed(sign: string, line: string): string {
  return line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
}

/** Splits a text into lines with their ends. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])];
}
