/** Records files that were made, changed or deleted as artifacts of the goal under way (R125). */
import { type Outcome, succeed } from '../ports/failure';
import type { GoalPort } from './goal-request';

export interface ChangedFile {
  readonly path: string;
  readonly action: 'created' | 'modified' | 'deleted';
}

/** What the goal cannot take up is left out, and all of it without a goal. Only what the log refuses is a failure. */
export async function recordFiles(goals: GoalPort, files: readonly ChangedFile[]): Promise<Outcome<unknown>> {
  for (const { path, action } of files) {
    const recorded = await goals.request({ action: 'artifact', path, change: action });
    if (!recorded.ok && recorded.failure.kind === 'storage') return recorded;
  }
  return succeed(undefined);
}
