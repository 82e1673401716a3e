/** Compares the last commit, the index and the disk of a git repository, without writing any of them. */
import { sha1 } from '@noble/hashes/legacy.js';
import { createWorkBudget } from '../../core/base/async';
import { compareText } from '../../core/base/list-edits';
import type { ChangedFile } from '../../core/ports/device';
import { type Failure, fail, type Outcome, succeed } from '../../core/ports/failure';
import type { RealPaths } from '../../core/writing/changeset/ports';
import { words } from '../../text';
import { bytesToHex, utf8ToBytes } from '../hash';
import { damaged, isInPlace, type ReadingAdapter, tooMuchToRead } from './git-folder';
import { decodePath, type IndexEntry, isOwnPath } from './git-index';
import type { GitObjects } from './git-objects';
import type { Attributes, LineEnds } from './line-ends';

/** One side of a change: content that git has by name, or the file on disk. */
export interface Version {
  readonly mode: number;
  /** Null for the file on disk. */
  readonly oid: string | null;
}

export interface Change extends ChangedFile {
  readonly before: Version | null;
  readonly after: Version | null;
  /** All sides of a conflict; empty without one. */
  readonly conflict: readonly Version[];
  /** Whether the content is not read, because the path leads to another place or the disk refuses it. */
  readonly isUnread: boolean;
}

const maxFiles = 200_000;
const maxDepth = 200;
/** Longer than any file system allows. */
const maxPath = 4_096;
/** Bytes of all files that are read because their time or size changed, and of one of them. */
const maxCompared = 400_000_000;
const maxOne = 100_000_000;
/** Files whose size and time are asked for at the same time. */
const group = 64;
const slice = 1_000_000;
/** Milliseconds by which two records of one time may differ through rounding. */
const rounding = 2;

const kindOf = (mode: number): number => mode & 0o170000;
export const isRegular = (mode: number): boolean => kindOf(mode) === 0o100000;
const isFolder = (mode: number): boolean => kindOf(mode) === 0o040000;

/** Returns the files of a commit by path. */
export async function readCommitted(
  objects: GitObjects,
  commit: string,
  signal: AbortSignal,
): Promise<Outcome<ReadonlyMap<string, Version>>> {
  const read = await objects.read(commit);
  if (!read.ok) return read;
  const text = new TextDecoder('latin1').decode(read.value.bytes.subarray(0, 100));
  const tree = /^tree ([0-9a-f]{40})\n/.exec(text)?.[1];
  if (read.value.kind !== 'commit' || tree === undefined) return fail(damaged('objects'));
  const files = new Map<string, Version>();
  const open: OpenFolder[] = [{ oid: tree, prefix: '', depth: 0 }];
  const work = createWorkBudget(signal);
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { prefix, depth } = next;
    const entries = await readFolder(objects, next);
    if (!entries.ok) return entries;
    count += entries.value.length;
    if (count > maxFiles) return fail(tooMuchToRead());
    for (const { mode, name, oid } of entries.value) {
      if (isFolder(mode)) open.push({ oid, prefix: `${prefix}${name}/`, depth: depth + 1 });
      else files.set(prefix + name, { mode, oid });
    }
    if (!(await work.spend(100 * entries.value.length))) return fail(aborted());
  }
  return succeed(files);
}

interface OpenFolder {
  readonly oid: string;
  readonly prefix: string;
  readonly depth: number;
}

async function readFolder(objects: GitObjects, { oid, prefix, depth }: OpenFolder): Promise<Outcome<TreeEntry[]>> {
  const folder = await objects.read(oid);
  if (!folder.ok) return folder;
  const entries = folder.value.kind === 'tree' ? parseTree(folder.value.bytes) : null;
  if (entries === null || entries.some(({ name }) => name.includes('/') || !isOwnPath(name)))
    return fail(damaged('objects'));
  const isDeep = depth > maxDepth || entries.some(({ name }) => prefix.length + name.length > maxPath);
  return isDeep ? fail(tooMuchToRead()) : succeed(entries);
}

interface TreeEntry extends Version {
  readonly name: string;
  readonly oid: string;
}

