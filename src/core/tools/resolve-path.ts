/** Resolves a path written by a model to a file or folder in the vault, or fails with the nearest names. */
import { words } from '../../text';
import { createWorkBudget } from '../base/async';
import { foldPlace, foldText, pairsOf } from '../base/fold';
import { compareText } from '../base/list-edits';
import { fail, type Outcome, succeed } from '../ports/failure';
import type { FileEntry, NoteText, Vault } from '../ports/vault';
import { grouped, readableBytes } from './results';

/** Returns a path from a tool call without brackets, alias, heading, leading slash, and surrounding white space. */
export function cleanPath(written: string): string {
  let path = written.trim();
  const link = /^!?\[\[([^\]|#]+)(?:[#|][^\]]*)?\]\]$/.exec(path);
  if (link?.[1] !== undefined) path = link[1].trim();
  return path.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
}

export async function resolveFile(vault: Vault, written: string, signal: AbortSignal): Promise<Outcome<FileEntry>> {
  const path = cleanPath(written);
  const entry = vault.file(path) ?? vault.file(`${path}.md`) ?? resolved(vault, path);
  if (entry !== undefined) return succeed(entry);
  // Without any file, the vault may say why.
  const closed = vault.files().length === 0 ? await vault.read(path, signal) : null;
  if (closed?.ok === false && closed.failure.kind === 'refused') return closed;
  if (path === '' || vault.folders().includes(path)) {
    return fail({
      kind: 'not-found',
      words: words.tools.pathIsFolder(path || '/'),
      remedy: words.tools.pathIsFolderRemedy,
    });
  }
  const near = await nearestPaths(vault, path, signal);
  const remedy = near.length === 0 ? words.failures.noteMissingRemedy : words.tools.nearest(near);
  return fail({ kind: 'not-found', words: words.failures.noteMissing(path), remedy });
}

function resolved(vault: Vault, path: string): FileEntry | undefined {
  // Obsidian gives no file such a name, but a sync may: a link would lead to what its beginning names.
  const named = /[#^]/.test(path) ? filesNamed(vault, path) : [];
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  const target = path === '' ? undefined : vault.resolveLink(path.replace(/\.md$/i, ''), '');
  return target === undefined ? undefined : vault.file(target);
}

/** Returns the files in any folder whose path ends in this one, with or without the extension of a note. */
function filesNamed(vault: Vault, path: string): FileEntry[] {
  const ends = [`/${path}`, `/${path}.md`].map(foldPlace);
  return vault.files().filter((file) => {
    const own = foldPlace(`/${file.path}`);
    return ends.some((end) => own.endsWith(end));
  });
}

/** Resolves a file and reads its text; fails if the file is too large. */
export async function readFile(vault: Vault, written: string, signal: AbortSignal): Promise<Outcome<NoteText>> {
  const found = await resolveFile(vault, written, signal);
  if (!found.ok) return found;
  const { path, size } = found.value;
  if (size > readableBytes) {
    return fail({
      kind: 'too-large',
      words: words.failures.tooLarge(path, megabytes(size), megabytes(readableBytes)),
      remedy: words.failures.tooLargeRemedy,
    });
  }
  return vault.read(path, signal);
}

function megabytes(bytes: number): string {
  return `${grouped(Math.round(bytes / 1_000_000))} MB`;
}

/** Returns an existing folder without leading or trailing slash; the root is empty. */
export function resolveFolder(vault: Vault, written: string): Outcome<string> {
  const path = cleanPath(written);
  if (path === '' || path === '.') return succeed('');
  const folders = vault.folders();
  if (folders.includes(path)) return succeed(path);
  const folded = foldText(path);
  const twins = folders.filter((folder) => foldText(folder) === folded);
  const named = twins.length > 0 ? twins : folders.filter((folder) => foldText(folder).endsWith(`/${folded}`));
  if (named.length === 1 && named[0] !== undefined) return succeed(named[0]);
  const near = named.length > 0 ? named : folders.filter((folder) => foldText(folder).includes(folded));
  const remedy = near.length === 0 ? words.tools.folderMissingRemedy : words.tools.nearest(near.slice(0, 5));
  return fail({ kind: 'not-found', words: words.tools.folderMissing(path), remedy });
}

/**
 * Returns a folder that may not be there yet as the vault spells it, or the folders above it: a model seldom knows their
 * letter case.
 */
export function spellFolder(vault: Vault, path: string): string {
  const folders = vault.folders();
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const above = path.slice(0, end);
    const found = folders.includes(above) ? above : folders.find((each) => foldPlace(each) === foldPlace(above));
    if (found !== undefined) return found + path.slice(end);
  }
  return path;
}

/** Returns a path with its folders as the vault spells them. */
export function inSpelledFolder(vault: Vault, path: string): string {
  const end = Math.max(0, path.lastIndexOf('/'));
  return spellFolder(vault, path.slice(0, end)) + path.slice(end);
}

/** Whether a path is in a folder or below it; every path is in the root. */
export function isInside(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** Whether a note has a tag or one nested below it. */
export function hasTag(tags: readonly string[], asked: string): boolean {
  const wanted = foldText(asked.trim().replace(/^#|\/+$/g, ''));
  return tags.some((tag) => {
    const own = foldText(tag.replace(/^#/, ''));
    return own === wanted || own.startsWith(`${wanted}/`);
  });
}

/** Whether Obsidian does not know yet what a note contains; one without a text has nothing to be known. */
export function isUnindexed({ kind, size }: FileEntry, found: object | undefined): boolean {
  return found === undefined && kind === 'note' && size > 0;
}

const nearestCount = 5;

async function nearestPaths(vault: Vault, path: string, signal: AbortSignal): Promise<string[]> {
  const wanted = pairsOf(nameOf(path));
  if (wanted.size === 0) return [];
  const budget = createWorkBudget(signal);
  const near: { path: string; score: number }[] = [];
  for (const file of vault.files()) {
    const going = budget.spend(100);
    if (going !== true && !(await going)) break;
    const own = pairsOf(nameOf(file.path));
    let shared = 0;
    for (const pair of wanted) if (own.has(pair)) shared += 1;
    const score = (2 * shared) / (wanted.size + own.size);
    if (score > 0.4) near.push({ path: file.path, score });
  }
  return near
    .sort((a, b) => b.score - a.score || compareText(a.path, b.path))
    .slice(0, nearestCount)
    .map((each) => each.path);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}
