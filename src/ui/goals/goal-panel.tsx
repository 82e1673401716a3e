/** GoalPanel: the goal of the chat above its transcript, one line until it is opened (R126, K18). */
import { useRef, useState } from 'preact/hooks';
import { automaticChanges, type GoalChange } from '../../core/goals/goal-request';
import { frontGoal, goalProgressOf, type StoredGoal } from '../../core/goals/goal-state';
import type { GoalPriority } from '../../core/session/goal-entry';
import { words } from '../../text';
import { Icon, Named } from '../components/controls';
import type { OpenChatState } from '../state/chat-state';
import { GoalDetails, PriorityChoice, TextForm } from './goal-details';

interface GoalPanelProps {
  readonly model: OpenChatState;
  /** Lines of the log that could not be read. */
  readonly damaged: number;
  readonly open: boolean;
  readonly onToggle: () => void;
}

export function GoalPanel({ model, damaged, open, onToggle }: GoalPanelProps) {
  const [adding, setAdding] = useState(false);
  // If the goal disappears while the panel is open, as by an undo, the focus stays where the user writes.
  const hadGoal = useRef(false);
  const state = model.goals?.state;
  if (state === undefined) return null;
  const goal = frontGoal(state);
  hadGoal.current = open && (goal !== null || hadGoal.current);
  const changes = automaticChanges(state);
  const recent = changes.filter((change) => change.recent && !change.undone).length;
  if (goal === null && !open && recent === 0) return null;
  return (
    <Named tag="section" class={`docent-goal ${open ? 'is-open' : ''}`} name={words.goals.panel}>
      <GoalLine goal={goal} recent={recent} open={open} onToggle={onToggle} />
      {open && (
        <div class="docent-goal-body" id="docent-goal-body">
          {damaged > 0 && <div class="docent-goal-note">{words.goals.lastGoodState}</div>}
          {goal === null || adding ? (
            <NewGoal
              model={model}
              focused={adding || !hadGoal.current}
              canCancel={goal !== null}
              onDone={() => setAdding(false)}
            />
          ) : (
            <GoalDetails goal={goal} model={model} onNew={() => setAdding(true)} />
          )}
          <OtherGoals front={goal} model={model} />
          <GoalChanges changes={changes} model={model} />
        </div>
      )}
    </Named>
  );
}

interface GoalLineProps {
  readonly goal: StoredGoal | null;
  /** Changes by the model since the newest message. */
  readonly recent: number;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** GoalLine: the goal and its progress on one line, which opens the rest of the panel. */
function GoalLine({ goal, recent, open, onToggle }: GoalLineProps) {
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
        {goal?.pinned === true && <Icon icon="lock" />}
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

/** Returns the progress in numbers, or the status if that says more. */
function progressOf(goal: StoredGoal): string {
  const { completed, total } = goalProgressOf(goal);
  const { statuses, progress } = words.goals;
  return goal.status !== 'active' || total === 0 ? statuses[goal.status] : progress(completed, total);
}

interface GoalChangesProps {
  readonly changes: readonly GoalChange[];
  readonly model: OpenChatState;
}

/** GoalChanges: what the model changed automatically, newest first, each with its undo (K18). */
function GoalChanges({ changes, model }: GoalChangesProps) {
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

interface NewGoalProps {
  readonly model: OpenChatState;
  /** Whether its text box takes the focus. */
  readonly focused: boolean;
  readonly canCancel: boolean;
  readonly onDone: () => void;
}

/** NewGoal: a form for a goal that the user sets, with its priority. */
function NewGoal({ model, focused, canCancel, onDone }: NewGoalProps) {
  const [priority, setPriority] = useState<GoalPriority>('medium');
  const save = (text: string): void => {
    void model.changeGoals((goals) => goals.createGoal(text, priority));
    onDone();
  };
  return (
    <div class="docent-goal-new">
      <TextForm
        label={words.goals.addHint}
        focused={focused}
        onSave={save}
        {...(canCancel ? { onCancel: onDone } : {})}
      />
      <PriorityChoice value={priority} onChange={setPriority} />
    </div>
  );
}

/** Returns how many checkpoints of a goal are completed, in words; nothing for a goal without any. */
function reached(id: string, { goals }: OpenChatState): string[] {
  const progress = goals?.getGoalProgress(id);
  if (progress?.ok !== true || progress.value.total === 0) return [];
  return [words.goals.progress(progress.value.completed, progress.value.total)];
}

interface OtherGoalsProps {
  readonly front: StoredGoal | null;
  readonly model: OpenChatState;
}

/** OtherGoals: the goals of this chat that are not in front, with how far they came; each can be resumed (R126). */
function OtherGoals({ front, model }: OtherGoalsProps) {
  const history = model.goals?.getGoalHistory() ?? [];
  const others = history.filter(({ id }) => id !== front?.id).reverse();
  if (others.length === 0) return null;
  return (
    <>
      <h6>{words.goals.otherGoals}</h6>
      {others.map(({ id, description, status }) => (
        <div key={id} class="docent-goal-row">
          <span class="docent-goal-row-text">
            {description}
            <em class="docent-goal-aside">{[words.goals.statuses[status], ...reached(id, model)].join(', ')}</em>
          </span>
          <button type="button" onClick={() => void model.changeGoals((goals) => goals.resumeGoal(id))}>
            {words.goals.resume}
          </button>
        </div>
      ))}
    </>
  );
}
