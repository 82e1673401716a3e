/** GoalChanges: what the model changed by itself, newest first, each with its way back (K18). */
import type { GoalChange } from '../../core/goals/goal-request';
import { words } from '../../text';
import type { PaneModel } from '../state/chat-state';

interface GoalChangesProps {
  readonly changes: readonly GoalChange[];
  readonly model: PaneModel;
}

export function GoalChanges({ changes, model }: GoalChangesProps) {
  if (changes.length === 0) return null;
  const say = words.goals;
  return (
    <>
      <h6>{say.history}</h6>
      {changes.map(({ id, text, undone }) => (
        <div key={id} class={`docent-goal-row docent-goal-change ${undone ? 'is-undone' : ''}`}>
          <span class="docent-goal-row-text">{text}</span>
          <button
            type="button"
            aria-label={undone ? say.redoChange(text) : say.undoChange(text)}
            onClick={() => void model.changeGoals((goals) => (undone ? goals.redo(id) : goals.undo(id)))}
          >
            {undone ? say.redo : say.undo}
          </button>
        </div>
      ))}
    </>
  );
}
