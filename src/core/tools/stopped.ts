/** The failure of a call that the user stopped. */
import { words } from '../../text';
import type { Failure } from '../ports/failure';

export function stopped(): Failure {
  return { kind: 'aborted', words: words.failures.aborted, remedy: words.failures.abortedRemedy };
}
