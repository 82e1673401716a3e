/** Records files that were made, changed or deleted as artifacts of the goal under way (R125). */
import { type Outcome, succeed } from '../failure';
import type { GoalPort } from './goal-request';

export interface ChangedFile {
  readonly path: string;
  readonly action: 'created' | 'modified' | 'deleted';
}

/** Without a goal there is nothing to record; the first refusal of the log ends it. */
export async function recordFiles(
  goals: GoalPort & { getActiveGoal(): unknown },
  files: readonly ChangedFile[],
): Promise<Outcome<unknown>> {
  for (const { path, action } of files) {
    if (goals.getActiveGoal() === null) break;
    const recorded = await goals.request({ action: 'artifact', path, change: action });
    if (!recorded.ok) return recorded;
  }
  return succeed(undefined);
}
