/** Takes back several operations, the newest first, and tells the log of it. */
import { words } from '../../text';
import { type Outcome, succeed } from '../ports/failure';
import type { UndoneEntryBody } from '../session/change-entry';
import type { SettledChanges } from './fold-changes';
import { undoOperation } from './undo';
import type { UndoReport } from './undo-parts';
import type { WritingPorts } from './writing-ports';

export interface UndoneOperation {
  readonly operation: string;
  readonly path: string;
  readonly outcome: Outcome<UndoReport>;
}

/** The operations of a settled changeset, or of one change in it, that are to be taken back or applied again. */
export function operationsDue(
  settled: SettledChanges | undefined,
  changeId: string | undefined,
  redo: boolean,
): readonly string[] {
  return (settled?.applied ?? [])
    .filter(({ change }) => changeId === undefined || change.id === changeId)
    .flatMap(({ tips }) => tips.filter(({ undone }) => undone === redo).map(({ operation }) => operation));
}

/** Stops at nothing: what cannot be taken back leaves the others alone. Waits for its turn in the queue. */
export function undoAll(
  ports: Pick<WritingPorts, 'queue' | 'writer'>,
  operations: readonly string[],
): Promise<Outcome<readonly UndoneOperation[]>> {
  return ports.queue.run(async () => {
    const opened = await ports.writer();
    if (!opened.ok) return opened;
    const writer = opened.value;
    const timeOf = (id: string): number => writer.journal.operation(id)?.call.time ?? 0;
    const results: UndoneOperation[] = [];
    for (const operation of [...operations].sort((a, b) => timeOf(b) - timeOf(a))) {
      const path = writer.journal.operation(operation)?.call.path ?? '';
      results.push({ operation, path, outcome: await undoOperation(writer, operation) });
    }
    return succeed(results);
  });
}

export function undoneEntry(changeset: string, redo: boolean, results: readonly UndoneOperation[]): UndoneEntryBody {
  const pairs = results.flatMap(({ operation, outcome }) =>
    outcome.ok && outcome.value.operation !== null ? [{ operation, by: outcome.value.operation }] : [],
  );
  const failed = results.flatMap(({ operation, outcome }) =>
    outcome.ok ? [] : [{ operation, failure: outcome.failure }],
  );
  const paths = [...new Set(results.flatMap(({ path, outcome }) => (outcome.ok ? [path] : [])))];
  const told = paths.length === 0 ? '' : redo ? words.writing.toldRedone(paths) : words.writing.toldUndone(paths);
  return { kind: 'changes-undone', changeset, redo, pairs, failed, told };
}
