/** The entry of a review that ended: what went to disk, what did not, and what the model is told of it. */
import { words } from '../../text';
import { describeFailure } from '../ports/failure';
import type { SettledEntryBody } from '../session/change-entry';
import type { ApplyReport } from './apply-changeset';
import { type ApprovalTokens, type Changeset, type FileChange, pathOf, type Rejection } from './changeset';
import { packChangeset } from './changeset-record';
import { describeChangeset, describeRejections } from './describe-changeset';

export interface Settling {
  readonly accepted: Changeset;
  readonly rejected: readonly Rejection[];
  /** What is not settled yet. */
  readonly waiting: readonly FileChange[];
  readonly by: SettledEntryBody['by'];
  readonly reason: string;
}

export function settledEntry(settling: Settling, approved: ApprovalTokens, report: ApplyReport): SettledEntryBody {
  const { accepted, by, reason } = settling;
  const { id } = accepted;
  const partly = report.failed.filter(({ operations }) => operations.length > 0);
  // Of a change whose text was written and whose move failed, the text can be taken back.
  const written = partly.flatMap(({ change, operations }) => {
    const whole = accepted.changes.find((each) => each.id === change.id);
    const plain = { operations, merged: false, altered: false, rewritten: [] };
    return whole === undefined ? [] : [{ change: { ...whole, to: whole.from }, ...plain }];
  });
  const applied = [...report.applied, ...written];
  return {
    kind: 'changes-settled',
    changeset: id,
    by,
    approved: Object.fromEntries(approved),
    applied: packChangeset({ id, changes: applied.map(({ change }) => change) }).changes,
    results: applied.map(({ change, operations, merged, altered, rewritten }) => ({
      change: change.id,
      operations,
      merged,
      altered,
      rewritten,
    })),
    failed: report.failed.map(({ change, failure }) => ({ change: change.id, failure })),
    waiting: packChangeset({ id, changes: [...report.failed.map(({ change }) => change), ...settling.waiting] })
      .changes,
    reason,
    told: toldOf(settling, report),
  };
}

/** What went to disk without asking was told by the call that did it. */
function toldOf({ by, rejected }: Settling, { applied, failed }: ApplyReport): string {
  const { log } = describeChangeset({ id: '', changes: applied.map(({ change }) => change) });
  const failures = failed.map(({ change, failure }) =>
    words.writing.toldFailed(pathOf(change), describeFailure(failure)),
  );
  return [
    by === 'user' && log.length > 0 ? words.writing.toldApplied(log) : '',
    describeRejections(rejected),
    ...failures,
  ]
    .filter((line) => line !== '')
    .join('\n');
}
