/** Moves a file, after copying every file whose links Obsidian may rewrite, and records the files that it rewrote. */
import { decodeText, encodeText, splitMark, withLineEnd } from '../../markdown/encoding';
import { fail, type Outcome, succeed } from '../../ports/failure';
import { hunksOf } from '../changeset/diff';
import type { FileVersion, Rewritten } from '../changeset/journal-records';
import type { OperationCall } from './journal';
import {
  hashNow,
  insist,
  keepNow,
  maxCopy,
  readForWrite,
  removeFolders,
  type StepReport,
  taken,
  interrupted,
  type Writer,
} from './write-steps';

export interface MoveOptions {
  /** Checks the bytes of the file before it moves; a failure stops the move. */
  readonly check?: (bytes: Uint8Array) => Outcome<void>;
  /** Files to restore in addition to those that link to this one. */
  readonly also?: readonly string[];
  /**
   * Returns the text that a file should have after Obsidian rewrote its links, or null to accept Obsidian's version.
   * @param path where the file is after the move
   * @param before the file's bytes before the move, with what the user has changed in it since
   * @param now the file's bytes with the links that Obsidian rewrote
   */
  readonly restore?: (path: string, before: Uint8Array, now: Uint8Array) => Promise<string | null>;
}

type MoveCall = OperationCall & { readonly to: string };

export async function moveFile(
  writer: Writer,
  call: MoveCall,
  options: MoveOptions = {},
): Promise<Outcome<StepReport>> {
  const { files, journal, hash } = writer;
  const { path, to } = call;
  const bytes = await readForMove(writer, call, options);
  if (!bytes.ok) return bytes;
  const op = await journal.begin(call);
  if (!op.ok) return op;
  const sources = await keepSources(writer, path, options.also ?? []);
  if (!sources.ok) return sources;
  const versions = sources.value.map((source): FileVersion => ({ path: source.path, hash: hash(source.bytes) }));
  const pre = hash(bytes.value);
  const intended = await journal.intend(op.value, pre, pre, versions);
  if (!intended.ok) return intended;
  const folders = await rename(writer, call, op.value, pre);
  if (!folders.ok) return folders;
  const place = (source: string): string => (source === path ? to : source);
  await files.settled([...new Set([to, ...sources.value.map((source) => place(source.path))])]);
  for (const source of sources.value) {
    const restored = await restoreSource(writer, place(source.path), source.bytes, options);
    if (!restored.ok) return restored;
  }
  const rewritten = await findRewritten(writer, sources.value, place);
  if (!rewritten.ok) return fail(interrupted(path, rewritten.failure));
  return commitMove(writer, call, op.value, rewritten.value, folders.value);
}

/** Returns the bytes of the file, or why it cannot move: a refused path, a failed check, or a file at the target. */
async function readForMove(writer: Writer, call: MoveCall, { check }: MoveOptions): Promise<Outcome<Uint8Array>> {
  const { path, to, undoes } = call;
  const allowed = await writer.guard.fresh(to, undoes !== null);
  if (!allowed.ok) return allowed;
  const bytes = await readForWrite(writer, call);
  if (!bytes.ok) return bytes;
  const checked = check?.(bytes.value) ?? succeed(undefined);
  if (!checked.ok) return checked;
  const there = path.toLowerCase() === to.toLowerCase() ? succeed(null) : await hashNow(writer, to);
  if (!there.ok) return there;
  return there.value === null ? bytes : fail(taken(to));
}

/** @returns the folders created for the file */
async function rename(
  writer: Writer,
  { path, to }: MoveCall,
  op: string,
  pre: string,
): Promise<Outcome<readonly string[]>> {
  const { files, journal } = writer;
  const folders = await files.ensureFolders(to);
  const moved = folders.ok ? await insist(writer.pause, () => files.rename(path, to)) : folders;
  if (moved.ok) return folders;
  // It moved after all, and Obsidian may have stopped while rewriting links; recovery separates rewritten from torn
  // files.
  if (!(await isUnmoved(writer, path, to, pre))) return fail(interrupted(path, moved.failure));
  if (folders.ok) await removeFolders(writer, folders.value);
  await journal.void(op);
  return moved;
}

