/** GoalDetails: the parts of a goal, each editable, and the actions on the whole (K18). */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StoredCheckpoint, StoredDecision, StoredGoal } from '../../core/goals/goal-state';
import type { Artifact, GoalPriority } from '../../core/session/goal-entry';
import { words } from '../../text';
import { firstPress, Icon, IconButton, isOfInputMethod } from '../components/controls';
import type { OpenChatState } from '../state/chat-state';

const say = words.goals;

interface GoalDetailsProps {
  readonly goal: StoredGoal;
  readonly model: OpenChatState;
  readonly onNew: () => void;
}

export function GoalDetails({ goal, model, onNew }: GoalDetailsProps) {
  // Another goal can come to the front while this one is edited.
  const [edited, setEdited] = useState<{ readonly id: string; readonly part: 'goal' | 'next' } | null>(null);
  const { id, checkpoints, decisions, artifacts } = goal;
  const editing = edited?.id === id ? edited.part : null;
  const isClosed = goal.status === 'completed';
  const stop = (): void => setEdited(null);
  const reword = (text: string): void => {
    void model.changeGoals((goals) => goals.edit(id, id, text));
    stop();
  };
  const setPriority = (priority: GoalPriority): void =>
    void model.changeGoals((goals) => goals.edit(id, id, goal.description, priority));
  return (
    <>
      <GoalActions goal={goal} model={model} onEdit={() => setEdited({ id, part: 'goal' })} onNew={onNew} />
      {editing === 'goal' && (
        <div class="docent-goal-new">
          <TextForm label={say.editGoal} value={goal.description} focused onSave={reword} onCancel={stop} />
          <PriorityChoice value={goal.priority} onChange={setPriority} />
        </div>
      )}
      {goal.summary !== undefined && goal.summary !== '' && <div class="docent-goal-note">{goal.summary}</div>}
      <Items
        {...{ items: checkpoints, isClosed, Row: CheckpointRow, goal, model }}
        title={say.checkpoints}
        hint={say.checkpointHint}
        onAdd={(text) => void model.changeGoals((goals) => goals.createCheckpoint(id, text))}
      />
      <Items
        {...{ items: decisions, isClosed, Row: DecisionRow, goal, model }}
        title={say.decisions}
        hint={say.decisionHint}
        onAdd={(text) => void model.changeGoals((goals) => goals.recordDecision(id, text, ''))}
      />
      {(artifacts.length > 0 || !isClosed) && <h6>{say.artifacts}</h6>}
      {artifacts.map((each) => (
        <ArtifactRow key={each.path} artifact={each} model={model} />
      ))}
      {!isClosed && (
        <div class="docent-goal-row">
          <button type="button" onClick={() => void addNote(id, model)}>
            {say.addArtifact}
          </button>
        </div>
      )}
      <NextStep
        goal={goal}
        model={model}
        isEditing={editing === 'next'}
        onEdit={() => setEdited({ id, part: 'next' })}
        onDone={stop}
      />
    </>
  );
}

/** Records a note that the user chooses as changed for the goal (R125). */
async function addNote(goal: string, model: OpenChatState): Promise<void> {
  // Another chat may be open by the time a note is chosen.
  const { goals } = model;
  const path = await model.ports.prompts.chooseNote();
  if (path !== null) await model.changeGoals((each) => each.recordArtifact(goal, 'note', path, 'modified'), goals);
}

interface NextStepProps {
  readonly goal: StoredGoal;
  readonly model: OpenChatState;
  readonly isEditing: boolean;
  readonly onEdit: () => void;
  readonly onDone: () => void;
}

/** NextStep: the next step of the goal, or the box for it; a completed goal without one shows neither. */
function NextStep({ goal: { id, next, status }, model, isEditing, onEdit, onDone }: NextStepProps) {
  const isClosed = status === 'completed';
  const setNext = (text: string): void => {
    void model.changeGoals((goals) => goals.setNext(id, text));
    onDone();
  };
  return (
    <>
      {(next !== undefined || !isClosed) && <h6>{say.next}</h6>}
      {isEditing || (next === undefined && !isClosed) ? (
        <TextForm
          label={say.nextHint}
          value={next ?? ''}
          focused={isEditing}
          onSave={setNext}
          {...(isEditing ? { onCancel: onDone } : {})}
        />
      ) : (
        next !== undefined && (
          <div class="docent-goal-row">
            <span class="docent-goal-row-text">{next}</span>
            <IconButton icon="pencil" label={say.editItem(next)} onClick={onEdit} />
            <IconButton icon="x" label={say.removeItem(next)} onClick={() => setNext('')} />
          </div>
        )
      )}
    </>
  );
}

interface GoalActionsProps extends GoalDetailsProps {
  readonly onEdit: () => void;
}

