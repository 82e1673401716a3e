/** Recovery at start-up: settles what a crash left open in the journal, and never writes to a note by itself (6.3). */
import { decodeText } from '../markdown/encoding';
import type { UnclearChoice } from '../session/entry';
import type { Operation, Rewritten } from './journal-records';
import { hashNow, type Writer } from './writer';

/** A file that holds neither what was there nor what was to be; both versions are kept. */
export interface UnclearWrite {
  readonly operation: Operation;
  readonly path: string;
  /** Hashes of the kept versions; null where there was to be no file. */
  readonly before: string | null;
  readonly after: string | null;
  /** How it can be settled; what the links of a move were to be is not known. */
  readonly choices: readonly UnclearChoice[];
}

export interface Recovery {
  /** Writes that had reached the disk. */
  readonly completed: readonly string[];
  /** Writes that had not. */
  readonly void: readonly string[];
  readonly unclear: readonly UnclearWrite[];
}

export async function recover(writer: Writer): Promise<Recovery> {
  const completed: string[] = [];
  const nothing: string[] = [];
  const unclear: UnclearWrite[] = [];
  for (const operation of writer.journal.operations()) {
    if (operation.state === 'called') {
      await writer.journal.void(operation.id);
      nothing.push(operation.id);
    }
    if (operation.state !== 'begun') continue;
    const found = operation.call.step === 'move' ? await endOfMove(writer, operation) : await endOf(writer, operation);
    if (found.end === 'void') {
      await writer.journal.void(operation.id);
      nothing.push(operation.id);
    } else if (found.end === 'done') {
      await writer.journal.commit(operation.id, found.post, found.rewritten);
      completed.push(operation.id);
    } else unclear.push(...found.unclear);
  }
  return { completed, void: nothing, unclear };
}

type End =
  | { readonly end: 'void' }
  | { readonly end: 'done'; readonly post: string | null; readonly rewritten: readonly Rewritten[] }
  | { readonly end: 'unclear'; readonly unclear: readonly UnclearWrite[] };

const anyChoice: readonly UnclearChoice[] = ['before', 'after', 'as-is'];

async function endOf(writer: Writer, operation: Operation): Promise<End> {
  const { pre, post, call } = operation;
  const now = await hashNow(writer, call.path);
  if (now.ok && now.value === post) return { end: 'done', post, rewritten: [] };
  if (now.ok && now.value === pre) return { end: 'void' };
  return { end: 'unclear', unclear: [{ operation, path: call.path, before: pre, after: post, choices: anyChoice }] };
}

async function endOfMove(writer: Writer, operation: Operation): Promise<End> {
  const { pre, sources, call } = operation;
  const to = call.to ?? '';
  const [old, fresh] = [await hashNow(writer, call.path), await hashNow(writer, to)];
  const asUnclear = (path: string, before: string | null): UnclearWrite => ({
    operation,
    path,
    before,
    after: null,
    choices: ['before', 'as-is'],
  });
  if (!old.ok || !fresh.ok) return { end: 'unclear', unclear: [asUnclear(call.path, pre)] };
  if (fresh.value === null && old.value === pre) return { end: 'void' };
  if (old.value !== null || fresh.value === null) return { end: 'unclear', unclear: [asUnclear(call.path, pre)] };
  const rewritten: Rewritten[] = [];
  const unclear: UnclearWrite[] = [];
  for (const source of sources) {
    const path = source.path === call.path ? to : source.path;
    const change = await changeOfSource(writer, path, source.hash);
    if (change === 'damaged') unclear.push(asUnclear(path, source.hash));
    else if (change !== null) rewritten.push(change);
  }
  return unclear.length > 0 ? { end: 'unclear', unclear } : { end: 'done', post: fresh.value, rewritten };
}

/** Null for a file that was not rewritten; one that differs in more than its links may have been torn. */
async function changeOfSource(writer: Writer, path: string, pre: string): Promise<Rewritten | 'damaged' | null> {
  const now = await writer.files.readBytes(path);
  if (!now.ok) return 'damaged';
  if (writer.hash(now.value) === pre) return null;
  const before = await writer.journal.bytes(pre);
  if (!before.ok) return 'damaged';
  const [old, fresh] = [decodeText(path, before.value), decodeText(path, now.value)];
  if (!old.ok || !fresh.ok || withoutLinks(old.value.text) !== withoutLinks(fresh.value.text)) return 'damaged';
  const post = await writer.journal.keep(now.value);
  return post.ok ? { path, pre, post: post.value } : 'damaged';
}

function withoutLinks(text: string): string {
  return text
    .replace(/\[\[[^\]\n]*\]\]/g, '[[]]')
    .replace(/\]\((?:<[^<>\n]*>|[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)/g, ']()')
    .replace(/("file"\s*:\s*)"(?:[^"\\]|\\.)*"/g, '$1""');
}
