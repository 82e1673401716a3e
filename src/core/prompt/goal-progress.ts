/** How far a goal has come (R126). */
import type { Goal } from '../session/goal-entry';

export interface GoalProgress {
  readonly completed: number;
  readonly total: number;
  /** Whole per cent; a goal without checkpoints is at 0 until it is completed. */
  readonly percentage: number;
}

export function goalProgressOf({ checkpoints, status }: Pick<Goal, 'checkpoints' | 'status'>): GoalProgress {
  const total = checkpoints.length;
  const completed = checkpoints.filter((checkpoint) => checkpoint.status === 'completed').length;
  const share = total === 0 ? Number(status === 'completed') : completed / total;
  return { completed, total, percentage: Math.floor(share * 100) };
}
