/** The base of a write: the file as it is on disk, as it is staged, and as the model last saw it, all three agreeing (H6). */
import { words } from '../../text';
import type { Digest, Identifiers } from '../ports/device';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { Vault } from '../ports/vault';
import type { FileChange } from './changeset';
import { hunksOf } from './diff-text';
import { mergeTexts } from './merge-text';
import type { Overlay } from './overlay';
import type { SeenNotes } from './seen-notes';
import { isWritableKind } from './write-place';

export interface BasePorts {
  readonly under: Vault;
  readonly overlay: Overlay;
  readonly view: Vault;
  readonly seen: SeenNotes;
  readonly digest: Digest;
  readonly identifiers: Identifiers;
  hashFile(path: string): Promise<Outcome<string>>;
}

export interface CheckedFile {
  /** Where the file is among the staged ones. */
  readonly path: string;
  /** Its change so far, or an empty one on the version that is on disk. */
  readonly change: FileChange;
  /** Its text so far; null for a file that is not text. */
  readonly text: string | null;
}

/** Characters of changed lines that are told in a refusal; what is told counts as seen. */
const longestNews = 2_000;

/** @param mustBeSeen whether the model must know the text that it is about to change */
export async function checkBase(ports: BasePorts, path: string, mustBeSeen: boolean): Promise<Outcome<CheckedFile>> {
  const entry = ports.view.file(path);
  if (entry === undefined) {
    return fail({
      kind: 'not-found',
      words: words.failures.noteMissing(path),
      remedy: words.failures.noteMissingRemedy,
    });
  }
  const file = await takeUp(ports, entry.path);
  if (!file.ok || file.value.text === null) return file;
  const { text } = file.value;
  const known = ports.seen.textOf(entry.path);
  if (known === text || (known === undefined && !mustBeSeen)) return file;
  if (known === undefined) {
    return fail({
      kind: 'refused',
      words: words.writing.mustRead(entry.path),
      remedy: words.writing.mustReadRemedy,
    });
  }
  const news = newsOf(known, text);
  if (news !== null) ports.seen.see(entry.path, text);
  return fail({
    kind: 'refused',
    words: words.writing.changedSinceRead(entry.path),
    remedy: news === null ? words.writing.mustReadRemedy : words.writing.changedLines(news),
  });
}

async function takeUp(ports: BasePorts, path: string): Promise<Outcome<CheckedFile>> {
  const staged = ports.overlay.at(path);
  if (staged !== undefined && !staged.applied) {
    const { change } = staged;
    if (change.from === null || change.base === null || change.base.text === null) {
      return succeed({ path, change, text: change.text });
    }
    const disk = await ports.under.read(change.from);
    if (!disk.ok) return disk;
    return rebase(ports, path, change, change.base.text, disk.value.text);
  }
  const change = { id: ports.identifiers.next(), from: path, to: path, text: null, calls: [], taint: null };
  if (!isWritableKind(path)) {
    const hash = await ports.hashFile(path);
    return hash.ok
      ? succeed({ path, change: { ...change, base: { hash: hash.value, text: null } }, text: null })
      : hash;
  }
  const disk = await ports.under.read(path);
  if (!disk.ok) return disk;
  const { text } = disk.value;
  return succeed({ path, change: { ...change, base: { hash: ports.digest(text), text } }, text });
}

/** A file that was changed on disk while its change waited: both go together where they touch different lines. */
function rebase(ports: BasePorts, path: string, change: FileChange, base: string, disk: string): Outcome<CheckedFile> {
  const current = change.text ?? base;
  if (disk === base) return succeed({ path, change, text: current });
  const merged = mergeTexts(disk, base, current);
  if (merged === null) return fail(clash(path));
  const text = merged === disk ? null : merged;
  return succeed({ path, change: { ...change, base: { hash: ports.digest(disk), text: disk }, text }, text: merged });
}

function newsOf(known: string, text: string): string | null {
  const news = hunksOf(known, text)
    .map(({ newLine, added }) => words.writing.changedAt(newLine, added))
    .join('\n');
  return news.length > longestNews ? null : news;
}

function clash(path: string): Failure {
  return { kind: 'refused', words: words.writing.changedBoth(path), remedy: words.writing.changedBothRemedy };
}
