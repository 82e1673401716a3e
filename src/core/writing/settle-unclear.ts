/** Settles a write that was cut off, as the user chose; what is on disk by then is kept as well. */
import { decodeText } from '../markdown/encoding';
import { type Outcome, succeed } from '../ports/failure';
import type { UnclearChoice } from '../session/entry';
import type { OperationCall } from './journal';
import type { UnclearWrite } from './recover';
import { createFile, keepNow, trashFile, writeText } from './write-steps';
import { hashNow, type StepReport, type Writer } from './writer';

/** Runs in the write queue. */
export async function settleUnclear(
  writer: Writer,
  write: UnclearWrite,
  choice: UnclearChoice,
): Promise<Outcome<void>> {
  const { journal } = writer;
  const { operation, path } = write;
  const isMove = operation.call.step === 'move';
  if (choice === 'before' || (choice === 'after' && !isMove)) {
    const put = await putVersion(writer, write, choice === 'before' ? write.before : write.after);
    if (!put.ok) return put;
  }
  if (choice === 'before' && !isMove) return journal.void(operation.id);
  const left = await hashNow(writer, isMove ? (operation.call.to ?? path) : path);
  if (!left.ok) return left;
  const kept = left.value === null ? succeed(null) : await keepNow(writer, isMove ? (operation.call.to ?? path) : path);
  return kept.ok ? journal.commit(operation.id, kept.value) : kept;
}

async function putVersion(
  writer: Writer,
  { operation, path }: UnclearWrite,
  version: string | null,
): Promise<Outcome<StepReport | null>> {
  const { change, calls, taint } = operation.call;
  // Of no changeset of a chat: what is applied once more must not take the repair for the step itself.
  const call = (step: OperationCall['step']): OperationCall => ({
    step,
    changeset: operation.id,
    change,
    path,
    to: null,
    calls,
    undoes: null,
    taint,
  });
  const now = await hashNow(writer, path);
  if (!now.ok) return now;
  if (now.value === version) return succeed(null);
  if (version === null) return trashFile(writer, call('delete'), () => succeed(undefined));
  const bytes = await writer.journal.bytes(version);
  if (!bytes.ok) return bytes;
  if (now.value === null) return createFile(writer, call('create'), bytes.value);
  const text = decodeText(path, bytes.value);
  if (!text.ok) return text;
  return writeText(writer, call('edit'), () => succeed(text.value.text), { damaged: text.value });
}