async function commitMove(
  writer: Writer,
  { path, to }: MoveCall,
  op: string,
  rewritten: readonly Rewritten[],
  folders: readonly string[],
): Promise<Outcome<StepReport>> {
  const adopted = await keepAdopted(writer, to, new Set(rewritten.map((each) => each.path)));
  if (!adopted.ok) return fail(interrupted(path, adopted.failure));
  const post = await hashNow(writer, to);
  if (!post.ok || post.value === null) return fail(interrupted(to));
  await writer.journal.commit(op, post.value, [...rewritten, ...adopted.value], folders);
  return succeed({ operation: op, altered: false, rewritten });
}

interface Source {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Stores copies of the files that link here, and of the moved file, whose own links may be relative to its folder. */
async function keepSources(writer: Writer, path: string, also: readonly string[]): Promise<Outcome<Source[]>> {
  const { files, journal } = writer;
  const sources: Source[] = [];
  for (const source of new Set([path, ...files.linkSources(path), ...also])) {
    const flushed = await files.flush(source);
    if (!flushed.ok) return flushed;
    const bytes = await files.readBytes(source);
    if (!bytes.ok && bytes.failure.kind === 'not-found' && source !== path) continue;
    if (!bytes.ok) return bytes;
    // A large attachment contains no links, and a move does not change its bytes.
    if (source === path && bytes.value.length > maxCopy) continue;
    const stored = await journal.keep(bytes.value);
    if (!stored.ok) return stored;
    sources.push({ path: source, bytes: bytes.value });
  }
  return succeed(sources);
}

async function isUnmoved(writer: Writer, path: string, to: string, pre: string): Promise<boolean> {
  const [old, fresh] = [await hashNow(writer, path), await hashNow(writer, to)];
  if (!old.ok || !fresh.ok || old.value !== pre) return false;
  return fresh.value === null || path.toLowerCase() === to.toLowerCase();
}

/**
 * Writes the text that `restore` returns. Obsidian's version stays if someone typed in between or the disk refuses;
 * fails if the file matches neither version.
 */
async function restoreSource(
  writer: Writer,
  path: string,
  before: Uint8Array,
  options: MoveOptions,
): Promise<Outcome<void>> {
  if (options.restore === undefined) return succeed(undefined);
  const now = await writer.files.readBytes(path);
  if (!now.ok) return succeed(undefined);
  const wanted = await options.restore(path, withoutNewLinks(before, now.value), now.value);
  if (wanted === null) return succeed(undefined);
  const held = new TextDecoder('utf-8', { ignoreBOM: true }).decode(now.value);
  const written = await insist(writer.pause, () =>
    writer.files.process(path, (text) =>
      splitMark(text).text === splitMark(held).text && text !== wanted ? wanted : null,
    ),
  );
  if (written.ok && written.value === 'written') return succeed(undefined);
  const left = await hashNow(writer, path);
  const known = [writer.hash(now.value), writer.hash(new TextEncoder().encode(wanted))];
  if (written.ok || (left.ok && left.value !== null && known.includes(left.value))) return succeed(undefined);
  return fail(interrupted(path, written.failure));
}

async function findRewritten(
  writer: Writer,
  sources: readonly Source[],
  place: (path: string) => string,
): Promise<Outcome<Rewritten[]>> {
  const rewritten: Rewritten[] = [];
  for (const source of sources) {
    const path = place(source.path);
    const now = await writer.files.readBytes(path);
    if (!now.ok && now.failure.kind === 'not-found') continue;
    if (!now.ok) return now;
    // An undo of the move gives back the links, and not what the user wrote in the meantime.
    const before = withoutNewLinks(source.bytes, now.value);
    if (writer.hash(now.value) === writer.hash(before)) continue;
    const [pre, post] = [await writer.journal.keep(before), await writer.journal.keep(now.value)];
    if (!pre.ok) return pre;
    if (!post.ok) return post;
    rewritten.push({ path, pre: pre.value, post: post.value });
  }
  return succeed(rewritten);
}

/**
 * Returns a file from before a move with what was changed in it since, except the lines in which Obsidian rewrote links
 * and nothing else changed. A file that is not text is returned as it was.
 */
function withoutNewLinks(before: Uint8Array, now: Uint8Array): Uint8Array {
  const [old, fresh] = [decodeText('', before), decodeText('', now)];
  if (!old.ok || !fresh.ok) return before;
  if (differInLinksAlone(old.value.text, fresh.value.text)) return before;
  const [plainOld, plainFresh] = [withoutLinks(old.value.text), withoutLinks(fresh.value.text)];
  const [oldLines, freshLines] = [linesOf(old.value.text), linesOf(fresh.value.text)];
  let text = '';
  let at = 0;
  for (const { line, newLine, removed, added } of hunksOf(plainOld, plainFresh)) {
    const typed = freshLines.slice(newLine - 1, newLine - 1 + linesOf(added).length);
    text += oldLines.slice(at, line - 1).join('') + typed.join('');
    at = line - 1 + linesOf(removed).length;
  }
  return encodeText({ text: text + oldLines.slice(at).join(''), mark: old.value.mark });
}

/**
 * Returns a text with the links that Obsidian rewrote in the lines that a known version of it does not have.
 * @param now the same text with all links that Obsidian rewrote
 */
export function withLaterLinks(text: string, known: string, now: string): string {
  const [lines, rewritten] = [[...linesOf(text)], linesOf(now)];
  // A canvas is laid out again with its links.
  if (lines.length !== rewritten.length) return text;
  for (const { newLine, added } of hunksOf(withLineEnd(known, '\n'), withLineEnd(text, '\n'))) {
    const count = linesOf(added).length;
    lines.splice(newLine - 1, count, ...rewritten.slice(newLine - 1, newLine - 1 + count));
  }
  return lines.join('');
}

/** Splits a text into its lines, each with its line ending. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Whether two versions of a file differ in their links at most. Obsidian also lays out a canvas again with its links. */
export function differInLinksAlone(old: string, fresh: string): boolean {
  const [plainOld, plainFresh] = [withoutLinks(old), withoutLinks(fresh)];
  if (plainOld === plainFresh) return true;
  const values = valuesOf(plainOld);
  return values !== null && values === valuesOf(plainFresh);
}

/** Returns the values of a canvas without its layout; null for another text. */
function valuesOf(text: string): string | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns a text with its links emptied. It has the same lines. No link reaches over the beginning of another one. */
function withoutLinks(text: string): string {
  return text
    .replace(/\[\[(?:[^[\]\n]|\](?!\])|\[(?!\[))*\]\]/g, '[[]]')
    .replace(/\]\((?:<[^<>\n]*>|[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)/g, ']()')
    .replace(/("file"\s*:\s*)"(?:[^"\\\n]|\\.)*"/g, '$1""');
}

/**
 * Records files with unresolved links that now resolve to the moved file. The move does not change them, so its undo
 * must not either, though Obsidian would then rewrite their links.
 */
async function keepAdopted(writer: Writer, to: string, known: ReadonlySet<string>): Promise<Outcome<Rewritten[]>> {
  const adopted: Rewritten[] = [];
  for (const path of writer.files.linkSources(to)) {
    if (known.has(path)) continue;
    const stored = await keepNow(writer, path);
    if (!stored.ok) return stored;
    adopted.push({ path, pre: stored.value, post: stored.value });
  }
  return succeed(adopted);
}
