/** Changes that still wait by the log and are on disk by the journal: the app was cut off before it could say so. */
import { type Changeset, type FileChange, stepsOf } from './changeset';
import type { Operation } from './journal-records';
import { textOf } from './undo-parts';
import type { Writer } from './writer';
import type { WritingPorts } from './writing-ports';

/** As they were written, which may be a part of what was proposed. Runs in the write queue. */
export async function writtenChanges(
  ports: Pick<WritingPorts, 'writer'>,
  waiting: Changeset,
): Promise<readonly FileChange[]> {
  const writer = await ports.writer();
  if (!writer.ok) return [];
  const { journal } = writer.value;
  const written: FileChange[] = [];
  for (const change of waiting.changes) {
    const operations = stepsOf(change).map((step) => journal.find(waiting.id, change.id, step));
    if (operations.every((each) => each?.state === 'committed')) {
      written.push(await asWritten(writer.value, change, operations as readonly Operation[]));
    }
  }
  return written;
}

async function asWritten(writer: Writer, change: FileChange, operations: readonly Operation[]): Promise<FileChange> {
  const operation = operations.find(({ call }) => call.step === 'edit' || call.step === 'create');
  if (operation === undefined) return change;
  const text = await textOf(writer, operation.post);
  if (!text.ok) return change;
  if (operation.pre === null) return { ...change, text: text.value };
  const before = await textOf(writer, operation.pre);
  if (!before.ok) return change;
  return { ...change, base: { hash: writer.digest(before.value), text: before.value }, text: text.value };
}
