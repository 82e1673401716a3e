/** The base of a write: the file on disk, as staged, and as last seen by the model must all agree (H6). */
import { words } from '../../../text';
import { isSameText } from '../../markdown/encoding';
import type { Digest, Identifiers } from '../../ports/device';
import { type Failure, fail, type Outcome, succeed } from '../../ports/failure';
import type { NoteText, Vault, Yaml } from '../../ports/vault';
import type { FileChange } from '../changeset/changeset';
import { breaksMerge } from '../changeset/describe-changeset';
import { countLines, hunksOf, mergeTexts } from '../changeset/diff';
import { isWritableKind } from '../guard/path-guard';
import type { Overlay } from './staged-view';

export interface BasePorts {
  readonly under: Vault;
  readonly overlay: Overlay;
  readonly view: Vault;
  readonly seen: SeenNotes;
  readonly digest: Digest;
  readonly identifiers: Identifiers;
  readonly yaml: Yaml;
  hashFile(path: string): Promise<Outcome<string>>;
}

export interface CheckedFile {
  /** The path of the file with staged moves applied. */
  readonly path: string;
  /** Its staged change, or an empty one based on the version on disk. */
  readonly change: FileChange;
  /** Its staged text; null for a file that is not text. */
  readonly text: string | null;
}

/** Characters of changed lines that a refusal may quote; quoted lines count as seen. */
const maxQuoted = 2_000;

/**
 * Returns the file that a write may build on; fails if it is missing or changed since the model read it.
 * @param mustBeSeen whether the model must have read the text that it is about to change
 */
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
  if (known === undefined ? !mustBeSeen : isSameText(known, text)) return file;
  if (known === undefined) {
    return fail({
      kind: 'refused',
      words: words.writing.mustRead(entry.path),
      remedy: words.writing.mustReadRemedy,
    });
  }
  const changes = externalChangesOf(known, text);
  if (changes !== null) ports.seen.see(entry.path, text);
  return fail({
    kind: 'refused',
    words: words.writing.changedSinceRead(entry.path),
    remedy: changes === null ? words.writing.mustReadRemedy : words.writing.changedLines(changes),
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
    return rebase(ports, path, change, change.base.text, disk.value);
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
  const { text, modified } = disk.value;
  return succeed({ path, change: { ...change, base: { hash: ports.digest(text), text, modified } }, text });
}

/**
 * Merges a waiting change with edits made on disk since; fails if both changed the same lines, or if Obsidian could not
 * read what comes of it.
 */
function rebase(ports: BasePorts, path: string, change: FileChange, base: string, now: NoteText): Outcome<CheckedFile> {
  const { text: disk, modified } = now;
  const current = change.text ?? base;
  if (disk === base) return succeed({ path, change, text: current });
  const merged = mergeTexts(disk, base, current);
  if (merged === null) return fail(clash(words.writing.changedBoth(path)));
  if (breaksMerge(path, [disk, current], merged, ports.yaml)) return fail(clash(words.writing.mergeUnreadable(path)));
  const text = merged === disk ? null : merged;
  return succeed({
    path,
    change: { ...change, base: { hash: ports.digest(disk), text: disk, modified }, text },
    text: merged,
  });
}

function externalChangesOf(known: string, text: string): string | null {
  const changes = hunksOf(known, text)
    .map(({ newLine, added }) => words.writing.changedAt(newLine, added))
    .join('\n');
  return changes.length > maxQuoted ? null : changes;
}

/** A read gives the text with the waiting change, so reading again helps only once that is rejected. */
function clash(reason: string): Failure {
  return { kind: 'refused', words: reason, remedy: words.writing.changedUnderReviewRemedy };
}

/** SeenNotes: the text of each note as last sent to the model, which its writes are checked against (H6). */
export class SeenNotes {
  private readonly texts = new Map<string, string>();

  see(path: string, text: string): void {
    this.texts.set(path, text);
  }

  textOf(path: string): string | undefined {
    return this.texts.get(path);
  }

  move(from: string, to: string): void {
    const text = this.texts.get(from);
    this.texts.delete(from);
    if (text !== undefined) this.texts.set(to, text);
  }

  forget(path: string): void {
    this.texts.delete(path);
  }
}

/** Returns the vault for tools that show note text to the model: every text they read counts as seen. */
export function recordReads(vault: Vault, seen: SeenNotes): Vault {
  return {
    name: vault.name,
    files: () => vault.files(),
    folders: () => vault.folders(),
    file: (path) => vault.file(path),
    outline: (path) => vault.outline(path),
    tags: (path) => vault.tags(path),
    backlinks: (path) => vault.backlinks(path),
    resolveLink: (linkText, fromPath) => vault.resolveLink(linkText, fromPath),
    read: async (path, signal) => {
      const read = await vault.read(path, signal);
      if (read.ok) seen.see(read.value.path, read.value.text);
      return read;
    },
  };
}

// Staged writes: their tool calls, results, and refusals.

/** The tool call that requests a write. */
export interface CallReference {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** The abort signal of its turn. */
  readonly signal?: AbortSignal;
}

/** The effect of a write, for the tool result. */
export interface StagedWrite {
  readonly path: string;
  readonly change: FileChange;
  /** The lines that this write changed, with their new text; empty for a move or a deletion. */
  readonly lines: string;
  /** One-based number of the first of these lines. */
  readonly startLine: number;
}

export function linesOfWrite(before: string | null, after: string): Pick<StagedWrite, 'lines' | 'startLine'> {
  const hunks = before === null ? [] : hunksOf(before, after);
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (first === undefined || last === undefined) return { lines: '', startLine: 1 };
  const end = last.newLine + Math.max(1, countLines(last.added));
  const lines = after.split('\n').slice(first.newLine - 1, end - 1);
  return { lines: lines.join('\n'), startLine: first.newLine };
}

export function refused(what: string): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { kind: 'refused', words: what, remedy: words.writing.refusedRemedy } };
}