/** Returns null for bytes that are no list of entries. As in the index, names that are not UTF-8 are left out. */
function parseTree(bytes: Uint8Array): TreeEntry[] | null {
  const decoder = new TextDecoder('utf-8');
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, at);
    if (space === -1 || end < space || end + 21 > bytes.length) return null;
    const mode = parseInt(decoder.decode(bytes.subarray(at, space)), 8);
    const name = decodePath(bytes.subarray(space + 1, end));
    at = end + 21;
    if (name !== null) entries.push({ mode, name, oid: bytesToHex(bytes.subarray(end + 1, at)) });
  }
  return entries;
}

/** Returns what a commit made now would change, by path. */
export function findStaged(committed: ReadonlyMap<string, Version>, entries: readonly IndexEntry[]): Change[] {
  const changes: Change[] = [];
  const known = new Set<string>();
  for (const [path, sides] of conflictsIn(entries)) {
    known.add(path);
    changes.push(changeOf(path, 'changed', null, null, sides));
  }
  for (const { path, mode, oid, stage, isAnnounced } of entries) {
    // An announced file is not part of the next commit.
    if (stage !== 0 || isAnnounced) continue;
    known.add(path);
    const before = committed.get(path);
    const after = { mode, oid };
    if (before === undefined) changes.push(changeOf(path, 'added', null, after));
    else if (before.oid !== oid || before.mode !== mode) changes.push(changeOf(path, 'changed', before, after));
  }
  for (const [path, before] of committed) if (!known.has(path)) changes.push(changeOf(path, 'deleted', before, null));
  return changes.sort(byPath);
}

function conflictsIn(entries: readonly IndexEntry[]): Map<string, Version[]> {
  const found = new Map<string, Version[]>();
  for (const { path, stage, mode, oid } of entries) {
    if (stage === 0) continue;
    const sides = found.get(path) ?? [];
    sides.push({ mode, oid });
    found.set(path, sides);
  }
  return found;
}

export const byPath = (one: { path: string }, other: { path: string }): number => compareText(one.path, other.path);

function changeOf(
  path: string,
  how: ChangedFile['how'],
  before: Version | null,
  after: Version | null,
  conflict: readonly Version[] = [],
): Change {
  return { path, how, before, after, conflict, isUnread: false };
}

function unread({ path, mode, oid }: IndexEntry): Change {
  return { ...changeOf(path, 'changed', { mode, oid }, null), isUnread: true };
}

export interface DiskPorts {
  readonly adapter: ReadingAdapter;
  readonly realPaths: RealPaths | null;
  readonly lineEnds: LineEnds;
  /** When the index was written, in milliseconds since the epoch; null if unknown. */
  readonly indexModified: number | null;
}

/** Returns what differs on the disk from the index, of the files that the index knows. Submodules are not entered. */
export async function findUnstaged(
  entries: readonly IndexEntry[],
  ports: DiskPorts,
  signal: AbortSignal,
): Promise<Outcome<Change[]>> {
  const files = entries.filter(({ stage, mode, isIgnored }) => stage === 0 && isRegular(mode) && !isIgnored);
  const changes: Change[] = [];
  const limit = { left: maxCompared };
  for (let start = 0; start < files.length; start += group) {
    if (signal.aborted) return fail(aborted());
    const some = files.slice(start, start + group);
    const found = await Promise.all(some.map(({ path }) => ports.adapter.stat(path).catch(() => undefined)));
    for (const [index, entry] of some.entries()) {
      const stat = found[index];
      const change = stat === undefined ? succeed(unread(entry)) : await compareFile(entry, stat, ports, limit, signal);
      if (!change.ok) return change;
      if (change.value !== null) changes.push(change.value);
    }
  }
  return succeed(changes.sort(byPath));
}

type Found = Awaited<ReturnType<ReadingAdapter['stat']>>;

async function compareFile(
  entry: IndexEntry,
  found: Found,
  ports: DiskPorts,
  limit: { left: number },
  signal: AbortSignal,
): Promise<Outcome<Change | null>> {
  const { path, mode, oid, isAnnounced } = entry;
  const before = { mode, oid };
  if (found?.type !== 'file') return succeed(isAnnounced ? null : changeOf(path, 'deleted', before, null));
  if (!isAnnounced && isUntouched(entry, found, ports.indexModified)) return succeed(null);
  if (!(await isInPlace(path, ports.realPaths))) return succeed(unread(entry));
  const after = { mode, oid: null };
  if (isAnnounced) return succeed(changeOf(path, 'added', null, after));
  if (found.size > maxOne) return succeed(found.size === entry.size ? null : changeOf(path, 'changed', before, after));
  limit.left -= found.size;
  if (limit.left < 0) return fail(notRefreshed());
  const content = await readFile(ports.adapter, path);
  if (content === null) return succeed(unread(entry));
  const isSame = await hasName(content, entry, ports.lineEnds, signal);
  if (isSame === null) return fail(aborted());
  return succeed(isSame ? null : changeOf(path, 'changed', before, after));
}

