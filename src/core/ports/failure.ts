/** Failure: every expected failure as a value with plain words and a remedy; impossible states throw instead. */
import { words } from '../../text';

export type FailureKind =
  | 'not-found'
  | 'unreadable'
  | 'not-text'
  | 'too-large'
  | 'refused'
  | 'invalid-input'
  | 'authentication'
  | 'quota'
  | 'rate-limit'
  | 'overloaded'
  | 'model-missing'
  | 'context-length'
  | 'network'
  | 'protocol'
  | 'interrupted'
  | 'aborted'
  | 'limit'
  | 'storage'
  | 'configuration';

/** A step the pane may offer as a button; the pane knows what each one opens. */
export type FailureAction =
  | 'open-settings'
  | 'retry'
  | 'new-chat'
  | 'open-diagnostics'
  | 'create-system-prompt'
  | 'turn-off-system-prompt'
  | 'allow-outside-file';

export interface Failure {
  readonly kind: FailureKind;
  /** What happened, in one plain sentence without secrets. */
  readonly words: string;
  /** What the reader can do about it, in one plain sentence. */
  readonly remedy: string;
  readonly action?: FailureAction;
  /** Where there are several ways out, all of them. */
  readonly actions?: readonly FailureAction[];
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export function succeed<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function fail<T = never>(failure: Failure): Outcome<T> {
  return { ok: false, failure };
}

/** One line for a model or a log: the words and the remedy. */
export function describeFailure(failure: Failure): string {
  return `${failure.words} ${failure.remedy}`.trim();
}

/** Words for something thrown where only an Error was expected; never a stack, never an object dump. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

// Failures that stand for a defect.

/** Something threw where a failure should have been a value. @param thrown anything; its message is told, no stack */
export function unexpectedFailure(thrown: unknown): Failure {
  const { unexpected, unexpectedRemedy } = words.failures;
  return { kind: 'protocol', words: unexpected(messageOf(thrown)), remedy: unexpectedRemedy };
}
