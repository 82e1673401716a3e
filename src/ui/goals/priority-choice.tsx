/** PriorityChoice: how much a goal matters. */
import type { GoalPriority } from '../../core/session/goal-entry';
import { words } from '../../text';

interface PriorityChoiceProps {
  readonly value: GoalPriority;
  readonly onChange: (priority: GoalPriority) => void;
}

const priorities: readonly GoalPriority[] = ['high', 'medium', 'low'];

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
