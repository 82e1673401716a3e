/** Finds files other than notes that name a note by its path; Obsidian updates none of them when the note moves. */
import type { Vault } from '../../ports/vault';
import { type FileChange, stepsOf } from '../changeset/changeset';

/** Bases and canvases that are read at most, and the size in bytes up to which one is read. */
const maxFiles = 200;
const maxSize = 1_000_000;

/**
 * Returns the bases and canvases that name the note of a move and do not follow it, sorted by path. A canvas whose
 * links Obsidian has indexed follows.
 */
export async function findMentions(change: FileChange, vault: Vault): Promise<readonly string[]> {
  const { from, to } = change;
  if (from === null || to === null || !stepsOf(change).includes('move')) return [];
  const following = vault.backlinks(from);
  const files = vault
    .files()
    .filter(({ path, size }) => /\.(?:base|canvas)$/i.test(path) && size <= maxSize && !following.includes(path));
  const named: string[] = [];
  const isNamed = mentionTest(from, to);
  for (const { path } of files.slice(0, maxFiles)) {
    const read = await vault.read(path);
    if (read.ok && isNamed(read.value.text)) named.push(path);
  }
  return named;
}

/** Returns a test for a text that names a note in quotes or in a link: by its path, or by its name if that changes. */
function mentionTest(from: string, to: string): (text: string) => boolean {
  const [path, name] = [withoutEnding(from), nameOf(from)];
  const isRenamed = name !== nameOf(to);
  const places = isRenamed ? [path, name] : [path];
  // The name alone still leads to a note that keeps it.
  const ending = isRenamed || path.includes('/') ? '(?:\\.md)?' : '\\.md';
  const mention = new RegExp(`["'[](?:${places.map(escape).join('|')})${ending}(?=["'\\]#|])`, 'i');
  return (text) => mention.test(text);
}

function withoutEnding(path: string): string {
  return path.replace(/\.md$/i, '');
}

function nameOf(path: string): string {
  return withoutEnding(path.slice(path.lastIndexOf('/') + 1));
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
