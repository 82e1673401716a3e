/** Says in words why a goal cannot be changed that way. */
import { words } from '../../text';
import { type FailureKind, fail, type Outcome } from '../ports/failure';
import type { GoalProblem } from './find-problem';

const kinds: Readonly<Record<Exclude<GoalProblem, 'unchanged'>, FailureKind>> = {
  'no-goal': 'not-found',
  'no-item': 'not-found',
  'no-event': 'not-found',
  locked: 'refused',
  pinned: 'refused',
  completed: 'refused',
  full: 'limit',
  empty: 'invalid-input',
  'bad-path': 'invalid-input',
};

export function goalFailure(problem: Exclude<GoalProblem, 'unchanged'>): Outcome<never> {
  const { problem: text, remedy } = words.goals.problems[problem];
  return fail({ kind: kinds[problem], words: text, remedy });
}