/** GoalActions: which of them there are, and where, changes with each press. */
function GoalActions({ goal, model, onEdit, onNew }: GoalActionsProps) {
  const { id, status, pinned } = goal;
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
        icon={pinned ? 'lock' : 'lock-open'}
        label={pinned ? say.unpin : say.pin}
        onClick={() => void model.changeGoals((goals) => goals.pin(id, !pinned))}
      />
      <IconButton
        icon={isActive ? 'pause' : 'play'}
        label={isActive ? say.pause : say.resume}
        onClick={firstPress(
          () => void model.changeGoals((goals) => (isActive ? goals.pauseGoal(id) : goals.resumeGoal(id))),
        )}
      />
      {status !== 'completed' && (
        <IconButton
          icon="check"
          label={say.complete}
          onClick={firstPress(() => void model.changeGoals((goals) => goals.completeGoal(id, '')))}
        />
      )}
      <IconButton
        icon="archive"
        label={say.dismiss}
        onClick={firstPress(() => void model.changeGoals((goals) => goals.dismiss(id)))}
      />
      <IconButton icon="plus" label={say.add} onClick={onNew} />
    </div>
  );
}

interface RowProps<Item> {
  readonly item: Item;
  readonly goal: StoredGoal;
  readonly model: OpenChatState;
}

function CheckpointRow({ item, goal, model }: RowProps<StoredCheckpoint>) {
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

function DecisionRow({ item, goal, model }: RowProps<StoredDecision>) {
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
  readonly model: OpenChatState;
  readonly canChange: boolean;
  readonly children: ComponentChildren;
}

/** ItemRow: a line that can be edited and removed; removing it undoes the entry that added it. */
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
            // The row above was there, which goes once it is removed.
            onClick={firstPress(() => void model.changeGoals((goals) => goals.undo(id)))}
          />
        </>
      )}
    </div>
  );
}

function ArtifactRow({ artifact, model }: { readonly artifact: Artifact; readonly model: OpenChatState }) {
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

interface TextFormProps {
  readonly label: string;
  readonly value?: string;
  /** Whether it takes the focus when it appears. */
  readonly focused?: boolean;
  readonly onSave: (text: string) => void;
  /** Absent for a box that cannot be canceled and that is emptied for the next text. */
  readonly onCancel?: () => void;
}

/** TextForm: one line of text to add or edit, saved with Enter and canceled with Escape. */
export function TextForm({ label, value = '', focused = false, onSave, onCancel }: TextFormProps) {
  const box = useRef<HTMLInputElement>(null);
  // Only as it appears: drawn again, it would take the focus from where the user writes by then.
  useLayoutEffect(() => {
    if (focused) box.current?.focus();
  }, []);
  const save = (event: Event): void => {
    event.preventDefault();
    const text = box.current?.value.trim() ?? '';
    if (text === '') return;
    onSave(text);
    if (onCancel === undefined && box.current !== null) box.current.value = '';
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isOfInputMethod(event) || onCancel === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  };
  return (
    <form class="docent-goal-form" onSubmit={save}>
      <input type="text" ref={box} defaultValue={value} placeholder={label} aria-label={label} onKeyDown={leave} />
      <button type="submit">{onCancel === undefined ? words.goals.addItem : words.goals.save}</button>
      {onCancel !== undefined && (
        <button type="button" onClick={onCancel}>
          {words.goals.cancel}
        </button>
      )}
    </form>
  );
}

interface PriorityChoiceProps {
  readonly value: GoalPriority;
  readonly onChange: (priority: GoalPriority) => void;
}

const priorities: readonly GoalPriority[] = ['high', 'medium', 'low'];

/** PriorityChoice: the priority of a goal. */
export function PriorityChoice({ value, onChange }: PriorityChoiceProps) {
  return (
    <label class="docent-goal-priority">
      <span>{words.goals.priority}</span>
      <select
        class="dropdown"
        value={value}
        onChange={({ currentTarget }) => onChange(priorities.find((each) => each === currentTarget.value) ?? value)}
      >
        {priorities.map((each) => (
          <option key={each} value={each}>
            {words.goals.priorities[each]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ItemsProps<Item> {
  readonly items: readonly Item[];
  readonly isClosed: boolean;
  readonly Row: (props: { item: Item; goal: StoredGoal; model: OpenChatState }) => ComponentChildren;
  readonly goal: StoredGoal;
  readonly model: OpenChatState;
  readonly title: string;
  readonly hint: string;
  readonly onAdd: (text: string) => void;
}

/** Items: the checkpoints or the decisions of a goal, with a box for one more while the goal is open. */
function Items<Item extends { readonly id: string }>({ items, isClosed, Row, ...props }: ItemsProps<Item>) {
  const { goal, model, title, hint, onAdd } = props;
  return (
    <>
      {(items.length > 0 || !isClosed) && <h6>{title}</h6>}
      {items.map((each) => (
        <Row key={each.id} item={each} goal={goal} model={model} />
      ))}
      {!isClosed && <TextForm label={hint} onSave={onAdd} />}
    </>
  );
}
