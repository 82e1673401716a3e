/** Why nothing of a chat's changes can be applied or taken back now, in words, and what came of several. */
import { words } from '../../text';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';

export function busyNow(): Failure {
  return { kind: 'refused', words: words.writing.busy, remedy: words.writing.busyRemedy };
}

export function nothingWaits(): Failure {
  return { kind: 'refused', words: words.writing.nothingWaits, remedy: words.writing.nothingWaitsRemedy };
}

export function nothingToUndo(): Failure {
  return { kind: 'refused', words: words.writing.undoUnknown, remedy: words.writing.undoRemedy };
}

/** Milliseconds for which what the user approved may wait to be written (rules 6.2). */
export const approvalLife = 600_000;

export function approvalExpired(): Failure {
  return { kind: 'refused', words: words.writing.approvalExpired, remedy: words.writing.notApprovedRemedy };
}

export function done(outcome: Outcome<unknown>): Outcome<void> {
  return outcome.ok ? succeed(undefined) : outcome;
}

export function firstFailure(failed: readonly { readonly failure: Failure }[]): Outcome<void> {
  const [first] = failed;
  return first === undefined ? succeed(undefined) : fail(first.failure);
}
