/** The routes that read and change files of the vault. Each takes the vault's real path and the query of the request. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { appendFile, cp, mkdir, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asRefusal, Refusal } from './reply';
import { readEntryStat, type EntryStat } from './vault-listing';
import { resolveEntryPath, resolveVaultPath } from './vault-path';

export function readVaultFile(vault: string, query: URLSearchParams): Buffer {
  return readFileSync(resolveEntryPath(vault, query.get('path') ?? ''));
}

/**
 * Several files in one answer: a line of JSON that says of each how many bytes it has or why there are none, then the
 * bytes of all, in the order asked for.
 * @param body a JSON list of paths
 */
export function readVaultFiles(vault: string, body: Buffer): Buffer {
  const reads = parsePaths(body).map((name) => {
    try {
      return readFileSync(resolveEntryPath(vault, name));
    } catch (thrown) {
      const { status, message } = asRefusal(thrown);
      return { status, error: message };
    }
  });
  const header = reads.map((read) => (Buffer.isBuffer(read) ? { size: read.length } : read));
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...reads.filter((read) => Buffer.isBuffer(read))]);
}

function parsePaths(body: Buffer): string[] {
  const refusal = new Refusal(400, 'The body is to be a list of paths.');
  let paths: unknown;
  try {
    paths = JSON.parse(body.toString());
  } catch {
    throw refusal;
  }
  if (!Array.isArray(paths) || !paths.every((each) => typeof each === 'string')) throw refusal;
  return paths;
}

export function readVaultStat(vault: string, query: URLSearchParams): EntryStat | null {
  return readEntryStat(resolveVaultPath(vault, query.get('path') ?? ''));
}

/** Makes the route that puts the body into a file by `put`, and dates the file if the query has a time. */
const createStoreRoute =
  (put: (target: string, body: Buffer) => Promise<void>) =>
  async (vault: string, query: URLSearchParams, body: Buffer): Promise<EntryStat | null> => {
    const target = resolveEntryPath(vault, query.get('path') ?? '');
    await put(target, body);
    await setModificationTime(target, query);
    return readEntryStat(target);
  };

/** Replaces what the file contains. */
export const writeVaultFile = createStoreRoute(writeFile);

/** Adds to the end of the file. */
export const appendVaultFile = createStoreRoute(appendFile);

export async function deleteVaultEntry(vault: string, query: URLSearchParams): Promise<object> {
  const target = resolveEntryPath(vault, query.get('path') ?? '');
  const isFolder = (await stat(target)).isDirectory();
  if (isFolder && query.get('recursive') !== 'true') await rmdir(target);
  else await rm(target, { recursive: isFolder });
  return {};
}

export async function createVaultFolder(vault: string, query: URLSearchParams): Promise<EntryStat | null> {
  const target = resolveEntryPath(vault, query.get('path') ?? '');
  await mkdir(target, { recursive: true });
  return readEntryStat(target);
}

export async function renameVaultEntry(vault: string, query: URLSearchParams): Promise<object> {
  const { from, to } = await resolvePair(vault, query);
  if (isUnder(from, to)) throw new Refusal(409, 'A folder cannot be moved into itself.');
  await rename(from, to);
  return {};
}

export async function copyVaultEntry(vault: string, query: URLSearchParams): Promise<EntryStat | null> {
  const { from, to } = await resolvePair(vault, query);
  if (isUnder(from, to)) throw new Refusal(409, 'A folder cannot be copied into itself.');
  await stat(path.dirname(to));
  await cp(from, to, { recursive: true, errorOnExist: true, force: false, verbatimSymlinks: true });
  return readEntryStat(to);
}

/**
 * Moves an entry to a trash folder: `.trash` in the vault, or a folder outside it that represents the system's trash.
 */
export async function trashVaultEntry(vault: string, query: URLSearchParams, systemTrash: string): Promise<object> {
  const from = resolveEntryPath(vault, query.get('path') ?? '');
  const mode = query.get('mode') ?? 'system';
  if (mode !== 'system' && mode !== 'local') throw new Refusal(400, 'The mode is “system” or “local”.');
  await stat(from);
  const trash = mode === 'local' ? resolveVaultPath(vault, '.trash') : systemTrash;
  if (from === trash) throw new Refusal(409, 'The trash cannot be moved into itself.');
  await mkdir(trash, { recursive: true });
  await move(from, freeName(trash, path.basename(from)));
  return {};
}

async function setModificationTime(target: string, query: URLSearchParams): Promise<void> {
  const mtime = Number(query.get('mtime'));
  if (Number.isFinite(mtime) && mtime > 0) await utimes(target, new Date(mtime), new Date(mtime));
}

async function resolvePair(vault: string, query: URLSearchParams): Promise<{ from: string; to: string }> {
  const from = resolveEntryPath(vault, query.get('from') ?? '');
  const to = resolveEntryPath(vault, query.get('to') ?? '');
  const source = await stat(from);
  const existing = await stat(to).catch(() => null);
  // A change of case alone names the same file where the file system ignores case.
  const isSameEntry = existing?.ino === source.ino && from.toLowerCase() === to.toLowerCase();
  if (existing && !isSameEntry) throw new Refusal(409, 'A file or folder of that name already exists.');
  return { from, to };
}

const isUnder = (folder: string, candidate: string): boolean => candidate.startsWith(folder + path.sep);

function freeName(folder: string, name: string): string {
  const { name: stem, ext } = path.parse(name);
  for (let number = 1; number < 1000; number++) {
    const candidate = path.join(folder, number === 1 ? name : `${stem} ${number}${ext}`);
    if (readEntryStat(candidate) === null) return candidate;
  }
  return path.join(folder, `${stem} ${randomBytes(6).toString('hex')}${ext}`);
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EXDEV') throw thrown;
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
    await rm(from, { recursive: true });
  }
}
