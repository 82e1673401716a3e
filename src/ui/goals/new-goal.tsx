/** NewGoal: a goal set by hand, with its priority. */
import { useState } from 'preact/hooks';
import type { GoalPriority } from '../../core/session/goal-entry';
import { words } from '../../text';
import type { PaneModel } from '../state/chat-state';
import { PriorityChoice } from './priority-choice';
import { TextForm } from './text-form';

interface NewGoalProps {
  readonly model: PaneModel;
  /** Whether its box takes the focus. */
  readonly focused: boolean;
  readonly canCancel: boolean;
  readonly onDone: () => void;
}

export function NewGoal({ model, focused, canCancel, onDone }: NewGoalProps) {
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
