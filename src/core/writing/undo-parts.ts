/** What every undo needs: its report, its call for the journal, kept texts, and refusals. */
import { words } from '../../text';
import { decodeText } from '../markdown/encoding';
import { type Failure, type Outcome, succeed } from '../ports/failure';
import type { OperationCall } from './journal';
import type { Operation } from './journal-records';
import type { StepReport, Writer } from './writer';

export interface UndoReport {
  /** The operation that took it back, which can be undone itself. */
  readonly operation: string | null;
  /** Where the file is now. */
  readonly path: string;
  /** Files in which the app's own links stay, since their lines were edited since. */
  readonly keptLinks: readonly string[];
}

/** The text of a kept version, without its byte order mark. */
export async function textOf(writer: Writer, hash: string | null): Promise<Outcome<string>> {
  const bytes = await writer.journal.bytes(hash ?? '');
  if (!bytes.ok) return bytes;
  const decoded = decodeText('', bytes.value);
  return decoded.ok ? succeed(decoded.value.text) : decoded;
}

export function callFor(operation: Operation, step: OperationCall['step'], path: string, to?: string): OperationCall {
  const { changeset, change, calls, taint } = operation.call;
  return { step, changeset, change, path, to: to ?? null, calls, undoes: operation.id, taint };
}

export function reportOf({ operation }: StepReport, path: string, keptLinks: readonly string[] = []): UndoReport {
  return { operation, path, keptLinks };
}

export function refuse(what: string): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { kind: 'refused', words: what, remedy: words.writing.undoRemedy } };
}
