/** GoalRows: one line each for a checkpoint, a decision and a file of the goal. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { StoredCheckpoint, StoredDecision, StoredGoal } from '../../core/goals/goal-state';
import type { Artifact } from '../../core/session/goal-entry';
import { words } from '../../text';
import { Icon, IconButton } from '../components/controls';
import type { PaneModel } from '../state/chat-state';
import { TextForm } from './text-form';

interface RowProps<Item> {
  readonly item: Item;
  readonly goal: StoredGoal;
  readonly model: PaneModel;
}

const say = words.goals;

export function CheckpointRow({ item, goal, model }: RowProps<StoredCheckpoint>) {
  const { id, description, status, blocker } = item;
  const isDone = status === 'completed';
  const isClosed = goal.status === 'completed';
  const tick = (): void =>
    void model.changeGoals((goals) => goals.updateCheckpoint(goal.id, id, isDone ? 'pending' : 'completed'));
  return (
    <ItemRow id={id} description={description} goal={goal} model={model} canChange={!isClosed}>
      <label class={`docent-goal-checkpoint is-${status}`}>
        <input
          type="checkbox"
          checked={isDone}
          disabled={isClosed}
          aria-label={say.tick(description)}
          onChange={tick}
        />
        <span class="docent-goal-row-text">
          {description}
          {status === 'in-progress' && <em class="docent-goal-aside">{say.checkpointStatuses[status]}</em>}
          {blocker !== undefined && <em class="docent-goal-aside is-blocked">{say.blocked(blocker)}</em>}
        </span>
      </label>
    </ItemRow>
  );
}

export function DecisionRow({ item, goal, model }: RowProps<StoredDecision>) {
  const { id, description, rationale, locked, lockedBy } = item;
  const toggle = (): void =>
    void model.changeGoals((goals) => (locked ? goals.undo(lockedBy ?? id) : goals.lockDecision(goal.id, id)));
  const isClosed = goal.status === 'completed';
  return (
    <ItemRow id={id} description={description} goal={goal} model={model} canChange={!isClosed && !locked}>
      <IconButton
        icon={locked ? 'lock' : 'lock-open'}
        label={locked ? say.unlock(description) : say.lock(description)}
        disabled={isClosed}
        onClick={toggle}
      />
      <span class="docent-goal-row-text">
        {description}
        {locked && <em class="docent-goal-aside">{say.locked}</em>}
        {rationale !== '' && <em class="docent-goal-aside">{rationale}</em>}
      </span>
    </ItemRow>
  );
}

interface ItemRowProps {
  readonly id: string;
  readonly description: string;
  readonly goal: StoredGoal;
  readonly model: PaneModel;
  readonly canChange: boolean;
  readonly children: ComponentChildren;
}

/** A line that can be reworded and removed; removing takes back what made it. */
function ItemRow({ id, description, goal, model, canChange, children }: ItemRowProps) {
  const [editing, setEditing] = useState(false);
  const stop = (): void => setEditing(false);
  const reword = (text: string): void => {
    void model.changeGoals((goals) => goals.edit(goal.id, id, text));
    stop();
  };
  if (editing) {
    return <TextForm label={say.editItem(description)} value={description} focused onSave={reword} onCancel={stop} />;
  }
  return (
    <div class="docent-goal-row">
      {children}
      {canChange && (
        <>
          <IconButton icon="pencil" label={say.editItem(description)} onClick={() => setEditing(true)} />
          <IconButton
            icon="x"
            label={say.removeItem(description)}
            onClick={() => void model.changeGoals((goals) => goals.undo(id))}
          />
        </>
      )}
    </div>
  );
}

export function ArtifactRow({ artifact, model }: { readonly artifact: Artifact; readonly model: PaneModel }) {
  const { path, action } = artifact;
  const change = say.changes.artifact[action];
  return (
    <div class="docent-goal-row">
      <Icon icon={action === 'deleted' ? 'file-x' : 'file-text'} />
      {action === 'deleted' ? (
        <span class="docent-goal-row-text">{path}</span>
      ) : (
        <button
          type="button"
          class="docent-goal-file"
          aria-label={say.openArtifact(path)}
          onClick={({ ctrlKey, metaKey }) => model.ports.openNote(path, ctrlKey || metaKey)}
        >
          {path}
        </button>
      )}
      <em class="docent-goal-aside">{change}</em>
    </div>
  );
}
