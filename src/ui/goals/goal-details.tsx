/** GoalDetails: what belongs to the goal, each part open to change, and what can be done with the whole (K18). */
import { useState } from 'preact/hooks';
import type { StoredGoal } from '../../core/goals/goal-state';
import type { GoalPriority } from '../../core/session/goal-entry';
import { words } from '../../text';
import { IconButton } from '../components/controls';
import type { PaneModel } from '../state/chat-state';
import { ArtifactRow, CheckpointRow, DecisionRow } from './goal-rows';
import { PriorityChoice } from './priority-choice';
import { TextForm } from './text-form';

interface GoalDetailsProps {
  readonly goal: StoredGoal;
  readonly model: PaneModel;
  readonly onNew: () => void;
}

export function GoalDetails({ goal, model, onNew }: GoalDetailsProps) {
  const [editing, setEditing] = useState<'goal' | 'next' | null>(null);
  const { id, checkpoints, decisions, artifacts } = goal;
  const isClosed = goal.status === 'completed';
  const say = words.goals;
  const stop = (): void => setEditing(null);
  const reword = (text: string): void => {
    void model.changeGoals((goals) => goals.edit(id, id, text));
    stop();
  };
  const setPriority = (priority: GoalPriority): void =>
    void model.changeGoals((goals) => goals.edit(id, id, goal.description, priority));
  const setNext = (text: string): void => {
    void model.changeGoals((goals) => goals.setNext(id, text));
    stop();
  };
  return (
    <>
      <GoalActions goal={goal} model={model} onEdit={() => setEditing('goal')} onNew={onNew} />
      {editing === 'goal' && (
        <div class="docent-goal-new">
          <TextForm label={say.editGoal} value={goal.description} focused onSave={reword} onCancel={stop} />
          <PriorityChoice value={goal.priority} onChange={setPriority} />
        </div>
      )}
      {goal.summary !== undefined && goal.summary !== '' && <div class="docent-goal-note">{goal.summary}</div>}
      {(checkpoints.length > 0 || !isClosed) && <h6>{say.checkpoints}</h6>}
      {checkpoints.map((each) => (
        <CheckpointRow key={each.id} item={each} goal={goal} model={model} />
      ))}
      {!isClosed && (
        <TextForm
          label={say.checkpointHint}
          onSave={(text) => void model.changeGoals((goals) => goals.createCheckpoint(id, text))}
        />
      )}
      {(decisions.length > 0 || !isClosed) && <h6>{say.decisions}</h6>}
      {decisions.map((each) => (
        <DecisionRow key={each.id} item={each} goal={goal} model={model} />
      ))}
      {!isClosed && (
        <TextForm
          label={say.decisionHint}
          onSave={(text) => void model.changeGoals((goals) => goals.recordDecision(id, text, ''))}
        />
      )}
      {artifacts.length > 0 && <h6>{say.artifacts}</h6>}
      {artifacts.map((each) => (
        <ArtifactRow key={each.path} artifact={each} model={model} />
      ))}
      {(goal.next !== undefined || !isClosed) && <h6>{say.next}</h6>}
      {editing === 'next' || (goal.next === undefined && !isClosed) ? (
        <TextForm
          label={say.nextHint}
          value={goal.next ?? ''}
          focused={editing === 'next'}
          onSave={setNext}
          {...(editing === 'next' ? { onCancel: stop } : {})}
        />
      ) : (
        goal.next !== undefined && (
          <div class="docent-goal-row">
            <span class="docent-goal-row-text">{goal.next}</span>
            <IconButton icon="pencil" label={say.editItem(goal.next)} onClick={() => setEditing('next')} />
            <IconButton icon="x" label={say.removeItem(goal.next)} onClick={() => setNext('')} />
          </div>
        )
      )}
    </>
  );
}

interface GoalActionsProps extends GoalDetailsProps {
  readonly onEdit: () => void;
}

function GoalActions({ goal, model, onEdit, onNew }: GoalActionsProps) {
  const { id, status, pinned } = goal;
  const say = words.goals;
  const isActive = status === 'active';
  return (
    <div class="docent-goal-actions">
      <span class={`docent-goal-status is-${status}`}>
        {goal.priority === 'medium'
          ? say.statuses[status]
          : say.withPriority(say.statuses[status], say.priorities[goal.priority])}
      </span>
      <IconButton icon="pencil" label={say.editGoal} onClick={onEdit} />
      <IconButton
        icon={pinned ? 'pin-off' : 'pin'}
        label={pinned ? say.unpin : say.pin}
        onClick={() => void model.changeGoals((goals) => goals.pin(id, !pinned))}
      />
      <IconButton
        icon={isActive ? 'pause' : 'play'}
        label={isActive ? say.pause : say.resume}
        onClick={() => void model.changeGoals((goals) => (isActive ? goals.pauseGoal(id) : goals.resumeGoal(id)))}
      />
      {status !== 'completed' && (
        <IconButton
          icon="check"
          label={say.complete}
          onClick={() => void model.changeGoals((goals) => goals.completeGoal(id, ''))}
        />
      )}
      <IconButton
        icon="archive"
        label={say.dismiss}
        onClick={() => void model.changeGoals((goals) => goals.dismiss(id))}
      />
      <IconButton icon="plus" label={say.add} onClick={onNew} />
    </div>
  );
}
