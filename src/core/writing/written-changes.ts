/** Changes that still wait by the log and are on disk by the journal: the app was cut off before it could say so. */
import { type Changeset, type FileChange, stepsOf, withoutText } from './changeset';
import type { Operation } from './journal-records';
import { textOf } from './undo-parts';
import type { Writer } from './writer';
import type { WritingPorts } from './writing-ports';

export interface WrittenChanges {
  /** As they were written, which may be a part of what was proposed. */
  readonly written: readonly FileChange[];
  /** What is left to do of those whose text was written and which were not moved. */
  readonly left: readonly FileChange[];
}

/** Runs in the write queue. */
export async function writtenChanges(ports: Pick<WritingPorts, 'writer'>, waiting: Changeset): Promise<WrittenChanges> {
  const writer = await ports.writer();
  if (!writer.ok) return { written: [], left: [] };
  const written: FileChange[] = [];
  const left: FileChange[] = [];
  for (const change of waiting.changes) {
    const { journal, digest } = writer.value;
    const operations = stepsOf(change).map((step) => journal.find(waiting.id, change, step));
    const [first, last] = [operations[0], operations.at(-1)];
    // Steps follow one another, and a text that was there already took no operation.
    const isWhole = last?.state === 'committed';
    if (!isWhole && (first?.state !== 'committed' || last !== undefined)) continue;
    const whole = await asWritten(writer.value, change, operations);
    written.push(isWhole ? whole : { ...whole, to: whole.from });
    if (!isWhole) left.push(withoutText(whole, digest));
  }
  return { written, left };
}

async function asWritten(
  writer: Writer,
  change: FileChange,
  operations: readonly (Operation | undefined)[],
): Promise<FileChange> {
  const operation = operations.find((each) => each?.call.step === 'edit' || each?.call.step === 'create');
  if (operation === undefined) return change;
  const text = await textOf(writer, operation.post);
  if (!text.ok) return change;
  if (operation.pre === null) return { ...change, text: text.value };
  const before = await textOf(writer, operation.pre);
  if (!before.ok) return change;
  return { ...change, base: { hash: writer.digest(before.value), text: before.value }, text: text.value };
}
