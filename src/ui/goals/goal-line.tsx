/** GoalLine: the goal on one line, with how far it has come; opens the rest of the panel. */
import { goalProgressOf, type StoredGoal } from '../../core/goals/goal-state';
import { words } from '../../text';
import { Icon } from '../components/controls';

interface GoalLineProps {
  readonly goal: StoredGoal | null;
  /** Changes by the model since the newest message. */
  readonly recent: number;
  readonly open: boolean;
  readonly onToggle: () => void;
}

export function GoalLine({ goal, recent, open, onToggle }: GoalLineProps) {
  return (
    <button
      type="button"
      class={`docent-goal-line ${goal === null ? '' : `is-${goal.status}`}`}
      aria-expanded={open}
      aria-controls="docent-goal-body"
      onClick={onToggle}
    >
      <span class="docent-goal-head">
        <Icon icon="chevron-right" class="docent-goal-arrow" />
        <Icon icon={goal?.status === 'completed' ? 'circle-check' : goal?.status === 'paused' ? 'pause' : 'target'} />
        <span class="docent-goal-text">{goal?.description ?? words.goals.add}</span>
        {goal?.pinned === true && <Icon icon="pin" />}
        {goal !== null && <span class="docent-goal-progress">{progressOf(goal)}</span>}
      </span>
      {goal !== null && goal.checkpoints.length > 0 && <ProgressBar goal={goal} />}
      {recent > 0 && !open && <span class="docent-goal-recent">{words.goals.recentChanges(recent)}</span>}
    </button>
  );
}

function ProgressBar({ goal }: { readonly goal: StoredGoal }) {
  const { percentage } = goalProgressOf(goal);
  return (
    <span class="docent-goal-track" aria-hidden="true">
      <span
        class="docent-goal-bar"
        ref={(element) => element?.setCssProps({ '--docent-share': String(percentage / 100) })}
      />
    </span>
  );
}

/** Its state where that says more than numbers. */
function progressOf(goal: StoredGoal): string {
  const { completed, total } = goalProgressOf(goal);
  const { statuses, progress } = words.goals;
  return goal.status !== 'active' || total === 0 ? statuses[goal.status] : progress(completed, total);
}
