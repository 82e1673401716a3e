/** Reads the vault's `.git` folder through the vault's adapter: its settings, its branch, and why it cannot be read. */
import type { DataAdapter } from 'obsidian';
import { type Failure, type FailureKind, fail, messageOf, type Outcome, succeed } from '../../core/ports/failure';
import type { RealPaths } from '../../core/writing/changeset/ports';
import { words } from '../../text';

/** The disk as the reader of a repository uses it: there is nothing to write with. */
export type ReadingAdapter = Pick<DataAdapter, 'stat' | 'list' | 'readBinary'>;

export interface GitFolder {
  /** Reads a file in `.git`; null if there is none. Fails for one over the limit, and for one outside the vault. */
  readIfAny(path: string, maxBytes: number): Promise<Outcome<Uint8Array | null>>;
  /** Returns null if there is no such file. */
  sizeOf(path: string): Promise<number | null>;
  /** Returns the names in a folder; none if it is missing. */
  list(path: string): Promise<readonly string[]>;
  /** Says why an object that is named is not there. */
  explainMissing(oid: string): Promise<Failure>;
  readonly settings: GitSettings;
}

/** Settings by section and name in lower case, such as `core.autocrlf`; the last value counts. */
type GitSettings = ReadonlyMap<string, string>;

const gitFolder = '.git';
/** Bytes of a file of settings or names. */
const maxText = 1_000_000;
const maxPackedRefs = 20_000_000;
/** Steps from HEAD to a commit. */
const maxRefs = 5;
const oidPattern = /^[0-9a-f]{40}$/;
/** Extensions of the repository's format that change nothing for a reader. */
const harmlessExtensions = ['noop', 'preciousobjects', 'partialclone', 'worktreeconfig', 'relativeworktrees'];

/** Opens the repository at the vault's root, or says in a sentence why it cannot be read. */
export async function openGitFolder(adapter: ReadingAdapter, realPaths: RealPaths | null): Promise<Outcome<GitFolder>> {
  const entry = await adapter.stat(gitFolder).catch(() => null);
  if (entry === null) return fail(noRepository());
  if (entry.type === 'file') return fail(elsewhere(words.commit.repository.gitFile));
  if (!(await isInPlace(gitFolder, realPaths))) return fail(elsewhere(words.commit.repository.outside));
  const read: GitFolder['readIfAny'] = (path, maxBytes) => readInside(adapter, realPaths, path, maxBytes);
  if ((await adapter.stat(`${gitFolder}/commondir`).catch(() => null)) !== null)
    return fail(elsewhere(words.commit.repository.gitFile));
  const settings = await readSettings(read);
  if (!settings.ok) return settings;
  const fault = faultOf(settings.value);
  if (fault !== null) return fail(fault);
  return succeed({
    readIfAny: read,
    sizeOf: async (path) => (await adapter.stat(`${gitFolder}/${path}`).catch(() => null))?.size ?? null,
    list: async (path) => {
      const listed = await adapter.list(`${gitFolder}/${path}`).catch(() => ({ files: [] }));
      return listed.files.map((each) => each.slice(each.lastIndexOf('/') + 1)).sort();
    },
    explainMissing: async (oid) => {
      const isElsewhere = (await adapter.stat(`${gitFolder}/objects/info/alternates`).catch(() => null)) !== null;
      return isElsewhere ? elsewhere(words.commit.repository.alternates) : missingObject(oid);
    },
    settings: settings.value,
  });
}

/** Returns whether a path of the vault is a file or folder of its own, not a link to another place. */
export async function isInPlace(path: string, realPaths: RealPaths | null): Promise<boolean> {
  if (realPaths === null) return true;
  const [root, real] = await Promise.all([realPaths.realPath(''), realPaths.realPath(path)]);
  if (root === null || real === null) return false;
  return foldPlace(real) === foldPlace(`${root.replace(/[\\/]+$/, '')}/${path}`);
}

/** A disk may spell a name in other letters than those by which the file is found. */
function foldPlace(path: string): string {
  return path.replace(/\\/g, '/').normalize('NFC').toLowerCase();
}

async function readInside(
  adapter: ReadingAdapter,
  realPaths: RealPaths | null,
  path: string,
  maxBytes: number,
): Promise<Outcome<Uint8Array | null>> {
  const whole = `${gitFolder}/${path}`;
  const entry = await adapter.stat(whole).catch(() => null);
  if (entry?.type !== 'file') return succeed(null);
  if (entry.size > maxBytes) return fail(largeFile(whole));
  if (!(await isInPlace(whole, realPaths))) return fail(elsewhere(words.commit.repository.outside));
  try {
    return succeed(new Uint8Array(await adapter.readBinary(whole)));
  } catch (thrown) {
    const { unreadable, unreadableRemedy } = words.commit.repository;
    return fail({ kind: 'unreadable', words: unreadable(whole, messageOf(thrown)), remedy: unreadableRemedy });
  }
}

/** Files that other settings include are outside this folder and are not read. */
async function readSettings(read: GitFolder['readIfAny']): Promise<Outcome<GitSettings>> {
  const main = await read('config', maxText);
  if (!main.ok) return main;
  const settings = new Map(main.value === null ? [] : parseSettings(textOf(main.value)));
  if (settings.get('extensions.worktreeconfig') !== 'true') return succeed(settings);
  const own = await read('config.worktree', maxText);
  if (!own.ok) return own;
  for (const [name, value] of own.value === null ? [] : parseSettings(textOf(own.value))) settings.set(name, value);
  return succeed(settings);
}

