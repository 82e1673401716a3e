/** OtherGoals: goals of this chat that are not in front, to be taken up again. */
import { frontGoal, type GoalState } from '../../core/goals/goal-state';
import { words } from '../../text';
import type { PaneModel } from '../state/chat-state';

interface OtherGoalsProps {
  readonly state: GoalState;
  readonly model: PaneModel;
}

export function OtherGoals({ state, model }: OtherGoalsProps) {
  const front = frontGoal(state);
  const others = state.list.filter(({ id }) => id !== front?.id).reverse();
  if (others.length === 0) return null;
  return (
    <>
      <h6>{words.goals.otherGoals}</h6>
      {others.map(({ id, description, status }) => (
        <div key={id} class="docent-goal-row">
          <span class="docent-goal-row-text">
            {description}
            <em class="docent-goal-aside">{words.goals.statuses[status]}</em>
          </span>
          <button type="button" onClick={() => void model.changeGoals((goals) => goals.resumeGoal(id))}>
            {words.goals.resume}
          </button>
        </div>
      ))}
    </>
  );
}
