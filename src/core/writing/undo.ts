/** Undo: takes back any applied write, in any order, and an undo in turn; merges with later edits or says why not. */
import { words } from '../../text';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { Operation } from './journal-records';
import { mergeTexts } from './merge-text';
import { undoMove } from './undo-move';
import { callFor, refuse, reportOf, textOf, type UndoReport } from './undo-parts';
import { createFile, removeFolders, trashFile, writeText } from './write-steps';
import type { Writer } from './writer';

/** Runs in the write queue. */
export async function undoOperation(writer: Writer, id: string): Promise<Outcome<UndoReport>> {
  const operation = writer.journal.operation(id);
  if (operation?.state !== 'committed') return refuse(words.writing.undoUnknown);
  if (writer.journal.isUndone(id)) return refuse(words.writing.undoneAlready);
  switch (operation.call.step) {
    case 'create':
      return undoCreate(writer, operation);
    case 'edit':
      return undoEdit(writer, operation);
    case 'delete':
      return undoDelete(writer, operation);
    case 'move':
      return undoMove(writer, operation);
  }
}

async function undoCreate(writer: Writer, operation: Operation): Promise<Outcome<UndoReport>> {
  const { path } = operation.call;
  const place = writer.journal.placeSince(path, operation);
  if (place !== path) return refuse(words.writing.undoMovedSince(path, place));
  const trashed = await trashFile(writer, callFor(operation, 'delete', path), (bytes) =>
    writer.hash(bytes) === operation.post ? succeed(undefined) : refuse(words.writing.undoEditedSince(path)),
  );
  if (!trashed.ok) return fail(sayGone(trashed.failure, path));
  await removeFolders(writer, operation.folders);
  return succeed(reportOf(trashed.value, path));
}

async function undoDelete(writer: Writer, operation: Operation): Promise<Outcome<UndoReport>> {
  const { path } = operation.call;
  const bytes = await writer.journal.bytes(operation.pre ?? '');
  if (!bytes.ok) return bytes;
  const made = await createFile(writer, callFor(operation, 'create', path), bytes.value);
  return made.ok ? succeed(reportOf(made.value, path)) : made;
}

async function undoEdit(writer: Writer, operation: Operation): Promise<Outcome<UndoReport>> {
  const place = writer.journal.placeSince(operation.call.path, operation);
  const [before, after] = [await textOf(writer, operation.pre), await textOf(writer, operation.post)];
  if (!before.ok) return before;
  if (!after.ok) return after;
  const written = await writeText(writer, callFor(operation, 'edit', place), (current) => {
    const merged = mergeTexts(current, after.value, before.value);
    return merged === null ? refuse(words.writing.undoClashes(place)) : succeed(merged);
  });
  if (!written.ok) return fail(sayGone(written.failure, place));
  return written.value.operation === null
    ? refuse(words.writing.undoneByHand(place))
    : succeed(reportOf(written.value, place));
}

function sayGone(failure: Failure, path: string): Failure {
  return failure.kind === 'not-found'
    ? { kind: 'refused', words: words.writing.undoGone(path), remedy: words.writing.undoRemedy }
    : failure;
}