/** Whether git would store the content as what the index has; null if the signal aborts. */
async function hasName(
  content: Uint8Array,
  { path, oid }: IndexEntry,
  lineEnds: LineEnds,
  signal: AbortSignal,
): Promise<boolean | null> {
  const name = await hashBlob(content, signal);
  if (name === null || name === oid) return name === null ? null : true;
  const unified = await asStored(content, path, lineEnds, null);
  const unifiedName = unified === content ? name : await hashBlob(unified, signal);
  return unifiedName === null ? null : unifiedName === oid;
}

/**
 * Whether size and time say that the file is as git last saw it. A file as new as the index itself may have changed
 * since, within the same tick of the clock.
 */
function isUntouched(entry: IndexEntry, found: NonNullable<Found>, indexModified: number | null): boolean {
  const { modified, hasFineTime, size } = entry;
  if (found.size % 0x1_0000_0000 !== size || indexModified === null) return false;
  if (Math.floor(modified) >= Math.floor(indexModified)) return false;
  const seconds = (time: number): number => Math.floor(time / 1_000);
  return hasFineTime && found.mtime % 1_000 !== 0
    ? Math.abs(found.mtime - modified) < rounding
    : seconds(found.mtime) === seconds(modified) && seconds(modified) < seconds(indexModified);
}

async function readFile(adapter: ReadingAdapter, path: string): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await adapter.readBinary(path));
  } catch {
    // It is counted as a change that cannot be shown.
    return null;
  }
}

/** Returns the name that git gives to these bytes; null if the signal aborts. Pauses between slices. */
async function hashBlob(content: Uint8Array, signal: AbortSignal): Promise<string | null> {
  const work = createWorkBudget(signal);
  const hash = sha1.create().update(utf8ToBytes(`blob ${content.length}\0`));
  for (let at = 0; at < content.length; at += slice) {
    hash.update(content.subarray(at, at + slice));
    if (!(await work.spend(slice))) return null;
  }
  return bytesToHex(hash.digest());
}

/**
 * Returns the content as git would store it, with its own line ends; the same object if nothing changes.
 * @param stored what the index has, whose line ends git keeps if they are those of Windows; null if unknown
 */
export async function asStored(
  content: Uint8Array,
  path: string,
  lineEnds: LineEnds,
  stored: Uint8Array | null,
): Promise<Uint8Array> {
  if (!hasWindowsEnds(content)) return content;
  const attributes: Attributes = await lineEnds.attributesOf(path);
  const conversion = lineEnds.conversionOf(attributes);
  if (conversion === 'never') return content;
  if (conversion === 'auto' && (isBinary(content) || (stored !== null && hasWindowsEnds(stored)))) return content;
  return withPlainEnds(content);
}

function hasWindowsEnds(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(13); at !== -1; at = bytes.indexOf(13, at + 1)) if (bytes[at + 1] === 10) return true;
  return false;
}

/** As git decides where it converts by itself: no NUL, and no carriage return on its own. */
function isBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  for (let at = bytes.indexOf(13); at !== -1; at = bytes.indexOf(13, at + 1)) if (bytes[at + 1] !== 10) return true;
  return false;
}

function withPlainEnds(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let written = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 13 || bytes[at + 1] !== 10) out[written++] = bytes[at] ?? 0;
  }
  return out.subarray(0, written);
}

export function aborted(): Failure {
  const { aborted: said, abortedRemedy } = words.failures;
  return { kind: 'aborted', words: said, remedy: abortedRemedy };
}

function notRefreshed(): Failure {
  const { notRefreshed: said, notRefreshedRemedy } = words.commit.repository;
  return { kind: 'limit', words: said, remedy: notRefreshedRemedy };
}
