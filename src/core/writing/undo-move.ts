/** Takes a move back, and with it the links that the app rewrote, to the very bytes where nobody edited them since. */
import { words } from '../../text';
import { splitMark } from '../markdown/encoding';
import { type Outcome, succeed } from '../ports/failure';
import type { Journal } from './journal';
import type { Operation, Rewritten } from './journal-records';
import { mergeTexts } from './merge-text';
import { moveFile } from './move-step';
import { callFor, refuse, reportOf, textOf, type UndoReport } from './undo-parts';
import type { Writer } from './writer';

export async function undoMove(writer: Writer, operation: Operation): Promise<Outcome<UndoReport>> {
  const { path, to } = operation.call;
  if (to === null) throw new Error('a move without a target');
  const { journal } = writer;
  const place = journal.placeSince(to, operation);
  if (place !== to) return refuse(words.writing.undoMovedSince(to, place));
  const placeAfter = (rewritten: Rewritten): string => {
    const now = journal.placeSince(rewritten.path, operation);
    return now === to ? path : now;
  };
  const due = new Map(operation.rewritten.map((rewritten) => [placeAfter(rewritten), rewritten]));
  for (const [source, rewritten] of due) {
    const file = source === path ? to : source;
    const now = await writer.files.readBytes(file);
    const clashes = !now.ok || (await restored(writer, rewritten, now.value)) === null;
    if (clashes && isWrittenSince(journal, operation, file)) return refuse(words.writing.undoClashes(file));
  }
  const kept: string[] = [];
  const moved = await moveFile(
    writer,
    { ...callFor(operation, 'move', to, path), to: path },
    {
      also: [...due.keys()].filter((source) => source !== path),
      restore: async (source, before) => {
        const rewritten = due.get(source);
        if (rewritten === undefined) return null;
        const wanted = await restored(writer, rewritten, before);
        if (wanted === null) kept.push(source);
        return wanted;
      },
    },
  );
  if (!moved.ok) return moved.failure.kind === 'not-found' ? refuse(words.writing.undoGone(to)) : moved;
  for (const folder of [...operation.folders].reverse()) await writer.files.removeEmptyFolder(folder);
  return succeed(reportOf(moved.value, path, kept));
}

/** Whether a later write of ours, not taken back, is on the file: that one goes first. */
function isWrittenSince(journal: Journal, operation: Operation, path: string): boolean {
  return journal
    .operations()
    .some(
      ({ id, call, state, rewritten }) =>
        call.time > operation.call.time &&
        state === 'committed' &&
        !journal.isUndone(id) &&
        (call.path === path || call.to === path || rewritten.some((each) => each.path === path)),
    );
}

/** What the file read before the move, together with what was edited since; null where both touch the same lines. */
async function restored(writer: Writer, { pre, post }: Rewritten, before: Uint8Array): Promise<string | null> {
  const [old, fresh] = [await textOf(writer, pre), await textOf(writer, post)];
  if (!old.ok || !fresh.ok) return null;
  const current = splitMark(new TextDecoder('utf-8', { ignoreBOM: true }).decode(before));
  const merged = mergeTexts(current.text, fresh.value, old.value);
  return merged === null ? null : (current.mark ? '\ufeff' : '') + merged;
}
