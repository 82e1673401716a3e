/** Failures that stand for a defect. */
import { words } from '../text';
import { type Failure, messageOf } from './failure';

/** Something threw where a failure should have been a value. @param thrown anything; its message is told, no stack */
export function unexpectedFailure(thrown: unknown): Failure {
  const { unexpected, unexpectedRemedy } = words.failures;
  return { kind: 'protocol', words: unexpected(messageOf(thrown)), remedy: unexpectedRemedy };
}
