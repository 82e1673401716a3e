/** GoalPanel: the goal of the chat above its transcript, one line until it is opened (R126, K18). */
import { useRef, useState } from 'preact/hooks';
import { automaticChanges } from '../../core/goals/goal-request';
import { frontGoal } from '../../core/goals/goal-state';
import { words } from '../../text';
import type { PaneModel } from '../state/chat-state';
import { GoalChanges } from './goal-changes';
import { GoalDetails } from './goal-details';
import { GoalLine } from './goal-line';
import { NewGoal } from './new-goal';
import { OtherGoals } from './other-goals';

interface GoalPanelProps {
  readonly model: PaneModel;
  /** Lines of the log that could not be read. */
  readonly damaged: number;
  readonly open: boolean;
  readonly onToggle: () => void;
}

export function GoalPanel({ model, damaged, open, onToggle }: GoalPanelProps) {
  const [adding, setAdding] = useState(false);
  // A goal that goes while the panel is open, as by an undo, leaves the focus where the user writes.
  const hadGoal = useRef(false);
  const state = model.goals?.state;
  if (state === undefined) return null;
  const goal = frontGoal(state);
  hadGoal.current = open && (goal !== null || hadGoal.current);
  const changes = automaticChanges(state);
  const recent = changes.filter((change) => change.recent && !change.undone).length;
  if (goal === null && !open && recent === 0) return null;
  const isNew = goal === null || adding;
  return (
    <section class={`docent-goal ${open ? 'is-open' : ''}`} aria-label={words.goals.panel}>
      <GoalLine goal={goal} recent={recent} open={open} onToggle={onToggle} />
      {open && (
        <div class="docent-goal-body" id="docent-goal-body">
          {damaged > 0 && <div class="docent-goal-note">{words.goals.lastGoodState}</div>}
          {isNew && (
            <NewGoal
              model={model}
              focused={adding || !hadGoal.current}
              canCancel={goal !== null}
              onDone={() => setAdding(false)}
            />
          )}
          {goal !== null && !isNew && <GoalDetails goal={goal} model={model} onNew={() => setAdding(true)} />}
          <OtherGoals state={state} model={model} />
          <GoalChanges changes={changes} model={model} />
        </div>
      )}
    </section>
  );
}
