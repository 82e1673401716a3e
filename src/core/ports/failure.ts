/** Failure: every expected failure as a value with plain words and a remedy; impossible states throw instead. */
import { words } from '../../text';

export const failureKinds = [
  'not-found',
  'unreadable',
  'not-text',
  'too-large',
  'refused',
  'invalid-input',
  'authentication',
  'quota',
  'rate-limit',
  'overloaded',
  'model-missing',
  'context-length',
  'network',
  'protocol',
  'interrupted',
  'aborted',
  'limit',
  'storage',
  'configuration',
] as const;
export type FailureKind = (typeof failureKinds)[number];

/** A step that the chat view may offer as a button; the chat view knows what each one opens. */
export type FailureAction =
  | 'open-settings'
  | 'retry'
  /** Asks the model to go on from what it has answered so far. */
  | 'go-on'
  | 'new-chat'
  | 'show-context'
  | 'open-diagnostics'
  /** Lets this model write its tool calls as text, and sends the message again. */
  | 'call-tools-in-text'
  | 'create-system-prompt'
  | 'turn-off-system-prompt'
  | 'allow-outside-file'
  /** Shows the instruction files that wait. */
  | 'review-instructions'
  /** Allows on this device what the failure asks about, and sends the message again. */
  | 'allow-sending'
  /** Signs in to an MCP server. */
  | 'sign-in'
  /** Asks how the user is known to a server that signs in. */
  | 'enter-client'
  /** Rejects a change of lines that were edited since, and asks the model for it on the current text. */
  | 'ask-again';

export interface Failure {
  readonly kind: FailureKind;
  /** What happened, in one plain sentence without secrets. */
  readonly words: string;
  /** What the reader can do about it, in one plain sentence. */
  readonly remedy: string;
  readonly action?: FailureAction;
  /** All steps, if there are several. */
  readonly actions?: readonly FailureAction[];
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export function succeed<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function fail<T = never>(failure: Failure): Outcome<T> {
  return { ok: false, failure };
}

/** Returns one line for a model or a log: the words and the remedy. */
export function describeFailure(failure: Failure): string {
  return `${failure.words} ${failure.remedy}`.trim();
}

/** Returns words for a thrown value that need not be an Error; never a stack or an object dump. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * Returns the failure for a defect: something threw where a failure should have been a value.
 * @param thrown anything; its message is shown, its stack is not
 */
export function unexpectedFailure(thrown: unknown): Failure {
  const { unexpected, unexpectedRemedy } = words.failures;
  return { kind: 'protocol', words: unexpected(messageOf(thrown)), remedy: unexpectedRemedy };
}