/** Returns the settings of sections without a name of their own, in order. */
export function parseSettings(text: string): [string, string][] {
  const found: [string, string][] = [];
  let section: string | null = null;
  for (const raw of text
    .replace(/^\ufeff/, '')
    .replace(/\\\r?\n/g, '')
    .split(/\r?\n/)) {
    let line = raw.trim();
    if (line.startsWith('[')) {
      const end = line.indexOf(']');
      const name = end === -1 ? '' : line.slice(1, end).trim();
      section = /^[\w.-]+$/.test(name) ? name.toLowerCase() : null;
      line = end === -1 ? '' : line.slice(end + 1).trim();
    }
    if (line === '' || line.startsWith('#') || line.startsWith(';') || section === null) continue;
    const at = line.indexOf('=');
    const name = (at === -1 ? line : line.slice(0, at)).trim().toLowerCase();
    found.push([`${section}.${name}`, at === -1 ? 'true' : valueOf(line.slice(at + 1))]);
  }
  return found;
}

/** Reads a value without its comment and its quotation marks. */
function valueOf(written: string): string {
  let value = '';
  let isQuoted = false;
  for (let at = 0; at < written.length; at += 1) {
    const character = written.charAt(at);
    if (character === '\\') value += written.charAt((at += 1));
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '#' || character === ';')) break;
    else value += character;
  }
  return value.trim();
}

function faultOf(settings: GitSettings): Failure | null {
  const { worktree, sha256, reftable, extension } = words.commit.repository;
  if (settings.has('core.worktree')) return elsewhere(worktree);
  for (const [name, value] of settings) {
    if (!name.startsWith('extensions.')) continue;
    const key = name.slice('extensions.'.length);
    if (key === 'objectformat' && value.toLowerCase() !== 'sha1') return unsupported(sha256);
    if (key === 'refstorage' && value.toLowerCase() !== 'files') return unsupported(reftable);
    if (!['objectformat', 'refstorage', 'compatobjectformat', ...harmlessExtensions].includes(key))
      return unsupported(extension(key.slice(0, 40)));
  }
  return null;
}

/** Returns the name of the commit at HEAD; null in a repository without a commit. */
export async function readHead(folder: GitFolder): Promise<Outcome<string | null>> {
  let name = 'HEAD';
  for (let step = 0; step < maxRefs; step += 1) {
    const file = await folder.readIfAny(name, maxText);
    if (!file.ok) return file;
    const text = file.value === null ? await readPackedRef(folder, name) : succeed(textOf(file.value).trim());
    if (!text.ok) return text;
    if (text.value === null) return name === 'HEAD' ? fail(damaged('HEAD')) : succeed(null);
    if (oidPattern.test(text.value)) return succeed(text.value);
    const next = /^ref:\s*(\S+)$/.exec(text.value)?.[1] ?? '';
    if (!isRefName(next)) return fail(damaged(name));
    name = next;
  }
  return fail(damaged('HEAD'));
}

/** A name below `refs/` that leads nowhere else. */
function isRefName(name: string): boolean {
  const parts = name.split('/');
  return (
    parts[0] === 'refs' &&
    parts.length > 1 &&
    name.length <= 1_000 &&
    !/[\\:*?[~^\0-\x20\x7f]/.test(name) &&
    parts.every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.') && !part.includes('..'))
  );
}

async function readPackedRef(folder: GitFolder, name: string): Promise<Outcome<string | null>> {
  const file = await folder.readIfAny('packed-refs', maxPackedRefs);
  if (!file.ok) return file;
  if (file.value === null) return succeed(null);
  const end = ` ${name}`;
  const line = textOf(file.value)
    .split('\n')
    .find((each) => each.trimEnd().endsWith(end) && oidPattern.test(each.slice(0, 40)) && each.indexOf(' ') === 40);
  return succeed(line === undefined || line.trimEnd().slice(40) !== end ? null : line.slice(0, 40));
}

const decoder = new TextDecoder('utf-8');

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

// Why a repository, or something in it, cannot be read.

function failure(kind: FailureKind, said: string, remedy: string): Failure {
  return { kind, words: said, remedy };
}

function noRepository(): Failure {
  const { none, noneRemedy } = words.commit.repository;
  return failure('not-found', none, noneRemedy);
}

function elsewhere(said: string): Failure {
  return failure('refused', said, words.commit.repository.elsewhereRemedy);
}

export function unsupported(said: string): Failure {
  return failure('unreadable', said, words.commit.repository.formRemedy);
}

export function damaged(path: string): Failure {
  const { broken, brokenRemedy } = words.commit.repository;
  return failure('unreadable', broken(path), brokenRemedy);
}

export function missingObject(oid: string): Failure {
  const { missing, missingRemedy } = words.commit.repository;
  return failure('not-found', missing(oid.slice(0, 10)), missingRemedy);
}

export function largePack(): Failure {
  const { largePack: said, largePackRemedy } = words.commit.repository;
  return failure('limit', said, largePackRemedy);
}

export function oldPack(): Failure {
  const { oldPack: said, repackRemedy } = words.commit.repository;
  return failure('unreadable', said, repackRemedy);
}

export function manyPacks(): Failure {
  const { manyPacks: said, repackRemedy } = words.commit.repository;
  return failure('limit', said, repackRemedy);
}

/** Of one object alone: the others can still be read. */
export function largeObject(): Failure {
  const { largeObject: said, tooMuchRemedy } = words.commit.repository;
  return failure('too-large', said, tooMuchRemedy);
}

function largeFile(path: string): Failure {
  const { largeFile: said, tooMuchRemedy } = words.commit.repository;
  return failure('limit', said(path), tooMuchRemedy);
}

export function tooMuchToRead(): Failure {
  const { tooMuch, tooMuchRemedy } = words.commit.repository;
  return failure('limit', tooMuch, tooMuchRemedy);
}
